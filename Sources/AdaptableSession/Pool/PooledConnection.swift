/// A connection in the pool's books.
struct PooledConnection: Equatable {
    let id: ConnectionID
    let key: ConnectionKey
    let forbidden: PathTraits
    var state: State
    var traits: PathTraits = []
    var interface: String?
    /// Requests that have been started on it so far.
    var served = 0
    /// The task that alone may use it.
    var pinnedTo: Int?
    /// It takes no further requests; those on it go on.
    var isRetiring = false
    var running: Set<PoolRequestID> = []
    var idleUntil: Int64 = .max
    /// Counts upwards with each time that it became idle.
    var idleSince = 0

    enum State: Equatable {
        /// The request that asked for it.
        case connecting(PoolRequestID)
        case open(PoolProtocol)
    }

    var isIdle: Bool {
        guard case .open = state else { return false }
        return running.isEmpty
    }

    /// How many more requests fit at this moment.
    var room: Int {
        guard !isRetiring, case .open(let agreed) = state else { return 0 }
        switch agreed {
        case .http1: return running.isEmpty ? 1 : 0
        case .http2(let streams): return max(0, streams - running.count)
        }
    }

    func canServe(_ request: PoolRequest, _ policy: PoolPolicy) -> Bool {
        guard key == request.key, room > 0 else { return false }
        if policy.respectsPinning, let pinnedTo, pinnedTo != request.owner { return false }
        if policy.respectsForbiddenTraits, !traits.isDisjoint(with: request.forbids) { return false }
        return isNewEnough(for: request) && (policy.reusesConnections || served == 0)
    }

    func isNewEnough(for request: PoolRequest) -> Bool { request.newerThan.map { id > $0 } ?? true }

    /// Whether it counts towards the limit: one of HTTP/2 that only ends its streams is no way for new ones, and may be long about it.
    var isCounted: Bool {
        guard isRetiring, case .open(.http2) = state else { return true }
        return false
    }
}
