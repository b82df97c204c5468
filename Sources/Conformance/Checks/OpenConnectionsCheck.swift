import Record
import ScenarioLanguage

/// The highest number of connections that are open at one time (POOL-01, POOL-03).
struct OpenConnectionsCheck: Check {
    static let key = "openConnections"
    static let summary = "The largest number of connections that are open at the same time."
    static let shape = Shape.object(
        [Field("host", .text, "Only connections whose first request names this host.")] + Bounds.shape("connections"))

    private let host: String?
    private let bounds: Bounds

    init(_ fields: Fields) throws(ScenarioError) {
        host = fields.text("host")?.lowercased()
        bounds = try Bounds(fields)
    }

    func judge(_ record: RecordView) -> [Mismatch] {
        var open = 0
        var most = (count: 0, moment: RecordView.Moment?.none)
        var steps: [(change: Int, moment: RecordView.Moment)] = []
        for connection in record.connections where host == nil || record.host(ofConnection: connection.number) == host {
            steps.append((1, connection.moment))
            if let closing = record.closings[connection.number] { steps.append((-1, closing.moment)) }
        }
        for step in steps.sorted(by: { $0.moment < $1.moment }) {
            open += step.change
            if open > most.count { most = (open, step.moment) }
        }
        guard !bounds.contains(Int64(most.count)) else { return [] }
        let place = host.map { " to \($0)" } ?? ""
        return mismatch(
            expected: "\(bounds.description("connection")) open at the same time\(place)", found: "\(most.count)",
            evidence: most.moment.map { [$0] } ?? [])
    }
}
