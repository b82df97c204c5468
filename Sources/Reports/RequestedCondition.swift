import ScenarioLanguage
import AdapterProtocol
package import LinkEmulator
package import Record

/// A condition requested for one direction of a link, with its measurements.
package struct RequestedCondition: Hashable, Sendable {
    package var interface: InterfaceKind
    package var direction: LinkDirectionName
    package var requested: String
    /// The measurements with the lab's probe packets and on the run's own packets; nil when not measured.
    package var probe: NetworkFact.Measurement?
    package var traffic: NetworkFact.Measurement?

    /// Returns every condition of a record in the order in which they were requested.
    package static func all(in record: [RecordEntry]) -> [RequestedCondition] {
        var all: [RequestedCondition] = []
        for entry in record {
            switch entry.fact {
            case .network(.conditionRequested(let interface, let direction, let requested)):
                all.append(RequestedCondition(interface: interface, direction: direction, requested: requested.text))
            case .network(.conditionMeasured(let interface, let direction, let measured)):
                guard let place = all.lastIndex(where: { $0.interface == interface && $0.direction == direction })
                else { continue }
                switch measured.means {
                case .probe: all[place].probe = measured
                case .traffic: all[place].traffic = measured
                }
            default: continue
            }
        }
        return all
    }

    package var place: String { "\(interface.rawValue) \(direction.rawValue)" }

    /// A summary: `asked 12Mbit/s, delay 35 ms; got by probes 35.10 ms, 0 of 6 lost; by traffic 35.20 ms, 11.9Mbit/s, 0
    /// of 812 lost`.
    package var text: String {
        let past = probe?.isPastFilters == true ? " past the packet filters" : ""
        let got = [
            probe.map { "by probes\(past) \(RequestedCondition.description($0))" },
            traffic.map { "by traffic \(RequestedCondition.description($0))" },
        ]
        .compactMap(\.self)
        return "asked \(requested); " + (got.isEmpty ? "not measured" : "got " + got.joined(separator: "; "))
    }

    private static func description(_ measured: NetworkFact.Measurement) -> String {
        var parts: [String] = []
        if let median = measured.delayMedian { parts.append(TimeFormat.milliseconds(median)) }
        if let rate = measured.bitsPerSecond.flatMap({ BitRate(bitsPerSecond: rounded($0)) }) {
            parts.append("\(rate)")
        }
        parts.append("\(measured.lost) of \(measured.packets) lost")
        if let lateness = measured.lateness { parts.append("late by \(TimeFormat.milliseconds(lateness)) (p99)") }
        return parts.joined(separator: ", ")
    }

    /// Three digits, which is as precise as a few packets can be.
    private static func rounded(_ rate: UInt64) -> UInt64 {
        var unit: UInt64 = 1
        while rate / unit >= 1000 { unit *= 10 }
        return (rate / unit + (rate % unit * 2 >= unit ? 1 : 0)) * unit
    }

    var json: OrderedJSON {
        .object([
            ("interface", .string(interface.rawValue)), ("direction", .string(direction.rawValue)),
            ("asked", .string(requested)),
            ("probe", probe.map(RequestedCondition.json) ?? .null),
            ("traffic", traffic.map(RequestedCondition.json) ?? .null),
        ])
    }

    private static func json(_ measured: NetworkFact.Measurement) -> OrderedJSON {
        func number(_ value: Int64?) -> OrderedJSON { value.map { .integer($0) } ?? .null }
        return .object([
            ("packets", .count(measured.packets)), ("lost", .count(measured.lost)),
            ("delayMinimum", number(measured.delayMinimum)), ("delayMedian", number(measured.delayMedian)),
            ("delayMaximum", number(measured.delayMaximum)),
            ("bitsPerSecond", number(measured.bitsPerSecond.map { Int64(clamping: $0) })),
            ("lateness", number(measured.lateness)),
        ])
    }
}
