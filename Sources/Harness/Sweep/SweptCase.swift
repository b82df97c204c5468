import LinkEmulator
package import Record
import ScenarioLanguage

/// A finished case of a sweep.
package struct SweptCase: Hashable, Sendable {
    package enum Verdict: Hashable, Sendable {
        case pass
        case fail(FailureReason)
        /// The run proves nothing: it did not reach the point before the new task on the good network, or only tasks
        /// after it failed, while a fault happened beside them.
        case missed
        /// The harness or the machine failed, or the adapter lacks a feature.
        case notJudged(String)
    }

    package let sweepCase: SweepCase
    package let verdict: Verdict
    package let duration: Duration
    /// The scenario file of a failure.
    package let file: String?

    init(_ sweepCase: SweepCase, notJudged reason: String) {
        self.sweepCase = sweepCase
        verdict = .notJudged(reason)
        duration = .zero
        file = nil
    }

    init(_ sweepCase: SweepCase, _ outcome: Outcome, record: [RecordEntry], duration: Duration, file: String) {
        self.sweepCase = sweepCase
        self.duration = duration
        let end = SweepBase.end(of: record)
        let wasInjected = sweepCase.injections.contains { $0.isVisible(in: record[..<end]) }
        // The network was not good for the new tasks, so their failure is not held against the client.
        let wasInjectedLate =
            sweepCase.injections.contains { $0.isVisible(in: record[end...]) }
            || record[end...].contains { $0.fact.isOfTimeline }
        switch outcome {
        case _ where !wasInjected: verdict = .missed
        case .fail(let kind, let mismatches) where wasInjectedLate && Self.concernsNewTask(kind, mismatches):
            verdict = .missed
        case .pass: verdict = .pass
        case .fail(let kind, let mismatches): verdict = .fail(FailureReason(kind, mismatches))
        case .unsupported(let feature): verdict = .notJudged("unsupported: \(feature)")
        case .skipped(let after): verdict = .notJudged("skipped after \(after)")
        case .error(let reason): verdict = .notJudged(reason)
        }
        if case .fail = verdict { self.file = file } else { self.file = nil }
    }

    /// Returns true if nothing failed but tasks that start on the good network: the new one and continued downloads. A case
    /// has these two checks for them only.
    private static func concernsNewTask(_ kind: Outcome.FailureKind, _ mismatches: [Mismatch]) -> Bool {
        switch kind {
        case .wrong: !mismatches.isEmpty && mismatches.allSatisfy { ["completes", "body"].contains($0.check) }
        case .hang: true
        case .crash, .flood, .violation: false
        }
    }
}

/// The cause of a failed run, without the numbers that differ from run to run.
package struct FailureReason: Hashable, Sendable {
    package let kind: Outcome.FailureKind
    /// The check or invariant that failed first.
    package let check: String
    package let expected: String
    package let found: String

    package init(_ kind: Outcome.FailureKind, _ mismatches: [Mismatch]) {
        self.kind = kind
        check = mismatches.first?.check ?? kind.rawValue
        expected = mismatches.first?.expected ?? ""
        found = mismatches.first?.found ?? ""
    }

    /// The text by which failures are grouped.
    package var group: String {
        "\(kind.rawValue) \(check): " + found.prefix(160).replacing(/[0-9]+/, with: "N")
    }

    package func isLike(_ other: FailureReason) -> Bool { group == other.group }
}

extension RecordEntry.Fact {
    /// True for a change of the timeline, which may be the scenario's own: without the requests that a fault prevented, it
    /// comes later than in a run without faults.
    fileprivate var isOfTimeline: Bool {
        if case .step(let text) = self { text.hasPrefix("timeline: ") || text.hasPrefix("flapping: ") } else { false }
    }
}

extension Injection {
    /// Returns true if the record shows that the fault happened.
    func isVisible(in entries: ArraySlice<RecordEntry>) -> Bool { entries.contains { isVisible(in: $0.fact) } }

    private func isVisible(in fact: RecordEntry.Fact) -> Bool {
        switch (point.place, fact) {
        case (.origin(let point, let scope), .server(.fault(let connection, let request, let text, _))):
            text == point.description && (scope.request ?? request) == request
                && (scope.connection ?? connection) == connection
        case (.proxy(let name, _, _), .proxy(let fact)):
            if case .fault = fact.event { fact.proxy == name } else { false }
        case (.lookup(let host, _), .name(let query)):
            query.host.lowercased() == host && query.failure != nil && query.failure == fault.lookupFailure
        case (
            .moment(.packet(let kind, let direction, let number)),
            .network(.packet(let link, let way, let index, _, let fate, _))
        )
        where fault == .lose:
            link == kind && way == direction && index == UInt64(number) && fate != .passes
        case (.moment(let moment), .step(let text)): text == "timeline: \(Trigger(moment).summary)"
        default: false
        }
    }
}
