import Foundation
import Testing

@testable import Harness

/// What the origin holds in memory grows neither with what it sends nor, beyond the buffers of each, with its connections. Measured from outside, on the
/// program that people run, because its clients' memory is none of its own.
@Suite(.serialized, .timeLimit(.minutes(2))) struct OriginMemoryTests {
    /// A debug build makes some 10 MiB of a body each second, so that 4 GiB, which an optimised one sends in seconds and the benchmark measures too, would take
    /// minutes. Whether a body is kept shows at a few MiB as well, as long as the bound is far below its size.
    #if DEBUG
        private static let long = (words: "32MiB", bytes: 32 << 20)
    #else
        private static let long = (words: "4GiB", bytes: 4 << 30)
    #endif

    private static let file = """
        scenario: A long body, and answers that never come
        proves: [DATA-01]
        origin:
          /long: { size: \(long.words) }
          /short: { size: 4MiB }
          /answered: { text: "answered" }
          /silent: { text: "silent" }
          faults: [{ at: requestHead, for: { path: /silent }, do: stall }]
        steps:
          - data: /short
            as: first
        expect:
          - completes: { task: first, error: any }
        """

    private static func has(_ name: String) -> Bool {
        ["/usr/bin", "/bin", "/usr/local/bin"].contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }

    private func start(_ arguments: [String], to output: FileHandle = .nullDevice) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// curl throws everything away as it comes.
    @Test(.enabled(if: has("curl"), "curl is not installed"))
    func `a long body takes no memory`() async throws {
        try await ServedProgram.serving(Self.file) { served in
            func fetch(_ path: String) async throws -> Int {
                let pipe = Pipe()
                let curl = try start(
                    ["curl", "-q", "-s", "--noproxy", "*", "-o", "/dev/null", "-w", "%{size_download}", served.origin + path],
                    to: pipe.fileHandleForWriting)
                try await ServedProgram.wait(100, for: "curl") { !curl.isRunning }
                try pipe.fileHandleForWriting.close()
                #expect(curl.terminationStatus == 0)
                return Int(String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)) ?? 0
            }
            // What the first answer of all brings into memory is there afterwards.
            #expect(try await fetch("/short") == 4 << 20)
            let before = try served.memory().now
            #expect(try await fetch("/long") == Self.long.bytes)
            let grown = try served.memory().most - before
            #expect(grown < 4 * 1024, "\(grown) KiB more for \(Self.long.words)")
        }
    }

    /// Each has had an answer and waits for its second, all at the same time. Two buffers of a page or two and the state of both machines are what a connection
    /// may cost; a buffer of 64 KiB each, as long as a read may be, would be twice the bound.
    @Test(.enabled(if: has("h2load"), "h2load (nghttp2-client) is not installed"))
    func `a thousand connections that are open at once cost some KiB each`() async throws {
        try await ServedProgram.serving(Self.file) { served in
            let before = try served.memory().now
            let load = try start(
                ["h2load", "--h1", "-t", "1", "-n", "2000", "-c", "1000", served.origin + "/answered", served.origin + "/silent"])
            defer {
                // What a thread of the pool starts has its signals blocked, and a SIGTERM among them.
                kill(load.processIdentifier, SIGKILL)
                load.waitUntilExit()
            }
            try await ServedProgram.wait(60, for: "a thousand answers and a thousand silences") {
                try served.lines(with: "stall at requestHead") >= 1_000 || !load.isRunning
            }
            #expect(try served.lines(with: " complete, 8 body bytes sent") == 1_000)
            #expect(try served.descriptors() > 1_000)
            #expect(load.isRunning)
            let grown = try served.memory().most - before
            #expect(grown < 1_000 * 32, "\(grown) KiB more for a thousand connections")
        }
    }
}
