import ScenarioLanguage
import Foundation

/// AdaptableSession next to curl and stock URLSession, alternating, against the same origin: on loopback, and through a
/// lab.
enum SessionBenchmark {
    private static let small = "/small"
    private static let medium = "/medium"
    private static let large = "/large"
    private static let huge = "/huge"
    private static let largeBytes: Int64 = 1 << 28

    static func measure(_ options: BenchOptions) throws -> [Measurement] {
        let programs = try SessionPrograms()
        return try clean(options, programs) + lab("lte", options, programs) + lab("flaky-wifi", options, programs)
            + size(options, programs)
    }

    // MARK: Speed

    /// On loopback, where only the client counts.
    private static func clean(_ options: BenchOptions, _ programs: SessionPrograms) throws -> [Measurement] {
        let origin = try ServedOrigin([
            (small, .text(String(repeating: "x", count: 100))), (large, .pattern(try ByteCount.required(largeBytes))),
        ])
        defer { origin.stop() }
        let url = "http://127.0.0.1:\(origin.port)"
        let requests = options.isQuick ? 2_000 : 8_000
        let downloads = options.isQuick ? 1 : 2
        var (one, many, stream) = (Samples(), Samples(), Samples())
        for _ in 0..<options.repetitions(5) {
            for client in SessionPrograms.Client.allCases {
                one.add(
                    client,
                    Double(requests / 4) / 1_000
                        / (try programs.requests(client, url + small, requests / 4, atATime: 1)))
                many.add(
                    client,
                    Double(requests) / 1_000 / (try programs.requests(client, url + small, requests, atATime: 8)))
                let seconds = try programs.downloads(client, url + large, downloads)
                stream.add(client, Double(Int64(downloads) * largeBytes) * 8 / seconds / 1e9)
            }
        }
        return one.measurements("small requests, one at a time", .thousandRequests, overCurl: 0.5, overStock: 1)
            + many.measurements("small requests, 8 at a time", .thousandRequests, overCurl: 0.5, overStock: 1)
            + stream.measurements("large download", .gigabits, overCurl: 0.7, overStock: 0.7)
    }

    /// In a lab the link sets the pace, so no client should be slower than curl by more than the link's own variation.
    private static func lab(_ profile: String, _ options: BenchOptions, _ programs: SessionPrograms) throws
        -> [Measurement]
    {
        let (requests, downloads) = options.isQuick ? (24, 1) : (200, 4)
        var (many, stream) = (Samples(), Samples())
        for _ in 0..<options.repetitions(3) {
            for client in SessionPrograms.Client.allCases {
                let taken = try programs.requests(client, "http://api.test/hello", requests, atATime: 8, under: profile)
                many.add(client, Double(requests) / taken)
                let seconds = try programs.downloads(client, "http://api.test/big", downloads, under: profile)
                stream.add(client, Double(downloads) * 1_048_576 * 8 / seconds / 1e6)
            }
        }
        return many.measurements("\(profile): small requests, 8 at a time", .requests, overCurl: 0.7, overStock: 0.8)
            + stream.measurements("\(profile): downloads of 1 MiB", .megabits, overCurl: 0.7, overStock: 0.8)
    }

    // MARK: Size

    private static func size(_ options: BenchOptions, _ programs: SessionPrograms) throws -> [Measurement] {
        let gibibytes: Int64 = options.isQuick ? 1 : 4
        let origin = try ServedOrigin([
            (small, .text(String(repeating: "x", count: 100))), (medium, .pattern(try ByteCount.required(1 << 18))),
            (large, .pattern(try ByteCount.required(1 << 26))),
            (huge, .pattern(try ByteCount.required(gibibytes << 30))),
        ])
        defer { origin.stop() }
        let url = "http://127.0.0.1:\(origin.port)"
        let little = try programs.load(.adaptable, ["downloads", url + large, "1"])
        let much = try programs.load(.adaptable, ["downloads", url + huge, "1"])
        let tasks = 10_000
        let ours = try programs.load(.adaptable, ["tasks", url + small, "\(tasks)"])
        let stock = try? programs.load(.stock, ["tasks", url + small, "\(tasks)"])
        let name = "10,000 tasks on one session"
        let stresses = options.isQuick ? 5_000 : 100_000
        let stress = try programs.stress(url + small, url + medium, stresses)
        var measurements = [
            Measurement(
                "AdaptableSession: memory added by a download of \(gibibytes) GiB over one of 64 MiB", .mebibytes,
                [much.peakMiB - little.peakMiB], target: .atMost(8))
        ]
        let (time, memory) = (
            stock.map { Measurement("stock URLSession: \(name)", .seconds, [$0.seconds]) },
            stock.map { Measurement("stock URLSession: \(name), peak memory", .mebibytes, [$0.peakMiB]) }
        )
        measurements.append(
            Measurement("AdaptableSession: \(name)", .seconds, [ours.seconds], target: .atMost(10), against: time))
        if let time { measurements.append(time) }
        measurements.append(
            Measurement(
                "AdaptableSession: \(name), peak memory", .mebibytes, [ours.peakMiB], target: .atMost(256),
                against: memory))
        if let memory { measurements.append(memory) }
        measurements.append(
            Measurement(
                "AdaptableSession: \(stresses) cancellations, violations", .count, [Double(stress.wrong)],
                target: .atMost(0)))
        measurements.append(
            Measurement(
                "AdaptableSession: memory added by the last nine tenths of them", .mebibytes, [stress.grownMiB],
                target: .atMost(16)))
        return measurements
    }

    /// The same quantity for the three clients.
    private struct Samples {
        private var values: [SessionPrograms.Client: [Double]] = [:]

        mutating func add(_ client: SessionPrograms.Client, _ value: Double) {
            values[client, default: []].append(value)
        }

        func measurements(_ what: String, _ unit: Measurement.Unit, overCurl: Double, overStock: Double)
            -> [Measurement]
        {
            let all = SessionPrograms.Client.allCases.map {
                Measurement("\($0.rawValue): \(what)", unit, values[$0] ?? [])
            }
            let pairs = [(SessionPrograms.Client.curl, overCurl), (.stock, overStock)]
            // Each sample is divided by that of its own turn, so that both ran under the same load.
            return all
                + pairs.map { peer, least in
                    let quotients = zip(values[.adaptable] ?? [], values[peer] ?? []).map { $0 / $1 }
                    return Measurement(
                        "AdaptableSession over \(peer.rawValue): \(what)", .ratio, quotients, target: .atLeast(least))
                }
        }
    }
}
