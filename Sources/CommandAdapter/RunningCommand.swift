import Dispatch
import Foundation
import Glibc
import Synchronization

/// A started command: its process, and its output line by line as it arrives.
final class RunningCommand: Sendable {
    /// The end of a command, and the beginning of its output that is not the body: some programs write errors to both.
    struct End: Hashable, Sendable {
        enum Status: Hashable, Sendable {
            case exited(Int32)
            case signalled(Int32)
        }
        var status: Status
        var errors: String
    }

    private let process: Process
    /// The length of the output that is kept for the meaning of the exit status.
    private static let mostErrors = 64 * 1024
    /// A process that the command left behind may keep the pipes open, so their end is not awaited for longer.
    private static let drainTime = DispatchTimeInterval.milliseconds(300)

    /// - Parameters:
    ///   - output: The file that receives the standard output; nil passes it to `line`.
    ///   - line: Called with each line of output, on other threads.
    ///   - ended: Called once, after the last line.
    init(
        program: String, arguments: [String], folder: String, output: String?,
        line: @escaping @Sendable (String) -> Void, ended: @escaping @Sendable (End) -> Void
    ) throws {
        let process = Process()
        self.process = process
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        // Messages are compared with known texts.
        process.environment = ProcessInfo.processInfo.environment.merging(["LC_ALL": "C.UTF-8"]) { $1 }
        process.standardInput = FileHandle.nullDevice
        let errorPipe = Pipe()
        var pipes = [errorPipe]
        process.standardError = errorPipe
        if let output {
            try Data().write(to: URL(fileURLWithPath: output))
            process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
        } else {
            let pipe = Pipe()
            process.standardOutput = pipe
            pipes.append(pipe)
        }
        let errors = ErrorText(limit: RunningCommand.mostErrors)
        let readers = DispatchGroup()
        for _ in pipes { readers.enter() }
        process.terminationHandler = { process in
            _ = readers.wait(timeout: .now() + RunningCommand.drainTime)
            let code = process.terminationStatus
            let status: End.Status = process.terminationReason == .uncaughtSignal ? .signalled(code) : .exited(code)
            ended(End(status: status, errors: errors.text))
        }
        try process.run()
        for pipe in pipes {
            let source = pipe.fileHandleForReading
            Thread.detachNewThread {
                var lines = OutputLines()
                while case let bytes = source.availableData, !bytes.isEmpty {
                    for text in lines.append(bytes) {
                        errors.append(text)
                        line(text)
                    }
                }
                if let rest = lines.rest {
                    errors.append(rest)
                    line(rest)
                }
                readers.leave()
            }
        }
    }

    /// Ends the command and the processes that it started: Foundation starts each process in a group of its own.
    func kill() { Glibc.kill(-process.processIdentifier, SIGKILL) }
}

/// The beginning of a command's output.
private final class ErrorText: Sendable {
    private let content = Mutex("")
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    var text: String { content.withLock { $0 } }

    func append(_ line: String) {
        content.withLock { if $0.utf8.count < limit { $0 += line + "\n" } }
    }
}

/// Splits output into lines for the record. A progress meter ends its lines with a carriage return, and only the last
/// state of such a line is kept.
struct OutputLines {
    private static let longest = 1000
    private var bytes: [UInt8] = []

    mutating func append(_ data: Data) -> [String] {
        bytes += data
        var lines: [String] = []
        while let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
            if let line = OutputLines.text(bytes[..<end]) { lines.append(line) }
            bytes.removeSubrange(...end)
        }
        if bytes.count > 64 * OutputLines.longest {
            // Without a line end this is not text; its beginning is enough.
            lines.append(OutputLines.text(bytes[...]) ?? "")
            bytes = []
        }
        return lines
    }

    /// The unfinished last line; nil if it is empty.
    var rest: String? { OutputLines.text(bytes[...]) }

    private static func text(_ line: ArraySlice<UInt8>) -> String? {
        let last = line.split(separator: UInt8(ascii: "\r")).last ?? []
        return last.isEmpty ? nil : String(decoding: last.prefix(longest), as: UTF8.self)
    }
}
