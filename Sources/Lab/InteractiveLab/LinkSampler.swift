import LinkEmulator
import LinkEngines
import Record
import ScenarioLanguage

/// Calculates the traffic of links in the last window from their totals.
struct LinkSampler {
    private struct Place: Hashable {
        var interface: InterfaceKind
        var direction: LinkDirectionName
    }
    private struct Seen {
        var time: Int64
        var traffic: [Place: LinkTraffic]
    }

    private var last: Seen?

    /// Ends the window and starts the next one. Returns nil for the first call, which only starts one.
    mutating func sample(_ traffic: [LinkTraffic], at now: Int64, of plan: NetworkPlan) -> (
        window: Int64, links: [LabView.Link]
    )? {
        let seen = Seen(
            time: now,
            traffic: Dictionary(
                traffic.map { (Place(interface: $0.interface, direction: $0.direction), $0) }, uniquingKeysWith: { $1 })
        )
        defer { last = seen }
        guard let last, now > last.time else { return nil }
        let window = now - last.time
        let links = plan.interfaces.map { interface in
            func direction(_ name: LinkDirectionName, _ condition: Condition) -> LabView.Direction {
                let place = Place(interface: interface.kind, direction: name)
                return Self.direction(
                    requested: condition.summary, seen.traffic[place], since: last.traffic[place], window: window)
            }
            return LabView.Link(
                interface: interface.kind, state: interface.state, condition: interface.link.name,
                downlink: direction(.downlink, interface.link.downlink),
                uplink: direction(.uplink, interface.link.uplink))
        }
        return (window, links)
    }

    /// Discards the current window after the last watcher has left; the next call starts a new one.
    mutating func forget() { last = nil }

    private static func direction(
        requested: String, _ now: LinkTraffic?, since before: LinkTraffic?, window: Int64
    ) -> LabView.Direction {
        guard let now else {
            return LabView.Direction(requested: requested, packets: 0, bytes: 0, bitsPerSecond: 0)
        }
        let packets = now.packets &- (before?.packets ?? 0)
        let bytes = now.bytes &- (before?.bytes ?? 0)
        let lost = now.lost.map { $0 >= (before?.lost ?? 0) ? $0 - (before?.lost ?? 0) : $0 }
        let decided = Double(packets) + Double(lost ?? 0)
        let delays = now.delays.map { delays in before?.delays.map(delays.since) ?? delays }
        return LabView.Direction(
            requested: requested, packets: now.packets, bytes: now.bytes, lost: now.lost,
            bitsPerSecond: UInt64(Double(bytes) * 8e9 / Double(window)),
            lossShare: lost.flatMap { decided > 0 ? Double($0) / decided : nil }, delay: delays?.percentile(0.5),
            queuedPackets: now.queuedPackets, queuedBytes: now.queuedBytes)
    }
}
