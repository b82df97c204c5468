import Foundation

/// What one hop of a task has to do with its session's cache.
struct TaskCaching {
    /// The cache was asked; a repeated request of the same hop does not ask again.
    var hasLooked = false
    /// The entry that the server is asked to confirm.
    var entry: AdaptableCachedURLResponse?
    /// Added to the request for it.
    var conditions = HeaderFields()
    /// The request as it went out, and when.
    var sent = HeaderFields()
    var requestTime = Date.distantPast
    /// Of the answer that may be kept.
    var exchange: StoredExchange?
    var data = Data()
    /// So a protocol class wants it.
    var staysInMemory = false

    /// More than the cache could hold is not gathered.
    var limit = 0

    mutating func gather(_ more: Data) {
        guard exchange != nil else { return }
        if data.count + more.count > limit { discard() } else { data.append(more) }
    }

    mutating func discard() {
        exchange = nil
        data = Data()
    }
}
