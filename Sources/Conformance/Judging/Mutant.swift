package import Record
package import ScenarioLanguage

/// A deliberately wrong session: a correct one with one changed decision, and the requirements that this breaks.
package struct Mutant: Hashable, Sendable {
    package var name: String
    /// Requirement ids; the suite must detect the mutant with a scenario that proves one of them.
    package var breaks: [String]
    /// A phrase that describes the defect: `sends a POST again`.
    package var what: String

    package init(name: String, breaks: [String], what: String) {
        self.name = name
        self.breaks = breaks
        self.what = what
    }

    /// Returns the scenarios that claim a requirement broken by this mutant.
    package func scenarios(among all: [Scenario]) -> [Scenario] {
        all.filter { !Set($0.proves).isDisjoint(with: breaks) }
    }
}

/// The suite's verdict on one mutant.
package struct MutantVerdict: Hashable, Sendable {
    package enum Finding: Hashable, Sendable {
        /// These scenarios failed; they prove a broken requirement, and the correct session passes them.
        case caught(by: [String])
        /// All of these passed: the suite does not detect the mutant.
        case survived([String])
        /// No verdict is possible, with the reason.
        case notEvaluated(String)
    }
    package var mutant: Mutant
    package var finding: Finding
    /// True when no verdict is possible because a run ended with an error.
    package var endedWithError: Bool

    /// - Parameters:
    ///   - control: outcomes of the correct session, by scenario. Only scenarios that it passes can catch the mutant.
    ///   - outcomes: outcomes of the mutant, by scenario.
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
                "the correct session does not pass any scenario that claims \(mutant.breaks.joined(separator: ", "))")
        } else if passed.count == usable.count {
            finding = .survived(passed)
        } else {
            let others = usable.filter { outcomes[$0] != .pass }.map { "\($0): \(outcomes[$0]?.word ?? "not run")" }
            finding = .notEvaluated(others.joined(separator: ", "))
        }
        endedWithError = caught.isEmpty && usable.contains { if case .error? = outcomes[$0] { true } else { false } }
    }

    package var isCaught: Bool { if case .caught = finding { true } else { false } }
}
