/// Assigns requests to connections and decides when connections are opened and closed.
///
/// All calls come from one event loop. Every mutating call returns the actions to perform, in order; times are
/// nanoseconds of one monotonic clock. `nextDeadline` is the time at which to call `expire(at:)`.
package struct ConnectionPool: Sendable {
    package let policy: PoolPolicy
    private var connections: [ConnectionID: PooledConnection] = [:]
    private var lines: [ConnectionKey: RequestQueue] = [:]
    private var keys: [PoolRequestID: ConnectionKey] = [:]
    private var multiplexing: [ConnectionKey: Bool] = [:]
    private var (nextNumber, idleCount) = (1, 0)

    package init(policy: PoolPolicy = PoolPolicy()) { self.policy = policy }

    // MARK: Requests

    package mutating func request(_ request: PoolRequest, now: Int64) -> [PoolAction] {
        // Timers fire late on a busy event loop or after the machine slept.
        let expired = expire(at: now)
        lines[request.key, default: RequestQueue()].append(
            request, requirements(of: request), priority: priority(of: request))
        keys[request.id] = request.key
        // Requests that were already waiting could not be served before this call, and nothing has changed for them.
        return expired + serve(request)
    }

    /// Returns a request that was started on this connection before any byte of it was sent. It is served as if it had
    /// not been started, before all others of its priority. `isClosed`: the connection is closed; otherwise the
    /// connection continues with its other requests.
    package mutating func returned(_ request: PoolRequest, from connection: ConnectionID, isClosed: Bool, now: Int64)
        -> [PoolAction]
    {
        var actions = expire(at: now)
        if isClosed {
            connections[connection] = nil
        } else {
            actions += release(request.id, from: connection, wasUsed: false, keepAlive: nil, now: now) ?? []
        }
        lines[request.key, default: RequestQueue()].prepend(
            request, requirements(of: request), priority: priority(of: request))
        keys[request.id] = request.key
        return actions + serve(group: request.key)
    }

    private func priority(of request: PoolRequest) -> Float { policy.ordersByPriority ? request.priority : 0 }

    /// Removes a request that waits for a connection. The attempt of a request that has timed out does not pass to others,
    /// which would wait for the same silent peer.
    package mutating func withdraw(_ id: PoolRequestID, hasTimedOut: Bool = false) -> [PoolAction] {
        guard let key = keys[id] else { return [] }
        leave(id)
        let actions = dropUnwanted(key, passesOn: !hasTimedOut)
        // Only a cancelled connection attempt frees capacity.
        return actions.isEmpty ? [] : actions + serve(group: key)
    }

    /// Ends an exchange. `isReusable` is false when the connection must not be used again (HTTP/1.1: `Connection:
    /// close`, a response delimited by the connection's end, an interrupted exchange). `keepAlive` is the server's
    /// `Keep-Alive: timeout=` in nanoseconds. `wasUsed` is false when nothing was sent: the exchange is then not
    /// counted as a use of the connection. `allowsPipelining`: the server responded with HTTP/1.1 and keeps it open.
    package mutating func ended(
        _ id: PoolRequestID, on connection: ConnectionID, isReusable: Bool, wasUsed: Bool = true,
        keepAlive: Int64? = nil, allowsPipelining: Bool = false, now: Int64
    ) -> [PoolAction] {
        guard let key = connections[connection]?.key else { return [] }
        if allowsPipelining { connections[connection]?.depth = policy.pipelineDepth }
        if !isReusable || !policy.reusesConnections, connections[connection]?.running.contains(id) == true {
            connections[connection]?.isRetiring = true
        }
        guard let actions = release(id, from: connection, wasUsed: wasUsed, keepAlive: keepAlive, now: now) else {
            return []
        }
        return actions + serve(group: key)
    }

    /// Removes the request from the connection. Returns nil when it was not running there.
    private mutating func release(
        _ id: PoolRequestID, from connection: ConnectionID, wasUsed: Bool, keepAlive: Int64?, now: Int64
    ) -> [PoolAction]? {
        guard var found = connections[connection], found.running.remove(id) != nil else { return nil }
        if !wasUsed { found.served -= 1 }
        if found.isIdle {
            idleCount += 1
            found.idleSince = idleCount
            found.limitIdleTime(keepAlive: keepAlive, now: now)
        }
        connections[connection] = found
        return found.isRetiring && found.running.isEmpty ? [remove(connection)] : []
    }

    // MARK: Connections

    package mutating func connected(
        _ id: ConnectionID, _ agreed: PoolProtocol, traits: PathTraits = [], interface: String? = nil, now: Int64
    ) -> [PoolAction] {
        guard var connection = connections[id] else { return [] }
        connection.state = .open(agreed.limited(policy))
        connection.traits = traits
        connection.interface = interface
        connection.limitIdleTime(keepAlive: nil, now: now)
        connections[id] = connection
        guard case .http2 = agreed else {
            multiplexing[connection.key] = false
            return serve(group: connection.key)
        }
        multiplexing[connection.key] = true
        // One HTTP/2 connection serves all requests for this key.
        return serve(group: connection.key) + dropUnwanted(connection.key)
    }

    /// Handles a failed connection attempt: the request that caused it fails, unless another connection already serves
    /// it.
    package mutating func connectFailed(_ id: ConnectionID) -> [PoolAction] {
        guard let connection = connections.removeValue(forKey: id), let requester = connection.requester else {
            return []
        }
        var actions: [PoolAction] = []
        if keys[requester] != nil {
            leave(requester)
            actions.append(.failed(requester))
        }
        return actions + serve(group: connection.key)
    }

    /// Forgets a connection that closed or received unsolicited data. Running requests are notified by the connection
    /// itself.
    package mutating func closed(_ id: ConnectionID) -> [PoolAction] {
        guard let connection = connections.removeValue(forKey: id) else { return [] }
        return serve(group: connection.key)
    }

    /// Stops new requests on the connection; running ones continue (GOAWAY, 421).
    package mutating func retire(_ id: ConnectionID) -> [PoolAction] {
        guard let connection = connections[id] else { return [] }
        connections[id]?.isRetiring = true
        return (connection.isIdle ? [remove(id)] : []) + serve(group: connection.key)
    }

    /// Applies a new SETTINGS_MAX_CONCURRENT_STREAMS value.
    package mutating func streamLimitChanged(_ id: ConnectionID, to streams: Int) -> [PoolAction] {
        guard let connection = connections[id], case .open(.http2) = connection.state else { return [] }
        let limited = PoolProtocol.http2(streams: streams).limited(policy)
        connections[id]?.state = .open(limited)
        return serve(group: connection.key)
    }

    /// Reserves the connection for the requests of one task (NTLM authenticates the connection, not the request).
    package mutating func pin(_ id: ConnectionID, to owner: Int) { connections[id]?.pin(to: owner) }

    /// Removes the reservation of a connection: the exchange that reserved it authenticated the whole session
    /// (AUTH-04), so any of its requests may use it.
    package mutating func unpin(connection id: ConnectionID) -> [PoolAction] {
        guard let key = connections[id]?.key else { return [] }
        connections[id]?.pinnedTo = nil
        return serve(group: key)
    }

    /// Retires the connections that were reserved for a finished task: no other task may use them, so they close once
    /// idle.
    package mutating func unpin(_ owner: Int) -> [PoolAction] {
        connections.values.filter { $0.pinnedTo == owner }.map(\.id).sorted().flatMap { retire($0) }
    }

    /// Retires connections over an interface that disappeared or lost its address.
    package mutating func interfaceLost(_ name: String) -> [PoolAction] {
        guard policy.closesIdleOnInterfaceLoss else { return [] }
        return connections.values.filter { $0.interface == name }.map(\.id).sorted().flatMap { retire($0) }
    }

    /// Updates the connections after the cost of an interface may have changed. `traits` returns nil for interfaces
    /// that do not exist.
    package mutating func traitsChanged(_ traits: (String) -> PathTraits?) -> [PoolAction] {
        var groups: Set<ConnectionKey> = []
        for (id, connection) in connections {
            guard let now = connection.interface.flatMap(traits), now != connection.traits else { continue }
            connections[id]?.traits = now
            groups.insert(connection.key)
        }
        return groups.flatMap { serve(group: $0) }
    }

    /// Closes idle connections; with `andRetires` also the busy ones as soon as they become idle (a session's `flush`
    /// and `reset`).
    package mutating func closeIdle(andRetires: Bool) -> [PoolAction] {
        var actions: [PoolAction] = []
        for id in connections.keys.sorted() {
            guard let connection = connections[id] else { continue }
            if connection.isIdle {
                actions.append(remove(id))
            } else if andRetires {
                connections[id]?.isRetiring = true
            }
        }
        return actions + lines.keys.flatMap { serve(group: $0) }
    }

    // MARK: Time

    package var nextDeadline: Int64? {
        connections.values.filter(\.isIdle).map(\.idleUntil).min().flatMap { $0 == .max ? nil : $0 }
    }

    package mutating func expire(at now: Int64) -> [PoolAction] {
        connections.values.filter { $0.isIdle && $0.idleUntil <= now }.map(\.id).sorted().map { remove($0) }
    }

    // MARK: State

    package var openConnections: Int { connections.count }
    package var waitingRequests: Int { keys.count }
    /// The connection most recently opened or started; all later ones have a higher number.
    package var newest: ConnectionID { ConnectionID(nextNumber - 1) }

    /// Returns the request for which a connection is being opened; nil once it was withdrawn or another connection
    /// serves it.
    package func requester(of id: ConnectionID) -> PoolRequestID? {
        connections[id]?.requester.flatMap { keys[$0] == nil ? nil : $0 }
    }

    // MARK: The decision

    private mutating func remove(_ id: ConnectionID) -> PoolAction {
        connections[id] = nil
        return .close(id)
    }

    private mutating func leave(_ id: PoolRequestID) {
        guard let key = keys.removeValue(forKey: id) else { return }
        lines[key]?.remove(id)
        if lines[key]?.isEmpty == true { lines[key] = nil }
    }

    /// Serves the requests that wait for the host of `key`, in order, until no capacity is left.
    private mutating func serve(group key: ConnectionKey) -> [PoolAction] {
        var actions: [PoolAction] = []
        for candidate in lines.keys.filter({ isSameGroup($0, key) }).sorted(by: { $0.partition < $1.partition }) {
            actions += startWaiting(candidate) + connectWaiting(candidate)
        }
        return actions
    }

    private mutating func startWaiting(_ key: ConnectionKey) -> [PoolAction] {
        var actions: [PoolAction] = []
        var blocked: Set<PoolRequirements> = []
        while connections.values.contains(where: { $0.key == key && $0.room > 0 }),
            let next = lines[key]?.first(except: blocked, where: { _ in true })
        {
            if let start = start(next.request) { actions.append(start) } else { blocked.insert(next.requirements) }
        }
        return actions
    }

    private mutating func connectWaiting(_ key: ConnectionKey) -> [PoolAction] {
        var actions: [PoolAction] = []
        var blocked: Set<PoolRequirements> = []
        while hasPlace(for: key) || !idleVictims(for: key).isEmpty {
            let asking = requesters
            guard let next = lines[key]?.first(except: blocked, where: { !asking.contains($0.id) }) else { break }
            let made = connect(next.request)
            // The request needs no new connection, and it did not take over an attempt without a requester either.
            if made.isEmpty, !requesters.contains(next.request.id) { blocked.insert(next.requirements) }
            actions += made
        }
        return actions
    }

    /// The requests for which a connection is being opened.
    private var requesters: Set<PoolRequestID> { Set(connections.values.compactMap(\.requester)) }

    private func requirements(of request: PoolRequest) -> PoolRequirements {
        PoolRequirements(
            forbids: request.forbids, newerThan: request.newerThan,
            pinnedOwner: connections.values.contains { $0.pinnedTo == request.owner } ? request.owner : nil)
    }

    private mutating func serve(_ request: PoolRequest) -> [PoolAction] {
        start(request).map { [$0] } ?? connect(request)
    }

    private mutating func start(_ request: PoolRequest) -> PoolAction? {
        guard let id = best(for: request) else { return nil }
        leave(request.id)
        let isReused = (connections[id]?.served ?? 0) > 0
        connections[id]?.mayPipeline = request.mayPipeline
        connections[id]?.served += 1
        connections[id]?.running.insert(request.id)
        connections[id]?.idleUntil = .max
        return .start(request.id, id, isReused: isReused)
    }

    private mutating func connect(_ request: PoolRequest) -> [PoolAction] {
        if let orphan = orphan(for: request) {
            connections[orphan]?.state = .connecting(request.id)
            return []
        }
        guard needsConnection(request) else { return [] }
        var actions: [PoolAction] = []
        if !hasPlace(for: request.key) {
            guard let victim = idleVictim(for: request) else { return [] }
            actions.append(remove(victim))
        }
        let id = ConnectionID(nextNumber)
        nextNumber += 1
        connections[id] = PooledConnection(
            id: id, key: request.key, forbidden: request.forbids, state: .connecting(request.id))
        actions.append(.connect(id, request.key, request: request.id))
        return actions
    }

    /// Returns a connection attempt whose original request another connection serves by now.
    private func orphan(for request: PoolRequest) -> ConnectionID? {
        connections.values.filter { connection in
            connection.key == request.key && connection.isAttempt(for: request) && isOrphan(connection)
        }.map(\.id).min()
    }

    private func isOrphan(_ attempt: PooledConnection) -> Bool { attempt.requester.map { keys[$0] == nil } ?? false }

    private func best(for request: PoolRequest) -> ConnectionID? {
        // A new connection delays the request less than the responses before it.
        connections.values.filter { $0.canServe(request, policy) }
            .best(for: request) { !hasPlace(for: request.key) && isNext(request) }?.id
    }

    /// Returns true if no other request waits, except those for which a connection is being opened. Otherwise pipelined
    /// requests could keep a connection from it endlessly.
    private func isNext(_ request: PoolRequest) -> Bool {
        let asking = requesters
        return lines[request.key]?.first { !asking.contains($0.id) }?.id == request.id
    }

    /// Returns true when no connection that this request could use is being opened.
    private func needsConnection(_ request: PoolRequest) -> Bool {
        let related = connections.values.filter { $0.key == request.key }
        let making = related.filter {
            $0.isAttempt(for: request)
                || !policy.respectsForbiddenTraits && $0.requester != nil && $0.isNewEnough(for: request)
        }
        // A connection for it is being opened already.
        if making.contains(where: { $0.requester == request.id }) { return false }
        guard policy.multiplexes else { return true }
        switch multiplexing[request.key] {
        case true?:
            if !making.isEmpty { return false }
            // Requests wait for a full HTTP/2 connection; they do not open a second one.
            return !related.contains {
                guard case .open(.http2) = $0.state, !$0.isRetiring else { return false }
                return $0.isNewEnough(for: request) && $0.traits.isDisjoint(with: request.forbids)
            }
        case false?: return true
        case nil: return !(request.key.isSecure && policy.oneHandshakeFindsTheProtocol && !making.isEmpty)
        }
    }

    private func hasPlace(for key: ConnectionKey) -> Bool {
        inGroup(of: key).count(where: \.isCounted) < max(1, policy.connectionsPerHost)
    }

    private func inGroup(of key: ConnectionKey) -> [PooledConnection] {
        connections.values.filter { isSameGroup($0.key, key) }
    }

    private func isSameGroup(_ one: ConnectionKey, _ other: ConnectionKey) -> Bool {
        !policy.limitIsPerHost || one.isSameServer(as: other)
    }

    /// Returns the idle connection to close to make room: the longest idle one that no waiting request can use. A
    /// reserved connection is closed only for its own task: between two steps of the NTLM handshake it is idle, and
    /// closing it then would restart the handshake endlessly.
    private func idleVictim(for request: PoolRequest) -> ConnectionID? {
        idleVictims(for: request.key).filter {
            !policy.respectsPinning || $0.pinnedTo == nil || $0.pinnedTo == request.owner
        }
        .min { ($0.idleSince, $0.id) < ($1.idleSince, $1.id) }?.id
    }

    private func idleVictims(for key: ConnectionKey) -> [PooledConnection] {
        inGroup(of: key).filter { connection in
            connection.isIdle && lines[connection.key]?.first { connection.canServe($0, policy) } == nil
        }
    }

    /// Passes a connection attempt whose request is gone to another waiting request, which then receives a possible
    /// failure; without one, cancels the attempt.
    private mutating func dropUnwanted(_ key: ConnectionKey, passesOn: Bool = true) -> [PoolAction] {
        var actions: [PoolAction] = []
        let orphans = connections.values.filter { $0.key == key && isOrphan($0) }
        for connection in orphans.sorted(by: { $0.id < $1.id }) {
            let asking = requesters
            let heir = lines[key]?.first { connection.isAttempt(for: $0) && !asking.contains($0.id) }
            if passesOn, let heir {
                connections[connection.id]?.state = .connecting(heir.id)
            } else {
                actions.append(remove(connection.id))
            }
        }
        return actions
    }
}
