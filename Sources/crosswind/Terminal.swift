import Foundation
import Lab

/// Properties of standard output.
enum Terminal {
    static var isOutput: Bool { isatty(FileHandle.standardOutput.fileDescriptor) == 1 && environment("TERM") != "dumb" }

    /// Columns; 80 when unknown.
    static var width: Int { Screen.size?.columns ?? environment("COLUMNS").flatMap { Int($0) } ?? 80 }

    /// Lines; 24 when unknown.
    static var height: Int { Screen.size?.rows ?? environment("LINES").flatMap { Int($0) } ?? 24 }

    static func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

    private static func environment(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }
}
