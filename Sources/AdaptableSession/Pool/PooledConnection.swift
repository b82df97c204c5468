/// The pool's state of one connection.
struct PooledConnection: Equatable {
    let id: ConnectionID
    let key: ConnectionKey
    let forbidden: PathTraits
    var state: State
    var traits: PathTraits = []
    var interface: String?
    /// The number of requests started on it so far.
    var served = 0
    /// The only task that may use it; nil when any task may.
    var pinnedTo: Int?
    /// True when it accepts no new requests; running ones continue.
    var isRetiring = false
    var running: Set<PoolRequestID> = []
    /// The number of HTTP/1.1 requests that may be outstanding; 1 until the server has kept the connection open after a
    /// response.
    var depth = 1
    /// True if all its running requests allow pipelining.
    var mayPipeline = false
    var idleUntil: Int64 = .max
    /// A sequence number, increased each time a connection becomes idle.
    var idleSince = 0

    enum State: Equatable {
        /// `PoolRequestID` is the request for which it is being opened.
        case connecting(PoolRequestID)
        case open(PoolProtocol)
    }

    /// The request for which it is being opened; nil once it is open.
    var requester: PoolRequestID? { if case .connecting(let requester) = state { requester } else { nil } }

    /// True when it is being opened and may serve the request.
    func isAttempt(for request: PoolRequest) -> Bool {
        requester != nil && forbidden.isSuperset(of: request.forbids) && isNewEnough(for: request)
    }

    /// Sets the time at which the connection is closed if it is idle until then: after a minute, or a second before the
    /// server's `Keep-Alive: timeout=`, so that the server's close cannot cross a request on the wire.
    mutating func limitIdleTime(keepAlive: Int64?, now: Int64) {
        let allowed: Int64 = 60_000_000_000
        idleUntil = now &+ (keepAlive.map { min(allowed, max(0, $0 - 1_000_000_000)) } ?? allowed)
    }

    /// Reserves the connection; among several tasks with pipelined requests for the first one.
    mutating func pin(to owner: Int) { if pinnedTo == nil || running.count <= 1 { pinnedTo = owner } }

    var isIdle: Bool {
        guard case .open = state else { return false }
        return running.isEmpty
    }

    /// True if a further request would be sent while a response is outstanding.
    var pipelinesNext: Bool { if case .open(.http1) = state { !running.isEmpty } else { false } }

    /// The number of additional requests that it can carry now.
    var room: Int {
        guard !isRetiring, case .open(let agreed) = state else { return 0 }
        switch agreed {
        case .http1: return running.isEmpty ? 1 : mayPipeline && pinnedTo == nil ? max(0, depth - running.count) : 0
        case .http2(let streams): return max(0, streams - running.count)
        }
    }

    func canServe(_ request: PoolRequest, _ policy: PoolPolicy) -> Bool {
        guard key == request.key, room > 0, request.mayPipeline || !pipelinesNext else { return false }
        if policy.respectsPinning, let pinnedTo, pinnedTo != request.owner { return false }
        if policy.respectsForbiddenTraits, !traits.isDisjoint(with: request.forbids) { return false }
        return isNewEnough(for: request) && (policy.reusesConnections || served == 0)
    }

    func isNewEnough(for request: PoolRequest) -> Bool { request.newerThan.map { id > $0 } ?? true }

    /// True when it counts towards the limit per host. A retiring HTTP/2 connection does not count: it accepts no new
    /// requests, and its remaining streams may run for a long time.
    var isCounted: Bool {
        guard isRetiring, case .open(.http2) = state else { return true }
        return false
    }
}

extension [PooledConnection] {
    /// Returns the one of these fitting connections that responds earliest to the request, or nil if it should wait.
    func best(for request: PoolRequest, mayPipeline: () -> Bool) -> PooledConnection? {
        let free = request.mayPipeline ? filter { !$0.pipelinesNext } : self
        if free.isEmpty, !isEmpty {
            return mayPipeline() ? self.min { ($0.running.count, $0.id) < ($1.running.count, $1.id) } : nil
        }
        let own = free.filter { $0.pinnedTo == request.owner }
        // The server is least likely to have closed the most recently idle connection.
        return (own.isEmpty ? free : own).max { ($0.idleSince, $0.id) < ($1.idleSince, $1.id) }
    }
}
