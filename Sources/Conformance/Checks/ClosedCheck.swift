import Record
import ScenarioLanguage
import AdapterProtocol

/// The side that closed a connection before the end of the run (TIME-06).
struct ClosedCheck: Check {
    static let key = "closed"
    static let summary = "This side closes the connection before the run ends."
    static let shape = Shape.object([
        Field("connection", .integer(1...1_000_000), required: true, "The number of the connection, counted from 1."),
        Field(
            "by", .word(ServerFact.Side.allCases.map(\.rawValue)), required: true,
            "`client`: the implementation closed or reset it; `server`: the origin did."),
    ])

    private let connection: Int
    private let side: ServerFact.Side

    init(_ fields: Fields) throws(ScenarioError) {
        connection = Int(clamping: fields.integer("connection") ?? 1)
        guard let side = ServerFact.Side(rawValue: try fields.need("by")) else {
            throw fields.error("by", "`by` must be client or server")
        }
        self.side = side
    }

    /// A program ends before the run does, and its exit closes every connection.
    var neededEvents: Set<String> { Self.eventsOfEveryAdapter }

    func judge(_ record: RecordView) -> [Mismatch] {
        let expected = "connection \(connection) closed by the \(side.rawValue) before the run ends"
        guard let opened = record.connections.first(where: { $0.number == connection }) else {
            return mismatch(expected: expected, found: "the connection does not exist")
        }
        // At the end of the run the adapter exits and the kernel closes its connections; those closes do not count.
        let end = record.moments(of: .end).first
        guard let closing = record.closings[connection], end.map({ closing.moment < $0 }) ?? true else {
            return mismatch(
                expected: expected, found: "it was still open", evidence: [opened.moment], dependsOnTime: true)
        }
        let found = closing.by.side
        guard found != side else { return [] }
        return mismatch(expected: expected, found: "it was closed by the \(found.rawValue)", evidence: [closing.moment])
    }
}
