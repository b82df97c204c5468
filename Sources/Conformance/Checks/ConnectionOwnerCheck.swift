import Record
import ScenarioLanguage
import AdapterProtocol

extension Scenario {
    /// True if a check asks who owns the connections. Finding out means looking through the files of every thread and
    /// process of the client for each connection.
    package var asksForConnectionOwners: Bool { expectations.contains { $0.check is ConnectionOwnerCheck } }
}

/// The program whose process holds the connections (BKGD-03).
struct ConnectionOwnerCheck: Check {
    static let key = "connectionOwner"
    static let basis: Basis? = .urlsession
    static let summary = "The program whose process owns the client's sockets of the accepted connections."
    static let shape = Shape.object([
        Field(
            "program", .word([ConnectionOwner.app.rawValue, ConnectionOwner.daemon.rawValue]), required: true,
            "app: the adapter's own process; daemon: a process that the adapter started and that outlives it."),
        Field("connection", .integer(1...1_000_000), "The k-th connection; default: all."),
    ])

    private let program: ConnectionOwner
    private let connection: Int?

    init(_ fields: Fields) throws(ScenarioError) {
        program = ConnectionOwner(rawValue: try fields.need("program")) ?? .unknown
        connection = fields.int("connection")
    }

    /// Only processes of adapters are distinguished.
    var neededEvents: Set<String> { Self.eventsOfEveryAdapter }

    var needs: Set<Capability> { program == .daemon ? [.backgroundSession] : [] }

    func problem(in scenario: Scenario) -> String? {
        scenario.hasSeveralProcesses
            ? nil : "the owner of a socket is recorded only in a scenario with steps `app` or `daemon`"
    }

    func judge(_ record: RecordView) -> [Mismatch] {
        let owners = record.adapter.compactMap { fact, moment in
            if case .connectionOwner(let number, let owner) = fact, number == connection ?? number {
                (owner: owner, moment: moment)
            } else {
                nil
            }
        }
        let expected =
            connection.map { "connection \($0) of the \(program.rawValue)" }
            ?? "connections of the \(program.rawValue) only"
        let known = owners.filter { $0.owner != .unknown }
        guard !known.isEmpty else {
            return mismatch(
                expected: expected, found: owners.isEmpty ? "no connection" : "no socket whose owner is known",
                evidence: owners.prefix(3).map(\.moment))
        }
        let others = known.filter { $0.owner != program }
        guard let first = others.first else { return [] }
        return mismatch(
            expected: expected, found: "\(others.count) of the \(first.owner.rawValue)",
            evidence: others.prefix(5).map(\.moment))
    }
}
