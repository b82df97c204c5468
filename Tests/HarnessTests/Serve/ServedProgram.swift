import Foundation
import Testing

@testable import Harness

/// A running `crosswind serve`, with the kernel's figures about its memory.
struct ServedProgram {
    struct Failed: Error, CustomStringConvertible { let description: String }

    let origin: String
    private let program: BuiltProgram
    private let process: Process

    /// Serves the scenario while `body` runs.
    static func serving(_ scenario: String, _ body: (ServedProgram) async throws -> Void) async throws {
        let program = try BuiltProgram()
        defer { program.remove() }
        let process = try program.start(["serve", try program.write("served.yaml", scenario)])
        defer {
            process.interrupt()
            process.waitUntilExit()
        }
        try await wait(20, for: "`crosswind serve` to serve") {
            try program.text("output").contains("Ctrl-C stops") || !process.isRunning
        }
        guard let line = try program.text("output").split(separator: "\n").first(where: { $0.hasPrefix("  origin ") })
        else {
            throw Failed(description: "no origin: \(try program.text("errors"))")
        }
        try await body(ServedProgram(origin: String(line.split(separator: " ")[1]), program: program, process: process))
    }

    /// Returns the number of printed lines that contain these words. Uses grep, because there are many thousands of
    /// lines and this is called often.
    func lines(with words: String) throws -> Int {
        let grep = Process()
        grep.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        grep.arguments = ["grep", "-c", "-F", words, program.folder + "/output"]
        let pipe = Pipe()
        grep.standardOutput = pipe
        try grep.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        grep.waitUntilExit()
        return Int(output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    }

    /// Returns its resident memory in KiB, now and at its peak.
    func memory() throws -> (now: Int, most: Int) {
        let text = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        func count(_ name: String) throws -> Int {
            let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(name) })
            return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) })
        }
        return (try count("VmRSS:"), try count("VmHWM:"))
    }

    func descriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.processIdentifier)/fd").count
    }

    /// Polls a condition, because the state of another program can only be observed from outside.
    static func wait(_ seconds: Double, for what: String, until isMet: () throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while try !isMet() {
            guard ContinuousClock.now < deadline else {
                throw Failed(description: "waited \(seconds) seconds for \(what)")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
