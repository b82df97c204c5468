/// Words of commands that are printed for people to copy.
package enum ShellWord {
    /// Returns the word, quoted if a shell would change it.
    package static func quoted(_ word: String) -> String {
        let isPlain = word.wholeMatch(of: #/[A-Za-z0-9_.,:=@%+\/-]+/#) != nil
        return isPlain ? word : "'\(word.replacing("'", with: "'\\''"))'"
    }

    /// Returns a command with its arguments.
    package static func quoted(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }
}
