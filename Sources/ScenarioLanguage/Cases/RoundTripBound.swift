import AdapterProtocol
import LinkEmulator

/// A time in units of the link: round trips, the transmission of bytes, and a constant part.
package struct RoundTripBound: Hashable, Sendable {
    package var roundTrips: Int
    package var bytes: ByteCount
    package var plus: Duration

    package static let shape = Shape.object([
        Field("roundTrips", .integer(0...10_000), required: true, "Round trips of the scenario's slowest link."),
        Field("bytes", .byteCount, "And the time in which it transmits so many bytes in one direction."),
        Field("plus", .duration, "And this time, which does not depend on the link."),
    ])

    package init(roundTrips: Int, bytes: ByteCount = .zero, plus: Duration = .zero) {
        self.roundTrips = roundTrips
        self.bytes = bytes
        self.plus = plus
    }

    /// Reads a value of `shape`.
    package init(_ fields: Fields) {
        self.init(
            roundTrips: fields.int("roundTrips") ?? 0, bytes: fields.byteCount("bytes") ?? .zero,
            plus: fields.duration("plus") ?? .zero)
    }

    /// Returns the time on the slowest link that the scenario has at any moment.
    package func duration(in scenario: Scenario) -> Duration {
        let links = scenario.links
        let roundTrip = links.map(\.roundTrip).max() ?? .zero
        let rate = links.compactMap(\.lowestRate).min()
        let transmission = rate.map { Duration.seconds(Double(bytes.bytes) * 8 / Double($0.bitsPerSecond)) } ?? .zero
        return roundTrip * roundTrips + transmission + plus
    }

    /// Returns the time by which a scenario's timeout grows on a named network: for each request of a task six round trips
    /// (name, connection, TLS, request and a reserve), and twice the time that the slowest link needs for the task's bodies.
    /// A link that loses packets adds 60 s: a burst that is counted in packets can meet retransmissions only, whose intervals
    /// double from 200 ms, and lasts through eight of them for 51 s. A fade is shorter, but a drop-out may follow it.
    static func allowance(for scenario: Scenario) -> Duration {
        var requests = 0
        var bytes: Int64 = 0
        for case .task(let task, let body, starts: _) in scenario.script {
            requests += 1 + scenario.origin.redirects(for: task.url)
            let largest = scenario.origin.largestBody(for: task.url) + (body?.length ?? 0)
            bytes = min(bytes + 2 * largest, UnitParser.largest)
        }
        let reserve: Duration = scenario.links.contains(where: \.losesPackets) ? .seconds(60) : .zero
        return RoundTripBound(roundTrips: 6 * requests, bytes: ByteCount(bytes) ?? .zero, plus: reserve)
            .duration(in: scenario)
    }
}

extension Scenario {
    /// The links at the start and those of later changes.
    fileprivate var links: [LinkPlan] {
        var changes = timeline.flatMap(\.changes)
        for step in script { if case .change(let more) = step { changes += more } }
        return network.interfaces.map(\.link)
            + changes.compactMap { if case .link(_, let link) = $0 { link } else { nil } }
    }
}

extension LinkPlan {
    fileprivate var roundTrip: Duration {
        (downlink.effects + uplink.effects).reduce(.zero) { $0 + $1.longestDelay }
    }

    fileprivate var losesPackets: Bool {
        (downlink.effects + uplink.effects).contains { if case .loss = $0 { true } else { false } }
    }

    /// The rate of the slower direction; nil for a link without a constant rate.
    fileprivate var lowestRate: BitRate? {
        (downlink.effects + uplink.effects).compactMap(\.constantRate).min()
    }
}

extension BodyPlan {
    fileprivate var length: Int64 {
        switch content {
        case .pattern(let count): count.bytes
        case .text(let text): Int64(text.utf8.count)
        }
    }
}

extension OriginPlan {
    /// Returns the largest number of redirects that a task for the URL can follow: those of the whole origin, at most 20, if
    /// its path redirects.
    fileprivate func redirects(for url: String) -> Int {
        func count(_ routes: [Route]) -> Int {
            routes.flatMap(\.contents).reduce(0) { sum, content in
                if case .redirect(let redirect) = content { min(sum + 1 + redirect.hops, 20) } else { sum }
            }
        }
        return count(routes(for: url)) == 0 ? 0 : count(routes)
    }

    /// Returns the length of the largest body that a task for the URL can get: its path's, or that of any path if it
    /// redirects.
    fileprivate func largestBody(for url: String) -> Int64 {
        func largest(_ routes: [Route]) -> Int64? {
            routes.flatMap(\.contents).compactMap { content in
                guard case .resource(let resource) = content else { return nil }
                return [resource.body, resource.replacedAt?.body].compactMap(\.?.length).max()
            }.max()
        }
        let own = redirects(for: url) == 0 ? largest(routes(for: url)) : nil
        return own ?? largest(routes) ?? 0
    }

    /// Returns the routes with the path of a URL, or all if none has it.
    private func routes(for url: String) -> [Route] {
        let own = routes.filter { url.hasSuffix($0.path) }
        return own.isEmpty ? routes : own
    }
}
