/// A deliberately wrong session: one decision of a right one changed, and the requirements that this breaks.
package struct Mutant: Hashable, Sendable {
    package var name: String
    /// Requirement ids; the suite has to catch the mutant by a scenario that proves one of them.
    package var breaks: [String]
    /// What it does wrong, as a phrase: `sends a POST again`.
    package var what: String

    package init(name: String, breaks: [String], what: String) {
        self.name = name
        self.breaks = breaks
        self.what = what
    }

    /// The scenarios that claim what this mutant breaks.
    package func scenarios(among all: [Scenario]) -> [Scenario] {
        all.filter { !Set($0.proves).isDisjoint(with: breaks) }
    }
}

/// What the suite said of one mutant.
package struct MutantVerdict: Hashable, Sendable {
    package enum Finding: Hashable, Sendable {
        /// These scenarios, which prove what it breaks and which the right session passes, failed.
        case caught(by: [String])
        /// Every one of these passed: the suite does not see the difference.
        case survived([String])
        /// Nothing could be said, and why.
        case notEvaluated(String)
    }
    package var mutant: Mutant
    package var finding: Finding

    /// - Parameters:
    ///   - control: outcomes of the right session, by scenario. Only what it passes can catch anything.
    ///   - outcomes: of the mutant, by scenario.
    package init(_ mutant: Mutant, control: [String: Outcome], outcomes: [String: Outcome]) {
        self.mutant = mutant
        let usable = outcomes.keys.filter { control[$0] == .pass }.sorted()
        let caught = usable.filter { if case .fail? = outcomes[$0] { true } else { false } }
        let passed = usable.filter { outcomes[$0] == .pass }
        if !caught.isEmpty {
            finding = .caught(by: caught)
        } else if outcomes.isEmpty {
            finding = .notEvaluated("no scenario claims \(mutant.breaks.joined(separator: ", "))")
        } else if usable.isEmpty {
            finding = .notEvaluated(
                "the right session passes no scenario that claims \(mutant.breaks.joined(separator: ", "))")
        } else if passed.count == usable.count {
            finding = .survived(passed)
        } else {
            let others = usable.filter { outcomes[$0] != .pass }.map { "\($0): \(outcomes[$0]?.word ?? "not run")" }
            finding = .notEvaluated(others.joined(separator: ", "))
        }
    }

    package var isCaught: Bool { if case .caught = finding { true } else { false } }
}
