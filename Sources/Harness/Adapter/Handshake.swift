import AdapterProtocol
import Record
import ScenarioLanguage

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

    /// Evaluates the reply for one scenario: the capabilities that its judged checks need, and the events that its steps
    /// await.
    static func evaluate(_ event: SessionEvent, for scenario: Scenario, profile: ClientProfile) -> Verdict {
        let reports = reports(in: event)
        let verdict = evaluate(event, needs: scenario.needs(of: profile, reports: reports))
        let missing = scenario.substitutingEvents(missingIn: reports).awaitedEvents(missingIn: reports)
        guard verdict == .accepted, let event = missing.first else { return verdict }
        return .unsupported("the event \(event), which the scenario awaits and the client does not report")
    }

    /// Returns the scenario as it is played with this client: other moments for events that it does not report, and no
    /// timeout if it has none.
    static func played(_ scenario: Scenario, by event: SessionEvent) -> Scenario {
        guard case .hello(_, let capabilities, let reports?) = event.kind else { return scenario }
        let played = scenario.substitutingEvents(missingIn: reports)
        let timeouts = Capability.timeouts.union([.requestTimeout])
        return timeouts.contains { capabilities[$0.rawValue] == true } ? played : played.withoutRequestTimeouts
    }

    /// Returns the events that the client can report; nil: every event.
    static func reports(in event: SessionEvent) -> ReportedEvents? {
        if case .hello(_, capabilities: _, let reports) = event.kind { reports } else { nil }
    }

    static func evaluate(_ event: SessionEvent, needs: Set<Capability>) -> Verdict {
        switch event.kind {
        case .hello(_, let capabilities, let reports):
            if let problem = reports?.problem { return .rejected(problem) }
            if capabilities[nonsense] ?? false {
                return .rejected("the adapter claims the nonexistent capability \(nonsense)")
            }
            let offered = Capability.implied(by: Set(capabilities.filter(\.value).keys.compactMap(Capability.init)))
            let missing = needs.subtracting(offered).map(\.rawValue).sorted()
            return missing.isEmpty ? .accepted : .unsupported(missing.joined(separator: ", "))
        case .log, .unknown: return .pending
        case .task, .didBecomeInvalid, .delegateReleased, .didFinishEvents, .sessionPropertyRead, .tasksListed,
            .emptied,
            .unsupported, .adapterFailed:
            return .rejected("an event before the reply to hello")
        }
    }
}
