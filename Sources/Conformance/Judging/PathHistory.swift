import Record
import ScenarioLanguage

/// The times at which the client had a path beyond its own machine: an interface that was up and had a route.
///
/// A change is reported after it is in force, and it did not start before the step that requested it. In between either
/// state is possible, so a check that blames an implementation must use the times at which both agree.
struct PathHistory {
    private struct Change {
        var kind: InterfaceKind
        var hasPath: Bool
        /// The time of the step that requested it; nil for the initial state.
        var asked: RecordView.Moment?
        var reported: RecordView.Moment
    }

    private let initial: [InterfaceKind: Bool]
    private var changes: [Change] = []

    init(_ record: RecordView, only kinds: Set<InterfaceKind> = Set(InterfaceKind.allCases)) {
        var initial: [InterfaceKind: Bool] = [:]
        for plan in record.scenario.network.interfaces where kinds.contains(plan.kind) {
            initial[plan.kind] = PathHistory.isPath(plan.state, record.scenario.network.families)
        }
        self.initial = initial
        for (fact, moment) in record.network {
            guard case .interfaceState(let kind, let state) = fact, kinds.contains(kind) else { continue }
            changes.append(
                Change(
                    kind: kind, hasPath: PathHistory.isPath(state, record.scenario.network.families),
                    asked: record.steps.last { $0 < moment },
                    reported: moment))
        }
    }

    /// Returns true for a state with a route. A black hole has a route, so the system reports a path; a route of one
    /// family is enough.
    private static func isPath(_ state: InterfaceState, _ families: AddressFamilies) -> Bool {
        switch state {
        case .up, .blackhole: true
        case .noIPv4Route: families != .ipv4
        case .noIPv6Route: families != .ipv6
        case .down, .noRoute, .noAddress, .noCarrier: false
        }
    }

    /// Returns true if there certainly was a path.
    func hasPath(at moment: RecordView.Moment) -> Bool {
        states(at: moment).values.contains(true)
            && !changes.contains { !$0.hasPath && ($0.asked ?? $0.reported) < moment && moment < $0.reported }
    }

    /// Returns true if there may have been a path.
    func mayHavePath(at moment: RecordView.Moment) -> Bool {
        states(at: moment).values.contains(true)
            || changes.contains { $0.hasPath && ($0.asked ?? $0.reported) < moment && moment < $0.reported }
    }

    /// Returns the time at which the last path before this moment was lost; nil if there was none.
    func lastLoss(before moment: RecordView.Moment) -> RecordView.Moment? {
        changes.last { !$0.hasPath && $0.reported < moment }.map(\.reported).flatMap { reported in
            initial.values.contains(true) || changes.contains { $0.hasPath && $0.reported < reported } ? reported : nil
        }
    }

    /// Returns the earliest time after this moment at which a change may have created a path.
    func nextPath(after moment: RecordView.Moment) -> RecordView.Moment? {
        changes.first { $0.hasPath && moment < $0.reported }.map { max($0.asked ?? $0.reported, moment) }
    }

    /// Returns the time after this moment at which a path certainly existed.
    func nextReportedPath(after moment: RecordView.Moment) -> RecordView.Moment? {
        changes.first { $0.hasPath && moment < $0.reported }?.reported
    }

    private func states(at moment: RecordView.Moment) -> [InterfaceKind: Bool] {
        var states = initial
        for change in changes where change.reported < moment { states[change.kind] = change.hasPath }
        return states
    }
}
