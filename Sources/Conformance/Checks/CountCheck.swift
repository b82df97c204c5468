import Record
import ScenarioLanguage
import AdapterProtocol

/// The number of times an event happens.
struct CountCheck: Check {
    static let key = "count"
    static let summary = "The number of times that this event happens."
    static let shape = Shape.object(
        [Field("event", .text, required: true, "TASK.EVENT, such as first.didComplete.")]
            + Bounds.shape("times", exactly: "equals")
    )

    private let event: EventReference
    private let bounds: Bounds

    init(_ fields: Fields) throws(ScenarioError) {
        event = try fields.event("event")
        bounds = try Bounds(fields, exactly: "equals")
    }

    var neededEvents: Set<String> { [event.name] }
    /// If zero occurrences satisfy the check, the event's capability is not required; otherwise it is.
    var needs: Set<Capability> {
        if bounds.contains(0) { return [] }
        // The number of pieces says something only about a client that passes them on as they arrive.
        if case .task(_, .didReceiveData) = event { return event.needs.union([.incrementalData]) }
        return event.needs
    }

    func judge(_ record: RecordView) -> [Mismatch] {
        mismatch(record.moments(of: event), outside: bounds, expected: "\(event) \(bounds.description("time"))")
    }
}
