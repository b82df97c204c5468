import Synchronization

/// Remembers what was said, so that a server that is down is named once and not for each connection.
final class SpokenOnce: Sendable {
    private let said = Mutex<Set<String>>([])
    /// A flood of different words must not fill the memory.
    private static let most = 1000

    func isNew(_ words: String) -> Bool {
        said.withLock { $0.count < SpokenOnce.most && $0.insert(words).inserted }
    }
}
