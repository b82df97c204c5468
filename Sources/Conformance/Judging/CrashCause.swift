/// The line of standard error that names the cause of a crash. It is rarely the last one: backtraces, notes about core
/// files and statistics follow it.
package enum CrashCause {
    /// Marks of a fatal error, at any place of its line: Swift, C, C++, Java, Rust, Go, Python and the sanitizers.
    private static let marks = [
        "Fatal error:", "fatal error:", "Fatal Python error:", "FATAL ERROR:", "Exception in thread",
        "Assertion failed",
        "AssertionError [", "SUMMARY: ", "runtime error:", "stack smashing detected", "double free or corruption",
        "terminating due to uncaught exception", "*** Terminating app due to",
    ]
    /// Marks at the start of a line: elsewhere they occur in ordinary messages.
    private static let prefixes = [
        "panic:", "free(): ", "malloc(): ", "munmap_chunk(): ", "corrupted size vs. prev_size", "Unhandled exception",
        "Uncaught ", "uncaughtException",
    ]

    /// Returns the index of the line that names the cause; the last line that is not blank if none does.
    static func index(in lines: [String]) -> Int? {
        let found =
            lines.indices.last { isFatal($0, lines) } ?? lines.firstIndex(where: isReport) ?? tracedError(in: lines)
        return found ?? lines.lastIndex { !$0.allSatisfy(\.isWhitespace) }
    }

    /// Returns the indices of the lines that name a fatal error, without the last line that `index` falls back to.
    package static func fatalLines(in all: [String]) -> [Int] {
        // Finding the head of a traceback takes a look at every line before; a program may write without end.
        let lines = Array(all.suffix(mostLines))
        let found = lines.indices.filter { isFatal($0, lines) }
        let named =
            found.isEmpty ? (lines.firstIndex(where: isReport) ?? tracedError(in: lines)).map { [$0] } ?? [] : found
        return named.map { $0 + all.count - lines.count }
    }

    private static let mostLines = 1000

    /// Returns true for the head of a report that the runtime of Swift prints after the message, if there was one.
    private static func isReport(_ line: String) -> Bool { line.hasPrefix("*** Program crashed:") }

    /// Returns the text of the cause: its line, and the message that some runtimes print on the next one.
    static func text(in lines: [String]) -> String? {
        guard let index = index(in: lines) else { return nil }
        let line = trimmed(lines[index])
        let next = index + 1 < lines.count ? trimmed(lines[index + 1]) : ""
        if isHeadOfMessage(line), !next.isEmpty { return "\(line) \(next)" }
        return line
    }

    private static func isFatal(_ index: Int, _ lines: [String]) -> Bool {
        let line = lines[index]
        if marks.contains(where: line.contains) || prefixes.contains(where: line.hasPrefix) { return true }
        // Swift, for a trap without a message.
        if line.hasSuffix(": Fatal error") { return true }
        if line.contains("Assertion `") && line.contains("failed") { return true }
        return isHeadOfMessage(trimmed(line)) || isPythonError(index, lines)
    }

    /// Rust since 1.73 and C++ print the message below the line that announces it.
    private static func isHeadOfMessage(_ line: String) -> Bool {
        line.hasPrefix("terminate called after throwing")
            || line.hasPrefix("thread '") && line.contains("' panicked at ") && line.hasSuffix(":")
    }

    /// Returns true for the last line of a Python traceback: the first line after it that is not indented.
    private static func isPythonError(_ index: Int, _ lines: [String]) -> Bool {
        guard isUnindented(lines[index]),
            let start = lines[..<index].lastIndex(where: { $0.hasPrefix("Traceback (most recent call last)") })
        else { return false }
        return index > start + 1 && !lines[(start + 1)..<index].contains(where: isUnindented)
    }

    /// Returns the last error above a list of calls, which Node, Java and .NET indent and begin with “at”.
    private static func tracedError(in lines: [String]) -> Int? {
        lines.indices.dropLast().last { isUnindented(lines[$0]) && isCall(lines[$0 + 1]) }
    }

    private static func isCall(_ line: String) -> Bool {
        line.first?.isWhitespace == true && trimmed(line).hasPrefix("at ")
    }

    private static func isUnindented(_ line: String) -> Bool { line.first.map { !$0.isWhitespace } ?? false }

    private static func trimmed(_ line: String) -> String {
        var text = line.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
