package import LinkEmulator
import ScenarioLanguage

/// A scenario with its link traces, made of captured traffic.
package struct CaptureScenario: Sendable {
    /// The name of the capture file, for the title.
    let source: String
    let exchanges: [CapturedExchange]
    let roundTrip: Int64?
    let downlink: CapturedRate
    let uplink: CapturedRate
    /// Comments about traffic that the scenario lacks.
    let omitted: [String]
    let secrets: Int
    private let duration: Int64

    /// Maximum number of requests in a file: a longer one is not a useful test.
    static let mostRequests = 200

    package init(_ traffic: CapturedTraffic, source: String) {
        self.source = source
        var removal = SecretRemoval()
        exchanges = traffic.exchanges.prefix(Self.mostRequests).map { exchange in
            var exchange = exchange
            exchange.url = removal.clean(exchange.url)
            exchange.redirect = exchange.redirect.map { removal.clean($0) }
            return exchange
        }
        secrets = removal.count
        let roundTrips = traffic.roundTrips.sorted()
        roundTrip = roundTrips.isEmpty ? nil : roundTrips[roundTrips.count / 2]
        downlink = .measure(traffic.transfers, of: .downlink, duration: traffic.duration)
        uplink = .measure(traffic.transfers, of: .uplink, duration: traffic.duration)
        duration = traffic.duration
        var omitted = traffic.omitted
        if traffic.exchanges.count > Self.mostRequests {
            omitted["without the requests after the first \(Self.mostRequests)"] =
                traffic.exchanges.count - Self.mostRequests
        }
        self.omitted = omitted.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
    }

    package var requestCount: Int { exchanges.count }
    package var routeCount: Int { routes.count }

    /// The files beside the scenario, by their names.
    package var traces: [(name: String, trace: RateTrace)] {
        [downlink, uplink].compactMap { if case .varying(let trace) = $0 { (trace.name, trace) } else { nil } }
    }

    /// The time of the capture and as much again for a slower client, within the limit of one hour.
    private var seconds: Int64 { min(3600, duration / 1_000_000_000 * 2 + 60) }

    /// Returns the scenario file; `schema` is the path of the JSON Schema for editors.
    package func text(schema: String) -> String {
        let lines =
            [ScenarioTemplate.modeline(schema: schema)] + head + networkLines + originLines + stepLines + checkLines
        let text = lines.joined(separator: "\n") + "\n"
        return (try? ScenarioFormatter.format(file: "capture", text: text)) ?? text
    }

    private var head: [String] {
        var lines = [YAMLText.comment("Made of the capture \(source)")]
        lines += omitted.map { YAMLText.comment("Unlike the capture: \($0)") }
        if secrets > 0 {
            lines.append(
                "# removed1, removed2 …: parts of URLs that may be secrets. Headers and cookies are not copied.")
        }
        lines += [
            "# Change the title to the expected behaviour in one sentence. crosswind explain FILE explains each key.",
            "scenario: \(YAMLText.quoted("The requests of \(printable(source)) succeed on the captured link"))",
            "timeout: \(seconds)s",
        ]
        // A client may repeat requests; the default limit is 50.
        if exchanges.count > 25 { lines.append("requestBudget: \(2 * exchanges.count)") }
        return lines
    }

    private func printable(_ name: String) -> String { String(name.filter { $0.isASCII && !$0.isNewline }) }

    // MARK: - Network

    private var networkLines: [String] {
        [
            roundTrip == nil
                ? "# The capture does not show a new connection, so the round trip is unknown."
                : "# The round trip is the median of the TCP handshakes.",
            "network:", "  wifi:", "    profile: perfect", "    downlink: \(direction(downlink))",
            "    uplink: \(direction(uplink))",
        ]
    }

    private func direction(_ rate: CapturedRate) -> String {
        // A one-way delay of half the round trip, in steps of 10 µs.
        let delay = Self.milliseconds((roundTrip ?? 0) / 2)
        switch rate {
        case .unknown: return "{ delay: \(delay) } # too few bytes, or too fast, to measure a rate"
        case .steady(let rate): return "{ delay: \(delay), rate: \(rate.bitsPerSecond)bit/s }"
        case .varying(let trace): return "{ delay: \(delay), rate: { trace: \(trace.name) } }"
        }
    }

    private static func milliseconds(_ nanoseconds: Int64) -> String {
        "\(Double(nanoseconds / 10_000) / 100)ms".replacing(".0ms", with: "ms")
    }

    // MARK: - Origin

    private var routes: [CapturedRoute] { CapturedRoute.all(in: exchanges) }

    private var originLines: [String] {
        var lines = ["# The responses of the capture: status, type, size and the server's own time.", "origin:"]
        let secure = exchanges.filter(\.url.isSecure)
        if !secure.isEmpty { lines.append("  tls: true") }
        if secure.contains(where: \.usesHTTP2) { lines.append("  protocols: [h2, http/1.1]") }
        return lines + routes.flatMap(\.lines) + faultLines
    }

    /// The responses that broke off in the capture do so again, at the same byte.
    private var faultLines: [String] {
        var requests: [String: Int] = [:]
        let faults = exchanges.compactMap { exchange -> String? in
            let path = exchange.url.path
            requests[path, default: 0] += 1
            guard exchange.announcedBytes != nil else { return nil }
            let scope = "{ path: \(YAMLText.quoted(path)), request: \(requests[path] ?? 1) }"
            return "    - { at: { responseBody: \(exchange.responseBytes) }, for: \(scope), do: reset }"
        }
        return faults.isEmpty ? [] : ["  # Responses that broke off in the capture.", "  faults:"] + faults
    }

    // MARK: - Steps

    /// The requests that a client makes by itself: those after a redirect are not steps.
    private var tasks: [CapturedTask] { CapturedTask.all(in: exchanges) }

    private var stepLines: [String] {
        let tasks = tasks
        return [
            "# The requests in their order; a step waits where the client waited for the response before.", "steps:",
        ]
            + tasks.enumerated().flatMap { index, task in
                let next = tasks.indices.contains(index + 1) ? tasks[index + 1].start : nil
                return task.lines(waits: next.map { $0 >= task.end } ?? false)
            }
    }

    private var checkLines: [String] {
        let tasks = tasks
        let lines = ["# The expected behaviour, not what was captured: add what else must hold.", "expect:"]
        let isPlain = tasks.allSatisfy { $0.status < 400 && !$0.breaksOff }
        guard !isPlain else { return lines + ["  - succeeds: all"] }
        return lines
            + tasks.enumerated().flatMap { index, task in
                ["  - completes: { task: task\(index + 1), error: \(task.error) }"]
                    + (task.status < 400 ? [] : ["  - response: { task: task\(index + 1), status: \(task.status) }"])
            }
    }
}

