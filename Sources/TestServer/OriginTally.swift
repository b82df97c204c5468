import Synchronization

/// The origin's counts, readable from any thread.
final class OriginTally: Sendable {
    private let counts = Mutex(Origin.Counts(connections: 0, requests: 0))

    func note(connections: Int, requests: Int) {
        counts.withLock { $0 = Origin.Counts(connections: connections, requests: requests) }
    }

    var current: Origin.Counts { counts.withLock { $0 } }
}
