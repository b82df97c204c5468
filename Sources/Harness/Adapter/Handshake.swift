import AdapterProtocol

/// What the harness asks of an adapter before anything else, and what the answer means.
enum Handshake {
    /// A capability that nobody has: an adapter that claims it says yes to everything.
    static let nonsense = "teleportsPackets"
    static let questions = Capability.allCases.map(\.rawValue) + [nonsense]

    enum Verdict: Equatable {
        /// Not the answer yet (a log line).
        case waits
        case begins
        case unsupported(String)
        case lies(String)
    }

    static func judge(_ event: SessionEvent, needs: Set<Capability>) -> Verdict {
        switch event.kind {
        case .hello(_, let capabilities):
            if capabilities[nonsense] ?? false { return .lies("the adapter claims the made-up capability \(nonsense)") }
            let missing = needs.filter { !(capabilities[$0.rawValue] ?? false) }.map(\.rawValue).sorted()
            return missing.isEmpty ? .begins : .unsupported(missing.joined(separator: ", "))
        case .log, .unknown: return .waits
        case .task, .didBecomeInvalid, .delegateReleased, .sessionPropertyRead, .unsupported, .adapterFailed:
            return .lies("an event before the answer to hello")
        }
    }
}
