/// When the client could reach anything beyond its own machine: some interface up and routed.
///
/// A change is told after it is in force, and it began no earlier than the step that asked for it; what happens in between may have
/// seen either state, so whoever blames an implementation must ask for the time when both agree.
struct PathHistory {
    private struct Change {
        var kind: InterfaceKind
        var hasPath: Bool
        /// The step that asked for it; nil for the state in which the run begins.
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
                    asked: record.steps.last { $0.moment < moment }?.moment,
                    reported: moment))
        }
    }

    /// A route into a black hole is a path to whoever asks the system; a route of either family is one as well.
    private static func isPath(_ state: InterfaceState, _ families: AddressFamilies) -> Bool {
        switch state {
        case .up, .blackhole: true
        case .noIPv4Route: families != .ipv4
        case .noIPv6Route: families != .ipv6
        case .down, .noRoute, .noAddress, .noCarrier: false
        }
    }

    /// Whether there certainly was a path.
    func hasPath(at moment: RecordView.Moment) -> Bool {
        states(at: moment).values.contains(true)
            && !changes.contains { !$0.hasPath && ($0.asked ?? $0.reported) < moment && moment < $0.reported }
    }

    /// Whether there can have been a path.
    func mayHavePath(at moment: RecordView.Moment) -> Bool {
        states(at: moment).values.contains(true)
            || changes.contains { $0.hasPath && ($0.asked ?? $0.reported) < moment && moment < $0.reported }
    }

    /// When the path that existed last before this moment was gone; nil when there never was one.
    func lastLoss(before moment: RecordView.Moment) -> RecordView.Moment? {
        changes.last { !$0.hasPath && $0.reported < moment }.map(\.reported).flatMap { reported in
            initial.values.contains(true) || changes.contains { $0.hasPath && $0.reported < reported } ? reported : nil
        }
    }

    /// The first change after this moment that may have brought a path: since when it may have been there.
    func nextPath(after moment: RecordView.Moment) -> RecordView.Moment? {
        changes.first { $0.hasPath && moment < $0.reported }.map { max($0.asked ?? $0.reported, moment) }
    }

    /// When the first path after this moment was certainly there.
    func nextReportedPath(after moment: RecordView.Moment) -> RecordView.Moment? {
        changes.first { $0.hasPath && moment < $0.reported }?.reported
    }

    private func states(at moment: RecordView.Moment) -> [InterfaceKind: Bool] {
        var states = initial
        for change in changes where change.reported < moment { states[change.kind] = change.hasPath }
        return states
    }
}
