import Synchronization

/// A number that one thread writes and another reads.
final class StressCounter: Sendable {
    private let held = Mutex(0)
    var value: Int { held.withLock { $0 } }
    func set(_ value: Int) { held.withLock { $0 = value } }
}
