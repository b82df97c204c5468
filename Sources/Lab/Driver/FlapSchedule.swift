import Record
import ScenarioLanguage

/// The remaining steps of flapping interfaces. The caller provides the time.
struct FlapSchedule {
    struct Step: Hashable {
        var due: Int64
        var kind: InterfaceKind
        var state: InterfaceState
        var change: NetworkChange { .interfaceState(kind, state) }
    }

    private var steps: [Step] = []

    var nextDeadline: Int64? { steps.first?.due }

    /// Starts the flapping among a step's changes and returns the other changes, which are to be applied at once. Any
    /// other change of an interface's state ends its flapping.
    mutating func apply(_ changes: [NetworkChange], at now: Int64) -> [NetworkChange] {
        var atOnce: [NetworkChange] = []
        for change in changes {
            switch change {
            case .flaps(let kind, let flaps):
                end(kind)
                steps += flaps.steps.map { Step(due: now + $0.after.nanoseconds, kind: kind, state: $0.state) }
            case .interfaceState(let kind, _):
                end(kind)
                atOnce.append(change)
            case .link, .name, .proxy, .faults, .renumber, .cost, .connections, .program, .power, .disk:
                atOnce.append(change)
            }
        }
        steps.sort { $0.due < $1.due }
        return atOnce
    }

    /// Returns a step that is due. Steps are returned one at a time even when they are late, so that no state is
    /// skipped.
    mutating func next(at now: Int64) -> Step? {
        guard let step = steps.first, now >= step.due else { return nil }
        return steps.removeFirst()
    }

    private mutating func end(_ kind: InterfaceKind) { steps.removeAll { $0.kind == kind } }
}
