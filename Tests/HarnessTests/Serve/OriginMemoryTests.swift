import Foundation
import Testing

@testable import Harness

/// The origin's memory must not grow with the bytes that it sends, nor with the number of connections beyond the
/// buffers of each. Measured from outside on the built program, so that the clients' memory does not count.
@Suite(.serialized, .timeLimit(.minutes(2))) struct OriginMemoryTests {
    /// A debug build generates about 10 MiB of a body per second, so that 4 GiB, which an optimised build sends in
    /// seconds and the benchmark measures too, would take minutes. A few MiB also show if a body is kept, as long as
    /// the bound is far below its size.
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
        ["/usr/bin", "/bin", "/usr/local/bin"].contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
        }
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

    /// curl discards the body as it arrives.
    @Test(.enabled(if: has("curl"), "curl is not installed"))
    func `a long body does not use memory`() async throws {
        try await ServedProgram.serving(Self.file) { served in
            func fetch(_ path: String) async throws -> Int {
                let pipe = Pipe()
                let curl = try start(
                    [
                        "curl", "-q", "-s", "--noproxy", "*", "-o", "/dev/null", "-w", "%{size_download}",
                        served.origin + path,
                    ],
                    to: pipe.fileHandleForWriting)
                try await ServedProgram.wait(100, for: "curl") { !curl.isRunning }
                try pipe.fileHandleForWriting.close()
                #expect(curl.terminationStatus == 0)
                return Int(String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)) ?? 0
            }
            // The memory that the very first response allocates stays allocated.
            #expect(try await fetch("/short") == 4 << 20)
            let before = try served.memory().now
            #expect(try await fetch("/long") == Self.long.bytes)
            let grown = try served.memory().most - before
            #expect(grown < 4 * 1024, "\(grown) KiB more for \(Self.long.words)")
        }
    }

    /// Each connection has had one response and waits for its second, all at the same time. A connection may cost two
    /// buffers of a page or two and the state of both state machines; a buffer of 64 KiB each, as long as a read may
    /// be, would be twice the bound.
    @Test(.enabled(if: has("h2load"), "h2load (nghttp2-client) is not installed"))
    func `a thousand connections that are open at once cost some KiB each`() async throws {
        try await ServedProgram.serving(Self.file) { served in
            let before = try served.memory().now
            let load = try start(
                [
                    "h2load", "--h1", "-t", "1", "-n", "2000", "-c", "1000", served.origin + "/answered",
                    served.origin + "/silent",
                ])
            defer {
                // The threads of the pool block signals, and a process started on one inherits that, SIGTERM included.
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
