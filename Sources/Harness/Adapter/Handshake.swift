import AdapterProtocol

/// The handshake with an adapter: the capabilities to query, and the evaluation of the reply.
enum Handshake {
    /// A capability that does not exist: an adapter that claims it claims everything.
    static let nonsense = "teleportsPackets"
    static let questions = Capability.allCases.map(\.rawValue) + [nonsense]

    enum Verdict: Equatable {
        /// The line is not the reply yet (a log line).
        case waits
        case begins
        case unsupported(String)
        case lies(String)
    }

    static func judge(_ event: SessionEvent, needs: Set<Capability>) -> Verdict {
        switch event.kind {
        case .hello(_, let capabilities):
            if capabilities[nonsense] ?? false { return .lies("the adapter claims the nonexistent capability \(nonsense)") }
            let missing = needs.filter { !(capabilities[$0.rawValue] ?? false) }.map(\.rawValue).sorted()
            return missing.isEmpty ? .begins : .unsupported(missing.joined(separator: ", "))
        case .log, .unknown: return .waits
        case .task, .didBecomeInvalid, .delegateReleased, .sessionPropertyRead, .unsupported, .adapterFailed:
            return .lies("an event before the reply to hello")
        }
    }
}
