import ScenarioLanguage
import Foundation

/// AdaptableSession next to curl and stock URLSession, alternating, against the same server: on loopback, and through a
/// lab. On loopback the server is nginx where it is installed, because it needs a fraction of the processor time of the
/// client; the origin needs as much as the client.
enum SessionBenchmark {
    private static let small = "/small"
    private static let medium = "/medium"
    private static let large = "/large"
    private static let huge = "/huge"
    private static let largeBytes: Int64 = 1 << 28
    private static let smallBody = (path: small, body: Resource.Body.text(String(repeating: "x", count: 100)))

    static func measure(_ options: BenchOptions) throws -> [Measurement] {
        let programs = try SessionPrograms()
        return try clean(options, programs) + lab("lte", options, programs) + lab("flaky-wifi", options, programs)
            + tasks(options, programs) + size(options, programs)
    }

    // MARK: Speed

    /// On loopback, where only the client counts.
    private static func clean(_ options: BenchOptions, _ programs: SessionPrograms) throws -> [Measurement] {
        guard let nginx = InstalledProgram.path("nginx") else {
            let origin = try ServedOrigin([smallBody, (large, .pattern(try ByteCount.required(largeBytes)))])
            defer { origin.stop() }
            return try speed("", "http://127.0.0.1:\(origin.port)", SessionPrograms.Client.allCases, options, programs)
        }
        let server = try ServedByNginx(program: nginx, ["small": 100, "large": largeBytes], isSecure: true)
        defer { server.stop() }
        var measurements = try speed(
            "nginx: ", "http://127.0.0.1:\(server.port)", SessionPrograms.Client.allCases, options, programs,
            sink: "/sink")
        if let secure = server.secure {
            var programs = programs
            programs.trusted = secure.certificate
            measurements += try speed(
                "nginx, HTTP/2: ", "https://127.0.0.1:\(secure.port)", [.adaptable, .curl], options, programs,
                sink: "/sink")
        }
        return measurements
    }

    private static func speed(
        _ prefix: String, _ url: String, _ clients: [SessionPrograms.Client], _ options: BenchOptions,
        _ programs: SessionPrograms, sink: String? = nil
    ) throws -> [Measurement] {
        let requests = options.isQuick ? 2_000 : 16_000
        let downloads = options.isQuick ? 1 : 4
        let widths = [1, 8, 64]
        var small = [Samples](repeating: Samples(), count: widths.count)
        var (download, upload) = (Samples(), Samples())
        let gigabits = Double(Int64(downloads) * largeBytes) * 8 / 1e9
        for _ in 0..<options.repetitions(5) {
            for (place, width) in widths.enumerated() {
                // Stock URLSession takes five times as long, which its rate does not show more accurately.
                for client in clients {
                    let count = client == .stock ? requests / 4 : requests
                    let seconds = try programs.requests(client, url + Self.small, count, atATime: width)
                    small[place].add(client, Double(count) / 1_000 / seconds)
                }
            }
            for client in clients {
                download.add(client, gigabits / (try programs.downloads(client, url + large, downloads)))
                guard let sink else { continue }
                upload.add(
                    client, gigabits / (try programs.uploads(client, url + sink, downloads, bytes: largeBytes)))
            }
        }
        let names = ["one at a time", "8 at a time", "64 at a time"]
        return zip(names, small).flatMap {
            $1.measurements("\(prefix)small requests, \($0)", .thousandRequests, overCurl: 1, overStock: 1)
        }
            + download.measurements("\(prefix)large download", .gigabits, overCurl: 1, overStock: 1)
            + upload.measurements("\(prefix)large upload", .gigabits, overCurl: 1, overStock: 1)
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

    /// Many tasks on one session, which allows six connections.
    private static func tasks(_ options: BenchOptions, _ programs: SessionPrograms) throws -> [Measurement] {
        let nginx = try InstalledProgram.path("nginx").map { try ServedByNginx(program: $0, ["small": 100]) }
        defer { nginx?.stop() }
        let origin = try nginx == nil ? ServedOrigin([smallBody]) : nil
        defer { origin?.stop() }
        let url = "http://127.0.0.1:\(nginx?.port ?? origin?.port ?? 0)" + small
        var loads: [SessionPrograms.Client: [SessionPrograms.Load]] = [:]
        for _ in 0..<options.repetitions(5) {
            for client in [SessionPrograms.Client.adaptable, .stock] {
                loads[client, default: []].append(try programs.load(client, ["tasks", url, "10000"]))
            }
        }
        func measurement(
            _ client: SessionPrograms.Client, _ what: String, _ unit: Measurement.Unit,
            _ value: (SessionPrograms.Load) -> Double, target: Measurement.Target? = nil, against: Measurement? = nil
        ) -> Measurement {
            Measurement(
                "\(client.rawValue): 10,000 tasks on one session\(what)", unit, (loads[client] ?? []).map(value),
                target: target, against: against)
        }
        let time = measurement(.stock, "", .seconds, \.seconds)
        let memory = measurement(.stock, ", peak memory", .mebibytes, \.peakMiB)
        return [
            measurement(.adaptable, "", .seconds, \.seconds, target: .atMost(1.5), against: time), time,
            measurement(.adaptable, ", peak memory", .mebibytes, \.peakMiB, target: .atMost(60), against: memory),
            memory,
        ]
    }

    private static func size(_ options: BenchOptions, _ programs: SessionPrograms) throws -> [Measurement] {
        let gibibytes: Int64 = options.isQuick ? 1 : 4
        let origin = try ServedOrigin([
            smallBody, (medium, .pattern(try ByteCount.required(1 << 18))),
            (large, .pattern(try ByteCount.required(1 << 26))),
            (huge, .pattern(try ByteCount.required(gibibytes << 30))),
        ])
        defer { origin.stop() }
        let url = "http://127.0.0.1:\(origin.port)"
        let little = try programs.load(.adaptable, ["downloads", url + large, "1"])
        let much = try programs.load(.adaptable, ["downloads", url + huge, "1"])
        let stresses = options.isQuick ? 5_000 : 100_000
        let stress = try programs.stress(url + small, url + medium, stresses)
        return [
            Measurement(
                "AdaptableSession: memory added by a download of \(gibibytes) GiB over one of 64 MiB", .mebibytes,
                [much.peakMiB - little.peakMiB], target: .atMost(8)),
            Measurement(
                "AdaptableSession: \(stresses) cancellations, violations", .count, [Double(stress.wrong)],
                target: .atMost(0)),
            Measurement(
                "AdaptableSession: memory added by the last nine tenths of them", .mebibytes, [stress.grownMiB],
                target: .atMost(16)),
        ]
    }

    /// The same quantity for each client.
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
