import Scenario

/// Plays a timeline around a program that does not run under a script: inputs are events, outputs are the changes that
/// are due.
struct SessionTimeline {
    private enum Armed { case waiting, due(at: Int64), fired }

    private let entries: [TimelineEntry]
    /// The index from which the entries are steps of profiles.
    private let firstStep: Int
    private var states: [Armed]
    private var board: TriggerBoard
    private var heldMarks: [RunMachine.ByteMark]

    enum Action: Hashable {
        case apply([NetworkChange], because: String)
        /// Let the origin continue this response, which is held at a byte mark.
        case releaseMark(request: Int, bytes: Int64)
    }

    init(_ entries: [TimelineEntry], steps: [TimelineEntry] = [], marks: [RunMachine.ByteMark], start: Int64) {
        self.entries = entries + steps
        firstStep = entries.count
        states = self.entries.map { _ in .waiting }
        board = TriggerBoard(start: start)
        heldMarks = marks
    }

    mutating func note(_ fact: ServerFact) { board.note(fact) }
    mutating func note(_ fact: NameFact) { board.note(fact) }
    mutating func note(_ mark: PacketMark) { board.note(mark) }

    /// Ends the steps of an interface's profile, because the interface has been given another condition.
    mutating func endSteps(of kind: InterfaceKind) {
        for index in firstStep..<entries.count {
            guard case .link(let changed, _)? = entries[index].changes.first, changed == kind else { continue }
            states[index] = .fired
        }
    }

    /// Returns the actions that are due, in the order of the file.
    mutating func advance(to now: Int64) -> [Action] {
        var actions: [Action] = []
        for (index, entry) in entries.enumerated() {
            if case .waiting = states[index], board.hasReached(entry.trigger.moment, at: now) {
                states[index] = .due(at: now + (entry.trigger.delay?.nanoseconds ?? 0))
            }
            if case .due(let time) = states[index], now >= time {
                states[index] = .fired
                actions.append(.apply(entry.changes, because: entry.trigger.summary))
            }
        }
        let held = heldMarks
        heldMarks.removeAll { mark in
            guard board.letsGo(mark, among: held, at: now) else { return false }
            actions.append(.releaseMark(request: mark.request, bytes: mark.bytes))
            return true
        }
        return actions
    }

    /// The time by which `advance` must be called even without an event.
    var nextDeadline: Int64? {
        zip(entries, states).compactMap { entry, state in
            switch state {
            case .due(let time): time
            case .waiting: board.clockTime(of: entry.trigger.moment)
            case .fired: nil
            }
        }.min()
    }

    /// Entries whose trigger was not reached.
    var unreached: [TimelineEntry] {
        zip(entries, states).compactMap { entry, state in
            if case .fired = state { nil } else { entry }
        }
    }
}
