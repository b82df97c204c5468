import Foundation

/// Runs a program to its end, without blocking a thread of the pool meanwhile.
enum Command {
    struct Result: Sendable {
        var status: Int32
        var output: String
    }

    static func isMissing(_ name: String) -> Bool {
        !["/usr/bin", "/bin", "/usr/local/bin"].contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
        }
    }

    static func run(_ arguments: [String]) async throws -> Result {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("cw-command-\(UUID().uuidString)").path
        try Data().write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        process.standardOutput = file
        process.standardError = file
        process.standardInput = FileHandle.nullDevice
        let status = try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Int32, any Error>) in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        return Result(status: status, output: try String(contentsOfFile: path, encoding: .utf8))
    }
}
