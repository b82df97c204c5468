import Foundation

/// The cache state of one hop of a task.
struct TaskCaching {
    /// True once the cache was queried; a repeated request of the same hop does not query it again.
    var hasLooked = false
    /// The cached entry being revalidated.
    @Boxed var entry: AdaptableCachedURLResponse?
    /// The conditional header fields of the revalidation request.
    var conditions = HeaderFields()
    /// The header fields of the sent request; `requestTime` is the time when it was sent.
    var sent = HeaderFields()
    var requestTime = Date.distantPast
    /// The exchange whose response may be stored; nil when it may not.
    @Boxed var exchange: StoredExchange?
    var data = Data()
    /// True when a protocol class allows storage in memory only.
    var staysInMemory = false

    /// The capacity of the cache in bytes; a larger body is not collected.
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
