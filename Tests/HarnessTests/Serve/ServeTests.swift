import Foundation
import Testing

@testable import Harness

/// `crosswind serve` in typical use: the built program, curl, Ctrl-C. The test reads the ports from the lines that it
/// prints.
@Suite struct ServeTests {
    private static let file = """
        scenario: An origin with a fault, and a proxy
        proves: [DATA-01]
        origin:
          tls: true
          /a: { size: 1000 }
          faults: [{ at: { responseBody: 400 }, for: { request: 2 }, do: close }]
        proxies:
          front: { type: http }
        steps:
          - data: /a
            as: first
        expect:
          - completes: { task: first, error: any }
        """

    /// Runs the program until the lines are there, calls `body`, and interrupts the program.
    private func serving(
        _ text: String = file, _ arguments: [String] = [],
        _ body: (BuiltProgram, _ places: [String: String]) throws -> Void
    ) throws -> String {
        let program = try BuiltProgram()
        defer { program.remove() }
        let path = try program.write("served.yaml", text)
        let process = try program.start(["serve", path] + arguments)
        defer { if process.isRunning { process.terminate() } }
        let deadline = Date(timeIntervalSinceNow: 20)
        while try !program.text("output").contains("Ctrl-C stops"), process.isRunning, Date() < deadline {
            usleep(20_000)
        }
        var places: [String: String] = [:]
        for line in try program.text("output").split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count > 1 { places[String(words[0])] = String(words[1]) }
        }
        try body(program, places)
        process.interrupt()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return try program.text("output")
    }

    private func curl(_ program: BuiltProgram, _ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["-i", "curl", "-q", "-sS", "-m", "15", "-o", "/dev/null", "-w", "%{http_code} %{size_download}"]
            + arguments
        process.currentDirectoryURL = URL(fileURLWithPath: program.folder)
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    /// Finds a program of this name, as a shell would.
    private static func has(_ name: String) -> Bool {
        ["/usr/bin", "/bin", "/usr/local/bin"].contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
        }
    }

    @Test(.enabled(if: has("curl"), "curl is not installed"))
    func `curl reaches route, fault, TLS and proxy at the printed ports, and Ctrl-C ends with a summary`() throws {
        let output = try serving { program, places in
            let origin = try #require(places["origin"])
            let secure = try #require(places["TLS"])
            let trust = try #require(places["trust"])
            let proxy = try #require(places["proxy"])
            #expect(try curl(program, ["\(origin)/a"]) == (0, "200 1000"))
            // CURLE_PARTIAL_FILE: the fault of the file, at its byte.
            #expect(try curl(program, ["\(origin)/a"]) == (18, "200 400"))
            #expect(try curl(program, ["--cacert", trust, "\(secure)/a"]) == (0, "200 1000"))
            #expect(try curl(program, ["-x", proxy, "--cacert", trust, "https://api.test/a"]) == (0, "200 1000"))
        }
        #expect(output.contains("GET /a"))
        #expect(output.contains("proxy front, connection 1: request 1: api.test:443 (connect)"))
        #expect(output.hasSuffix("served 4 requests on 4 connections\n"))
    }

    /// The origin pauses at byte 400 until the proxy has its fault, so that the connection always ends at the fault's
    /// byte, and no proxy that changes late can pass all 100,000.
    private static let changing = """
        scenario: A proxy that changes while it is used
        proves: [DATA-01]
        network: { wifi: good-wifi }
        origin:
          /a: { size: 100000 }
        proxies:
          front: { type: http }
        timeline:
          - when: { responseSent: 400 }
            set: { proxies: { front: { faults: [{ at: { downlink: 50000 }, do: close }] } }, wifi: down }
          - when: { request: 2 }
            set:
              proxies: { front: { faults: [{ at: request, do: { refuse: 503 } }] } }
              origin: { faults: [{ at: requestHead, do: { status: 418 } }] }
          - when: { query: api.test }
            set: { proxies: { front: { faults: none } } }
          - when: { request: 9 }
            set: { proxies: { front: { faults: none } } }
        steps:
          - data: /a
            as: first
        expect:
          - completes: { task: first, error: any }
        """

    @Test(.enabled(if: has("curl"), "curl is not installed"))
    func `the timeline changes the servers at a response byte and after a request, and other changes are named`() throws
    {
        let output = try serving(Self.changing) { program, places in
            let origin = try #require(places["origin"])
            let proxy = try #require(places["proxy"])
            let first = try curl(program, ["-x", proxy, "http://api.test/a"])
            let bytes = try #require(first.output.split(separator: " ").last.flatMap { Int($0) })
            #expect(first.status == 18 && (49_000..<50_000).contains(bytes), "\(first)")
            #expect(try curl(program, ["\(origin)/a"]) == (0, "200 100000"))
            let deadline = Date(timeIntervalSinceNow: 20)
            while try !program.text("output").contains("timeline: request 2"), Date() < deadline { usleep(20_000) }
            #expect(try curl(program, ["-x", proxy, "http://api.test/a"]).output.hasPrefix("503 "))
            #expect(try curl(program, ["\(origin)/a"]).output.hasPrefix("418 "))
        }
        for line in [
            "  not played by serve: wifi down, at byte 400 of response 1: there are links only in a lab\n",
            "  not played by serve: proxy front: no faults, at query 1 for api.test: there is a DNS server only in a lab\n",
            "timeline: byte 400 of response 1: proxy front: 1 fault\n", "note: never reached: request 9\n",
        ] { #expect(output.contains(line), "\(line)") }
    }

    @Test func `a port in use and an invalid file give one sentence and a status`() throws {
        let program = try BuiltProgram()
        defer { program.remove() }
        #expect(try program.run(["serve", "nosuch.yaml"]).status == 2)
        let same = try program.run(["serve", "x.yaml", "--port", "5", "--tls-port", "5"])
        #expect(same.status == 2 && same.errors.contains("must be different"))
        _ = try serving { _, places in
            let port = try #require(places["origin"]?.split(separator: ":").last)
            let path = try program.write("served.yaml", Self.file)
            let ended = try program.run(["serve", path, "--port", String(port)])
            #expect(ended.status == 3 && ended.errors.contains("port \(port)"), "\(ended.errors)")
        }
    }
}