/// A step that makes a captured request.
private struct CapturedTask {
    let first: CapturedExchange
    /// The end and the status of the last response, after redirects.
    var end: Int64
    var status: Int
    var breaksOff: Bool
    var error: String { breaksOff ? "networkConnectionLost" : "none" }
    /// True if the capture lacks the request after a redirect.
    var refusesRedirect = false

    var start: Int64 { first.start }

    static func all(in exchanges: [CapturedExchange]) -> [CapturedTask] {
        var followed: Set<Int> = []
        var tasks: [CapturedTask] = []
        for (index, exchange) in exchanges.enumerated() where !followed.contains(index) {
            var task = CapturedTask(
                first: exchange, end: exchange.end, status: exchange.status,
                breaksOff: exchange.announcedBytes != nil)
            var last = index
            while let target = exchanges[last].redirect {
                let next = exchanges[(last + 1)...].firstIndex { $0.url == target && $0.start >= exchanges[last].start }
                guard let next, !followed.contains(next) else {
                    task.refusesRedirect = true
                    break
                }
                followed.insert(next)
                last = next
                (task.end, task.status) = (exchanges[next].end, exchanges[next].status)
                task.breaksOff = exchanges[next].announcedBytes != nil
            }
            tasks.append(task)
        }
        return tasks
    }

    func lines(waits: Bool) -> [String] {
        let hasBody = first.requestBytes > 0 && !["GET", "HEAD"].contains(first.method)
        let isLarge = ByteCount(first.requestBytes).map { $0 > BodyPlan.mostInMemory } ?? false
        var lines = ["  - \(hasBody && isLarge ? "upload" : "data"): \(YAMLText.scalar(first.url.text))"]
        if first.method != "GET" { lines.append("    method: \(YAMLText.scalar(first.method))") }
        if hasBody { lines.append("    body: { size: \(first.requestBytes)\(isLarge ? ", from: file" : "") }") }
        if refusesRedirect { lines.append("    redirect: refuse") }
        if waits { lines.append("    wait: true") }
        return lines
    }
}
