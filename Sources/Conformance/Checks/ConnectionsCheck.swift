import AdapterProtocol
import Record
import ScenarioLanguage

/// The number of connections that the origin accepts (POOL-01, POOL-04).
struct ConnectionsCheck: Check {
    static let key = "connections"
    static let summary = "The number of connections that the origin accepts."
    static let shape = Shape.object(Bounds.shape("connections"))

    private let bounds: Bounds

    init(_ fields: Fields) throws(ScenarioError) { bounds = try Bounds(fields) }

    /// Fewer connections than tasks are possible only if tasks share them.
    func needs(in scenario: Scenario) -> Set<Capability> {
        guard let most = bounds.exactly ?? bounds.atMost, most > 0 else { return [] }
        let tasks = scenario.script.count { if case .task = $0 { true } else { false } }
        return most < tasks ? [.connectionReuse] : []
    }

    func judge(_ record: RecordView) -> [Mismatch] {
        let found = record.connections.map(\.moment)
        return mismatch(
            found, outside: bounds, expected: bounds.description("connection"),
            found: counted(found.count, "connection"))
    }
}

/// The number of connections that reach the origin without a proxy (PRXY-01, PRXY-02).
struct DirectConnectionsCheck: Check {
    static let key = "directConnections"
    static let summary = "The number of connections that reach the origin without a proxy."
    static let shape = ConnectionsCheck.shape

    private let bounds: Bounds

    init(_ fields: Fields) throws(ScenarioError) { bounds = try Bounds(fields) }

    func judge(_ record: RecordView) -> [Mismatch] {
        mismatch(
            record.directConnections.map(\.1), outside: bounds,
            expected: "\(bounds.description("direct connection")) to the origin")
    }

    func problem(in scenario: Scenario) -> String? {
        scenario.proxies.isEmpty ? "without `proxies` every connection is direct; write `connections`" : nil
    }
}
