import ArgumentParser
import Foundation
import Harness
import Lab
import Reports

/// Prints text on standard output, escaped: it takes the place of Swift's `print`, so that no title or name of a scenario, a profile or a
/// program can move the cursor of a terminal. Use `Terminal.write` for text with colours.
func print(_ text: String) { Terminal.write(TerminalSanitizer.message(text) + "\n") }

/// Properties of standard output.
enum Terminal {
    static var isOutput: Bool { isatty(FileHandle.standardOutput.fileDescriptor) == 1 && environment("TERM") != "dumb" }

    /// Columns; 80 when unknown.
    static var width: Int { Screen.size?.columns ?? environment("COLUMNS").flatMap { Int($0) } ?? 80 }

    /// Lines; 24 when unknown.
    static var height: Int { Screen.size?.rows ?? environment("LINES").flatMap { Int($0) } ?? 24 }

    /// Writes text that has control sequences of its own, and in which everything else is escaped already.
    ///
    /// A reader may be gone, as in `crosswind run | head`: the run then continues for its reports and its exit status.
    static func write(_ text: String) {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        } catch {
            // Programs that have started another one ignore SIGPIPE, so a closed pipe is an error here.
            let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
            if cause?.code == Int(EPIPE) { return }
            writeError("crosswind: cannot write standard output: \(error.localizedDescription)")
            exit(Status.machine.rawValue)
        }
    }

    /// Writes a message to standard error, escaped: it may contain names and texts of files, programs and servers.
    static func writeError(_ message: String) {
        putError(TerminalSanitizer.message(message) + "\n")
    }

    /// Replaces the line of progress on standard error, which must be a terminal.
    fileprivate static func replaceErrorLine(_ line: String) {
        putError("\r\u{1B}[2K\(TerminalSanitizer.message(line))")
    }

    /// Nothing can report that standard error is closed.
    private static func putError(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }

    /// This program as it was called, quoted for a shell, so that a command in a message works as printed.
    static var program: String { ShellWord.quoted(CommandLine.arguments.first ?? "crosswind") }

    private static func environment(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }
}

/// The progress of a long command on standard error, so that standard output is the result alone. On a terminal one line
/// changes; a log gets a line now and then.
struct ErrorProgress {
    private static let isTerminal = isatty(FileHandle.standardError.fileDescriptor) == 1
    private var shown = Date()

    /// Shows the line, unless one was shown a moment ago.
    mutating func show(_ line: @autoclosure () -> String) {
        let now = Date()
        guard now.timeIntervalSince(shown) > (Self.isTerminal ? 0.2 : 10) else { return }
        shown = now
        if Self.isTerminal { Terminal.replaceErrorLine(line()) } else { Terminal.writeError("crosswind: \(line())") }
    }

    /// Writes a line that stays.
    func log(_ line: String) {
        clear()
        Terminal.writeError("crosswind: \(line)")
    }

    /// Removes the line that changes.
    func clear() { if Self.isTerminal { Terminal.replaceErrorLine("") } }
}
