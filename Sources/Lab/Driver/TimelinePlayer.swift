package import AdapterProtocol
import Record
package import ScenarioLanguage

/// Plays a timeline: inputs are events and the time, outputs are the changes that are due and the breakpoints to
/// release. Used by scenario runs, interactive labs and `serve`.
package struct TimelinePlayer {
    /// Changes that are due at once.
    package struct Change: Hashable {
        package enum Cause: Hashable {
            case trigger(Trigger)
            case flapping
            /// A step of the script, or another terminal.
            case request
        }
        package var cause: Cause
        /// Interfaces whose flapping starts now; the steps follow at their times.
        package var flapping: [NetworkChange] = []
        package var immediate: [NetworkChange]
    }

    private enum State {
        case waiting
        case due(at: Int64)
        case fired
    }

    private struct Paused {
        var breakpoint: Breakpoint
        /// The moments that must all be reached before the release.
        var moments: [Trigger.Moment]
    }

    private var entries: [TimelineEntry]
    /// The index from which the entries were added while the timeline played.
    private let firstAdded: Int
    /// The index from which the entries are steps of profiles.
    private var firstStep: Int
    private var states: [State]
    private var paused: [Paused]
    private var flapping = FlapSchedule()
    package private(set) var tracker: TriggerTracker

    /// `steps` are those of profiles over time, which end when their interface gets another condition.
    package init(_ scenario: Scenario, steps: [TimelineEntry] = [], start: Int64) {
        entries = scenario.timeline + steps
        firstAdded = scenario.timeline.count
        firstStep = firstAdded
        states = entries.map { _ in .waiting }
        tracker = TriggerTracker(start: start)
        let moments = scenario.moments
        paused = scenario.breakpoints.compactMap { breakpoint in
            // A link pauses by itself and is resumed after the message about the packet has been handled.
            if case .packet = breakpoint { return nil }
            return Paused(breakpoint: breakpoint, moments: moments.filter { $0.breakpoint == breakpoint })
        }
    }

    package mutating func record(_ event: SessionEvent.Kind) { tracker.record(event) }
    package mutating func record(_ event: LabEvent) { tracker.record(event) }

    /// Adds an entry. The caller adds its breakpoint to the servers and links.
    mutating func add(_ entry: TimelineEntry) {
        entries.insert(entry, at: firstStep)
        states.insert(.waiting, at: firstStep)
        firstStep += 1
        let moment = entry.trigger.moment
        guard let breakpoint = moment.breakpoint else { return }
        if case .packet = breakpoint { return }
        if let index = paused.firstIndex(where: { $0.breakpoint == breakpoint }) {
            paused[index].moments.append(moment)
        } else {
            paused.append(Paused(breakpoint: breakpoint, moments: [moment]))
        }
    }

    /// Removes all added entries. Returns the breakpoints that nothing awaits any more.
    mutating func removeAdded() -> [Breakpoint] {
        for entry in entries[firstAdded..<firstStep] {
            for index in paused.indices {
                if let place = paused[index].moments.firstIndex(of: entry.trigger.moment) {
                    paused[index].moments.remove(at: place)
                }
            }
        }
        entries.removeSubrange(firstAdded..<firstStep)
        states.removeSubrange(firstAdded..<firstStep)
        firstStep = firstAdded
        let released = paused.filter(\.moments.isEmpty).map(\.breakpoint)
        paused.removeAll(where: \.moments.isEmpty)
        return released
    }

    /// Returns the changes that are due, in the order of the file.
    package mutating func advance(to now: Int64) -> [Change] {
        var changes = flappingSteps(at: now)
        for (index, entry) in entries.enumerated() {
            if case .waiting = states[index], tracker.hasReached(entry.trigger.moment, at: now) {
                states[index] = .due(at: now + (entry.trigger.delay?.nanoseconds ?? 0))
            }
            if case .due(let time) = states[index], now >= time {
                states[index] = .fired
                changes.append(start(entry.changes, because: .trigger(entry.trigger), at: now))
                changes += flappingSteps(at: now)
            }
        }
        return changes
    }

    /// Returns the changes to apply at once, and starts the flapping among them; `advance` returns its steps.
    package mutating func start(_ changes: [NetworkChange], because cause: Change.Cause, at now: Int64) -> Change {
        let immediate = flapping.apply(changes, at: now)
        let flaps = changes.filter { if case .flaps = $0 { true } else { false } }
        return Change(cause: cause, flapping: flaps, immediate: immediate)
    }

    private mutating func flappingSteps(at now: Int64) -> [Change] {
        var changes: [Change] = []
        while let step = flapping.next(at: now) {
            changes.append(Change(cause: .flapping, immediate: [step.change]))
        }
        return changes
    }

    /// Returns the breakpoints whose moments have all been reached. Must be called after the changes of `advance` have
    /// been made.
    package mutating func releaseBreakpoints(at now: Int64) -> [Breakpoint] {
        var released: [Breakpoint] = []
        paused.removeAll { place in
            guard place.moments.allSatisfy({ tracker.hasReached($0, at: now) }) else { return false }
            released.append(place.breakpoint)
            return true
        }
        return released
    }

    /// Ends the steps of an interface's profile, because the interface has been given another condition.
    mutating func endSteps(of kind: InterfaceKind) {
        for index in firstStep..<entries.count {
            guard case .link(let changed, _)? = entries[index].changes.first, changed == kind else { continue }
            states[index] = .fired
        }
    }

    /// The time by which `advance` must be called even without an event.
    package var nextDeadline: Int64? {
        var deadlines = zip(entries, states).compactMap { entry, state in
            switch state {
            case .due(let time): time
            case .waiting: tracker.clockTime(of: entry.trigger.moment)
            case .fired: nil
            }
        }
        if let next = flapping.nextDeadline { deadlines.append(next) }
        return deadlines.min()
    }

    /// Entries whose trigger was not reached.
    package var unreached: [TimelineEntry] {
        zip(entries, states).compactMap { entry, state in
            if case .fired = state { nil } else { entry }
        }
    }
}
