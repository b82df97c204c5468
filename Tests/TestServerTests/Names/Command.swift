import Foundation
import Synchronization

/// A program run to its end, without holding a thread of the pool meanwhile.
enum Command {
    struct Result: Sendable {
        var status: Int32
        var output: String
    }

    static func isMissing(_ name: String) -> Bool {
        !["/usr/bin", "/bin", "/usr/local/bin"].contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }

    static func run(_ arguments: [String]) async throws -> Result {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        process.standardInput = FileHandle.nullDevice
        let output = Mutex<[UInt8]>([])
        return try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Result, any Error>) in
            pipe.fileHandleForReading.readabilityHandler = { handle in
                let bytes = [UInt8](handle.availableData)
                guard bytes.isEmpty else { return output.withLock { $0 += bytes } }
                // The end of the output: the program is about to end as well.
                handle.readabilityHandler = nil
                process.waitUntilExit()
                continuation.resume(
                    returning: Result(status: process.terminationStatus, output: String(decoding: output.withLock { $0 }, as: UTF8.self)))
            }
            do { try process.run() } catch {
                pipe.fileHandleForReading.readabilityHandler = nil
                continuation.resume(throwing: error)
            }
        }
    }
}
