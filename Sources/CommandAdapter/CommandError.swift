import AdapterProtocol

/// The reason why a command cannot be used as a client.
package enum CommandError: Error, Hashable, CustomStringConvertible {
    case empty
    case withoutURL(String)
    case unknownPlaceholder(String)
    case optionInsideWord(String)
    case placeholderAsProgram(String)
    case valueMayBeAbsent(option: String, placeholder: String)
    case openBrace(String)
    case openQuote(String)
    case notInstalled(String)
    case malformedClass(String)
    case unknownClass(String)
    case unknownOffer(String)

    package var description: String {
        switch self {
        case .empty: "--command is empty; give a program and its arguments, as in: \(CommandError.example)"
        case .withoutURL(let text):
            "--command '\(text)' does not contain {url}, the place of the URL, as in: \(CommandError.example)"
        case .unknownPlaceholder(let name):
            "--command contains the unknown placeholder {\(name)}; known are \(CommandError.placeholders); for a brace itself, write {{ or }}"
        case .optionInsideWord(let word):
            "--command contains '\(word)': a placeholder with an option, such as {headers:-H}, must be a word of its own"
        case .placeholderAsProgram(let word):
            "--command begins with '\(word)'; the first word must be the program"
        case .valueMayBeAbsent(let option, let name):
            "--command contains '\(option) {\(name)}', but not every request has this value; write '{\(name):\(option)}', which is left out without it"
        case .openBrace(let word):
            "--command contains '\(word)' with a single brace; for a brace itself, write {{ or }}"
        case .openQuote(let text): "--command '\(text)' has a quote that is not closed"
        case .notInstalled(let program):
            "the program '\(program)' of --command is not installed, or not in PATH; install it, or give its path"
        case .malformedClass(let text):
            "--command-classes contains '\(text)'; write STATUS=CLASS with commas between, as in: 6=nameResolution,28=timedOut"
        case .unknownClass(let word):
            "--command-classes contains the unknown class '\(word)'; known are \(ExitMeaning.words.joined(separator: ", "))"
        case .unknownOffer(let word):
            "--command-offers contains '\(word)'; known are \(Capability.allCases.map(\.rawValue).joined(separator: ", ")), with a minus sign to take one back"
        }
    }

    private static let example = "--command 'curl -sS -L --fail -o {file} {url}'"
    private static let placeholders = CommandTemplate.Placeholder.allCases.map { "{\($0.rawValue)}" }
        .joined(separator: ", ")
}
