import Scenario

/// The steps of flapping interfaces that are still to come. It knows no clock.
struct FlapSchedule {
    struct Step: Hashable {
        var due: Int64
        var kind: InterfaceKind
        var state: InterfaceState
        var change: NetworkChange { .interfaceState(kind, state) }
    }

    private var steps: [Step] = []

    var nextDeadline: Int64? { steps.first?.due }

    /// Takes the flapping out of a step's changes and answers the rest, which is to be applied at once. Whatever else changes the
    /// state of an interface ends its flapping.
    mutating func take(_ changes: [NetworkChange], at now: Int64) -> [NetworkChange] {
        var atOnce: [NetworkChange] = []
        for change in changes {
            switch change {
            case .flaps(let kind, let flaps):
                end(kind)
                steps += flaps.steps.map { Step(due: now + $0.after.nanoseconds, kind: kind, state: $0.state) }
            case .interfaceState(let kind, _):
                end(kind)
                atOnce.append(change)
            case .link, .name, .proxy, .renumber, .marks, .connections: atOnce.append(change)
            }
        }
        steps.sort { $0.due < $1.due }
        return atOnce
    }

    /// The step that is due, one at a time however late it is, so that no state is passed over.
    mutating func next(at now: Int64) -> Step? {
        guard let step = steps.first, now >= step.due else { return nil }
        return steps.removeFirst()
    }

    private mutating func end(_ kind: InterfaceKind) { steps.removeAll { $0.kind == kind } }
}
