import AdapterProtocol

/// The handshake with an adapter: the capabilities to query, and the evaluation of the reply.
enum Handshake {
    /// A capability that does not exist: an adapter that claims it claims everything.
    static let nonsense = "teleportsPackets"
    static let questions = Capability.allCases.map(\.rawValue) + [nonsense]

    enum Verdict: Equatable {
        /// The line is not the reply yet (a log line).
        case pending
        case accepted
        case unsupported(String)
        case rejected(String)
    }

    static func evaluate(_ event: SessionEvent, needs: Set<Capability>) -> Verdict {
        switch event.kind {
        case .hello(_, let capabilities, let reports):
            if let problem = reports?.problem { return .rejected(problem) }
            if capabilities[nonsense] ?? false {
                return .rejected("the adapter claims the nonexistent capability \(nonsense)")
            }
            let missing = needs.filter { !(capabilities[$0.rawValue] ?? false) }.map(\.rawValue).sorted()
            return missing.isEmpty ? .accepted : .unsupported(missing.joined(separator: ", "))
        case .log, .unknown: return .pending
        case .task, .didBecomeInvalid, .delegateReleased, .sessionPropertyRead, .unsupported, .adapterFailed:
            return .rejected("an event before the reply to hello")
        }
    }
}
