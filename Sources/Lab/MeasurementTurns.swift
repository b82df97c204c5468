import Synchronization

/// The measurements of one interface's changed links, one at a time: they use the same ports. A link that changes again
/// before its measurement is complete has none, because its packets have met two conditions.
final class MeasurementTurns: Sendable {
    private let isBusy = Mutex(())
    private let last = Atomic(0)

    /// The measurement after one change.
    struct Turn: Sendable {
        fileprivate let turns: MeasurementTurns
        fileprivate let number: Int

        /// False once the link has changed again.
        var isCurrent: Bool { turns.last.load(ordering: .acquiring) == number }

        /// Waits for the measurements before this one, and runs it unless the link has changed again.
        func take<Failure>(_ measure: () throws(Failure) -> Void) throws(Failure) {
            try turns.isBusy.withLock { _ throws(Failure) in if isCurrent { try measure() } }
        }
    }

    /// Begins the turn of a change, before the change is made.
    func begin() -> Turn {
        Turn(turns: self, number: last.add(1, ordering: .acquiringAndReleasing).newValue)
    }
}
