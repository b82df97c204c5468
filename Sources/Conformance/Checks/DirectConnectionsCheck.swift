import Record
import ScenarioLanguage

/// The number of connections that reach the origin without a proxy (PRXY-01, PRXY-02).
struct DirectConnectionsCheck: Check {
    static let key = "directConnections"
    static let summary = "The number of connections that reach the origin without a proxy."
    static let shape = Shape.object(Bounds.shape("connections"))

    private let bounds: Bounds

    init(_ fields: Fields) throws(ScenarioError) { bounds = try Bounds(fields) }

    func judge(_ record: RecordView) -> [Mismatch] {
        let found = record.directConnections
        guard !bounds.contains(Int64(found.count)) else { return [] }
        return mismatch(
            expected: "\(bounds.description) direct connections to the origin", found: "\(found.count)",
            evidence: found.suffix(5).map(\.1))
    }

    func problem(in scenario: Scenario) -> String? {
        scenario.proxies.isEmpty ? "without `proxies` every connection is direct; write `connections`" : nil
    }
}
