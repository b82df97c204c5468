import Foundation

/// What standard output is.
enum Terminal {
    static var isOutput: Bool { isatty(FileHandle.standardOutput.fileDescriptor) == 1 && environment("TERM") != "dumb" }

    /// Columns; 80 when nobody says.
    static var width: Int { environment("COLUMNS").flatMap { Int($0) } ?? 80 }

    static func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

    private static func environment(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }
}
