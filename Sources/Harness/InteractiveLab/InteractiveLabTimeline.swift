import Scenario

/// Plays a timeline around a program that does not run under a script: inputs are events, outputs are the changes that
/// are due.
struct InteractiveLabTimeline {
    private enum Armed {
        case waiting
        case due(at: Int64)
        case fired
    }

    private let entries: [TimelineEntry]
    /// The index from which the entries are steps of profiles.
    private let firstStep: Int
    private var states: [Armed]
    private var tracker: TriggerTracker
    private var pendingBreakpoints: [RunMachine.ByteBreakpoint]

    enum Action: Hashable {
        case apply([NetworkChange], because: String)
        /// Let the origin continue this response, which is held at a byte mark.
        case releaseBreakpoint(request: Int, bytes: Int64)
    }

    init(
        _ entries: [TimelineEntry], steps: [TimelineEntry] = [], breakpoints: [RunMachine.ByteBreakpoint], start: Int64
    ) {
        self.entries = entries + steps
        firstStep = entries.count
        states = self.entries.map { _ in .waiting }
        tracker = TriggerTracker(start: start)
        pendingBreakpoints = breakpoints
    }

    mutating func record(_ fact: ServerFact) { tracker.record(fact) }
    mutating func record(_ fact: DNSFact) { tracker.record(fact) }
    mutating func record(_ breakpoint: PacketBreakpoint) { tracker.record(breakpoint) }

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
            if case .waiting = states[index], tracker.hasReached(entry.trigger.moment, at: now) {
                states[index] = .due(at: now + (entry.trigger.delay?.nanoseconds ?? 0))
            }
            if case .due(let time) = states[index], now >= time {
                states[index] = .fired
                actions.append(.apply(entry.changes, because: entry.trigger.summary))
            }
        }
        let held = pendingBreakpoints
        pendingBreakpoints.removeAll { breakpoint in
            guard tracker.canRelease(breakpoint, among: held, at: now) else { return false }
            actions.append(.releaseBreakpoint(request: breakpoint.request, bytes: breakpoint.bytes))
            return true
        }
        return actions
    }

    /// The time by which `advance` must be called even without an event.
    var nextDeadline: Int64? {
        zip(entries, states).compactMap { entry, state in
            switch state {
            case .due(let time): time
            case .waiting: tracker.clockTime(of: entry.trigger.moment)
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
