import Synchronization

/// Filters repeated messages, so that a server that is down is reported once and not for each connection.
final class OnceLogger: Sendable {
    private let logged = Mutex<Set<String>>([])
    /// Maximum number of remembered messages, so that a flood does not fill the memory.
    private static let most = 1000

    func isNew(_ words: String) -> Bool {
        logged.withLock { $0.count < OnceLogger.most && $0.insert(words).inserted }
    }
}
