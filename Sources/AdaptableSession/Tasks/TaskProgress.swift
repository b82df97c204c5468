import Foundation
import Synchronization

/// The `Progress` of a task: if the request has a body, sending it is one half of the work and receiving the response's
/// body the other (PROG-03). Cancelling, pausing and resuming it act on the task (PROG-07 to PROG-09).
///
/// `Progress` is not thread-safe on this platform, and changes propagate to parents, which tasks of several event loops
/// may share. Therefore one lock protects all changes made by this library. A tree of progress objects must be built
/// before its tasks are resumed.
final class TaskProgress: Sendable {
    static let units: Int64 = 1000

    private struct State {
        /// Made when the program asks for it first: it is as large as the task.
        var load: LoadProgress?
        var reported: Int64 = 0
        var shown = LoadProgress.Shown()
    }

    private let state = Mutex(State())
    private static let tree = Mutex(())
    private let policy: ProgressPolicy

    init(policy: ProgressPolicy = ProgressPolicy()) { self.policy = policy }

    /// Returns the progress, whose methods act on `task`.
    func progress(of task: AdaptableSessionTask?) -> Progress {
        state.withLock { state in
            if let load = state.load { return load }
            let load = make(for: task)
            load.completedUnitCount = state.reported
            load.show(policy.showsDescription ? state.shown : nil)
            state.load = load
            return load
        }
    }

    private func make(for task: AdaptableSessionTask?) -> LoadProgress {
        let load = LoadProgress()
        load.totalUnitCount = Self.units
        load.isCancellable = true
        load.isPausable = true
        var actions = LoadProgress.Actions()
        if policy.cancelsTask { actions.cancel = { [weak task] in task?.cancel() } }
        if policy.suspendsTask { actions.pause = { [weak task] in task?.suspend() } }
        if policy.resumesTask { actions.resume = { [weak task] in task?.resume() } }
        load.act(actions)
        return load
    }

    /// Updates the progress, which never decreases: when a body is sent again or a length becomes known late, it stands
    /// still.
    func update(_ facts: TaskFacts) {
        guard policy.followsTheLoad else { return }
        let sending = Self.share(facts.sent, facts.expectedToSend)
        let receiving = facts.response == nil ? 0 : Self.share(facts.received, facts.expectedToReceive)
        let share = facts.expectedToSend == 0 || !policy.countsSending ? receiving : (sending + receiving) / 2
        guard policy.staysWithinWhole else { return report(Int64(share * Double(2 * Self.units))) }
        report(min(Self.units - 1, Int64(share * Double(Self.units))))
        describe(facts)
    }

    private func describe(_ facts: TaskFacts) {
        guard policy.showsDescription else { return }
        let isKnown = facts.expectedToSend >= 0 && facts.response != nil && facts.expectedToReceive >= 0
        let bytes = Self.sum(facts.sent, facts.received)
        state.withLock { state in
            state.shown = LoadProgress.Shown(
                percent: state.reported * 100 / Self.units, bytes: bytes,
                allBytes: isKnown ? Self.sum(facts.expectedToSend, facts.expectedToReceive) : nil)
            state.load?.show(state.shown)
        }
    }

    func complete() {
        guard policy.endsWhole else { return }
        report(Self.units)
        guard policy.showsDescription else { return }
        state.withLock { state in
            state.shown.percent = 100
            state.load?.show(state.shown)
        }
    }

    private func report(_ completed: Int64) {
        Self.tree.withLock { _ in
            let load: LoadProgress? = state.withLock { state in
                guard completed > state.reported else { return nil }
                state.reported = completed
                return state.load
            }
            load?.completedUnitCount = completed
        }
    }

    /// Adds with saturation, because a server may announce any length.
    private static func sum(_ one: Int64, _ other: Int64) -> Int64 {
        let (sum, isTooLarge) = one.addingReportingOverflow(other)
        return isTooLarge ? .max : sum
    }

    private static func share(_ done: Int64, _ expected: Int64) -> Double {
        expected > 0 ? min(1, Double(done) / Double(expected)) : 0
    }
}

/// The rules for the `Progress` of a task.
package struct ProgressPolicy: Hashable, Sendable {
    /// Update the progress during the load; otherwise only at its end (PROG-01, PROG-06).
    package var followsTheLoad = true

    /// Count the sent body as a part of the work (PROG-03).
    package var countsSending = true

    /// Limit the progress to 1 when more bytes arrive than announced (PROG-02).
    package var staysWithinWhole = true

    /// Cancel the task when its progress is cancelled (PROG-07).
    package var cancelsTask = true
    /// Suspend the task when its progress is paused (PROG-08).
    package var suspendsTask = true
    /// Resume the task when its progress is resumed (PROG-09).
    package var resumesTask = true

    /// Complete the progress when the load succeeds, also for parents (PROG-05).
    package var endsWhole = true
    /// Describe the progress in words (PROG-04).
    package var showsDescription = true
}
