import Record
import ScenarioLanguage

/// The number of connections that the origin accepts (POOL-01, POOL-04).
struct ConnectionsCheck: Check {
    static let key = "connections"
    static let summary = "The number of connections that the origin accepts."
    static let shape = Shape.object(Bounds.shape("connections"))

    private let bounds: Bounds

    init(_ fields: Fields) throws(ScenarioError) { bounds = try Bounds(fields) }

    func judge(_ record: RecordView) -> [Mismatch] {
        let found = record.connections
        guard !bounds.contains(Int64(found.count)) else { return [] }
        return mismatch(
            expected: "\(bounds.description) connections", found: counted(found.count, "connection"),
            evidence: found.suffix(5).map(\.moment))
    }
}
