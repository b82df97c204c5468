import Record
import ScenarioLanguage
import AdapterProtocol

/// Each event happens after the one before it in the list (DLGT-02, DLGT-09). The k-th mention of an event is its k-th
/// occurrence.
struct OrderCheck: Check {
    static let key = "order"
    static let summary =
        "These events happen in this order; an event that is named again means its next occurrence."
    static let shape = Shape.list(.text)

    private let events: [EventReference]

    init(_ fields: Fields) throws(ScenarioError) {
        events = try fields.events("value")
        guard events.count >= 2 else { throw fields.error("value", "an order needs at least two events") }
    }

    var neededEvents: Set<String> { Set(events.map(\.name)) }
    var needs: Set<Capability> { events.reduce(into: []) { $0.formUnion($1.needs) } }

    func judge(_ record: RecordView) -> [Mismatch] {
        let expected = events.map(\.description).joined(separator: ", then ")
        var mentioned: [EventReference: Int] = [:]
        var previous: (event: EventReference, moment: RecordView.Moment)?
        for event in events {
            let index = mentioned[event, default: 0]
            mentioned[event] = index + 1
            let moments = record.moments(of: event)
            guard index < moments.count else {
                return mismatch(
                    expected: expected,
                    found: index == 0 ? "no \(event)" : "\(event) only \(counted(moments.count, "time"))",
                    evidence: (previous.map { [$0.moment] } ?? []) + moments)
            }
            let moment = moments[index]
            if let previous, moment < previous.moment {
                return mismatch(
                    expected: expected,
                    found: "\(event) \(durationText(previous.moment.time.minus(moment.time))) before \(previous.event)",
                    evidence: [moment, previous.moment])
            }
            previous = (event, moment)
        }
        return []
    }
}
