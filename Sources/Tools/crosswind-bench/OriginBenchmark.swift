import ScenarioLanguage
import Foundation
import InternetAddresses
import LabKernel
import NetworkMonitor

/// The throughput of the origin, next to nginx on the same machine with the same client: the origin must never be the
/// bottleneck of a condition.
enum OriginBenchmark {
    /// Paths that both servers have: a small response and a large one.
    private static let small = "/small"
    private static let large = "/large"
    private static let largeBytes: Int64 = 1 << 28

    static func measure(_ options: BenchOptions) throws -> [Measurement] {
        guard let client = InstalledProgram.path("h2load") else {
            throw Missing(program: "h2load", package: "nghttp2-client")
        }
        let origin = try ServedOrigin([
            (small, .text(String(repeating: "x", count: 100))), (large, .pattern(try ByteCount.required(largeBytes))),
        ])
        defer { origin.stop() }
        var servers: [(name: String, port: UInt16)] = [("origin", origin.port)]
        let nginx = try InstalledProgram.path("nginx").map {
            try ServedByNginx(program: $0, ["small": 100, "large": largeBytes])
        }
        defer { nginx?.stop() }
        if let nginx { servers.append(("nginx", nginx.port)) }

        var requests = [[Double]](repeating: [], count: servers.count)
        var downloads = requests
        var crowds = requests
        for _ in 0..<options.repetitions(5) {
            for (place, server) in servers.enumerated() {
                let url = "http://127.0.0.1:\(server.port)"
                let few = try Load(client, requests: options.isQuick ? 2_000 : 20_000, connections: 16, url + small)
                requests[place].append(few.requestsPerSecond / 1_000)
                let crowd = try Load(
                    client, requests: options.isQuick ? 2_000 : 20_000, connections: 1_000, url + small)
                crowds[place].append(crowd.requestsPerSecond / 1_000)
                let stream = try Load(client, requests: 4, connections: 1, url + large)
                downloads[place].append(Double(4 * largeBytes) * 8 / stream.seconds / 1e9)
            }
        }
        let before = ProcessMemory.mebibytes(.resident)
        _ = try Load(
            client, requests: options.isQuick ? 4 : 16, connections: 1, "http://127.0.0.1:\(origin.port)" + large)
        let grown = ProcessMemory.mebibytes(.resident) - before

        func measurements(_ what: String, _ unit: Measurement.Unit, _ samples: [[Double]], aim: Measurement.Target)
            -> [Measurement]
        {
            let peer = samples.count > 1 ? Measurement("nginx: \(what)", unit, samples[1]) : nil
            return [Measurement("origin: \(what)", unit, samples[0], target: aim, against: peer)]
                + (peer.map { [$0] } ?? [])
        }
        return measurements("small requests, 16 connections", .thousandRequests, requests, aim: .atLeast(5))
            + measurements("small requests, 1,000 connections", .thousandRequests, crowds, aim: .atLeast(5))
            // The fastest condition in the library has 1 Gbit/s.
            + measurements("one download", .gigabits, downloads, aim: .atLeast(2))
            + [
                Measurement(
                    "origin: memory added by \(options.isQuick ? 1 : 4) GiB more", .mebibytes, [grown],
                    target: .atMost(2))
            ]
    }

    struct Missing: Error, CustomStringConvertible {
        let program: String
        let package: String
        var description: String { "\(program) is not installed (package \(package))" }
    }

    /// One run of h2load over HTTP/1.1.
    private struct Load {
        let requestsPerSecond: Double
        let seconds: Double

        struct Failed: Error, CustomStringConvertible { let description: String }

        init(_ program: String, requests: Int, connections: Int, _ url: String) throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: program)
            process.arguments = ["--h1", "-t", "1", "-n", "\(requests)", "-c", "\(connections)", url]
            let pipe = Pipe()
            process.standardOutput = pipe
            process.standardError = FileHandle.nullDevice
            let begun = MonotonicClock.now()
            try process.run()
            let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            seconds = Double(MonotonicClock.now() - begun) / 1e9
            // "requests: 20 total, 20 started, 20 done, 20 succeeded, …" and "finished in 1.00s, 20.00 req/s, …".
            guard output.contains(" \(requests) succeeded") else {
                throw Failed(description: "h2load did not get every response from \(url): \(output.suffix(400))")
            }
            let rate = output.split(separator: "\n").first { $0.hasPrefix("finished in ") }?.split(separator: " ")
                .dropLast()
                .enumerated().first { $0.offset == 3 }?.element
            guard let found = rate.flatMap({ Double($0) }) else {
                throw Failed(description: "no rate from h2load: \(output.suffix(400))")
            }
            requestsPerSecond = found
        }
    }
}
