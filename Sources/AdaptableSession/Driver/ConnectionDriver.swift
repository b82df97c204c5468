import NIOCore

/// Performs the actions of the connection pool: opens, closes and lends connections.
final class ConnectionDriver {
    private var pool: ConnectionPool
    let connector: Connector
    private let eventLoop: any EventLoop
    /// Each in a cell of its own: a dictionary has more places than entries.
    private var demands: [PoolRequestID: Boxed<ConnectionDemand>] = [:]
    private var failures: [PoolRequestID: TransportFailure] = [:]
    private var making: [ConnectionID: ConnectAttempt] = [:]
    private var open: [ConnectionID: Connection] = [:]
    private var nextRequest = 1
    private var expiry: Scheduled<Void>?
    /// The time at which `expiry` fires, in nanoseconds; nil without one.
    private var expiryDeadline: Int64?
    /// Called whenever a connection closes.
    var whenClosed: ((ConnectionID) -> Void)?

    init(settings: SessionSettings, network: NetworkView, eventLoop: any EventLoop) {
        var policy = settings.policies.pool
        if policy.limitIsConfigured { policy.connectionsPerHost = settings.maximumConnectionsPerHost }
        pool = ConnectionPool(policy: policy)
        connector = Connector(settings: settings, network: network, eventLoop: eventLoop)
        self.eventLoop = eventLoop
    }

    func obtain(_ demand: ConnectionDemand) -> PoolRequestID {
        let id = PoolRequestID(nextRequest)
        nextRequest += 1
        demands[id] = Boxed(wrappedValue: demand)
        perform(pool.request(poolRequest(id, demand), now: MonotonicTime.now()))
        return id
    }

    private func poolRequest(_ id: PoolRequestID, _ demand: ConnectionDemand) -> PoolRequest {
        PoolRequest(
            id: id, key: demand.key, owner: demand.owner, priority: demand.priority, newerThan: demand.newerThan,
            forbids: demand.forbids, mayPipeline: demand.mayPipeline)
    }

    func withdraw(_ id: PoolRequestID, hasTimedOut: Bool = false) {
        demands[id] = nil
        perform(pool.withdraw(id, hasTimedOut: hasTimedOut))
    }

    /// Returns the connection of a finished exchange to the pool. A connection that cannot be reused is closed.
    func finish(_ exchange: Exchange, wasUsed: Bool = true, keepAlive: Int64? = nil) {
        var isReusable = exchange.response.leave()
        if let stream = exchange.stream {
            stream.close(promise: nil)
            // A stream that ended early does not affect its connection.
            isReusable = true
        }
        perform(
            pool.ended(
                exchange.request, on: exchange.connection.id, isReusable: isReusable, wasUsed: wasUsed,
                keepAlive: keepAlive, allowsPipelining: wasUsed && exchange.handler.allowsPipelining,
                now: MonotonicTime.now()))
    }

    /// Handles the timeout of an exchange. An HTTP/2 connection on which nothing has arrived since `start` gets no new
    /// requests; its other streams continue. An HTTP/1.1 connection closes with its unfinished exchange.
    func timedOut(_ exchange: Exchange, silentSince start: Int64) {
        guard case .http2(let http2, _) = exchange.connection.wire, http2.isSilent(since: start) else { return }
        perform(pool.retire(exchange.connection.id))
    }

    /// Returns the connection than which the replacement has to be newer for a request that failed on `connection`. All
    /// requests of a connection get the same result, so that they share one replacement.
    func newest(atEndOf connection: Connection) -> ConnectionID {
        let newest = connection.newestAtEnd ?? pool.newest
        connection.newestAtEnd = newest
        return newest
    }

    func pin(_ connection: ConnectionID, to owner: Int) { pool.pin(connection, to: owner) }

    func unpin(connection: ConnectionID) { perform(pool.unpin(connection: connection)) }

    func unpin(_ owner: Int) { perform(pool.unpin(owner)) }

    /// Handles a change of the network. `lost` are the interfaces that went away or lost an address.
    func networkChanged(_ state: NetworkState, lost: Set<String>) {
        connector.resolver.networkChanged()
        for name in lost.sorted() { perform(pool.interfaceLost(name)) }
        perform(pool.traitsChanged { state.interface(named: $0)?.traits })
        for id in making.keys.sorted() { making[id]?.networkChanged(lost: lost) }
    }

    func closeIdle(andRetires: Bool) { perform(pool.closeIdle(andRetires: andRetires)) }

    /// Closes all connections and cancels the attempts, when no further connection will be needed.
    func abandon() {
        expiry?.cancel()
        for id in making.keys.sorted() + open.keys.sorted() { close(id) }
    }

    private func perform(_ actions: [PoolAction]) {
        for action in actions {
            switch action {
            case .connect(let id, let key, let request): connect(id, key, request)
            case .start(let request, let id, let isReused): start(request, id, isReused)
            case .failed(let request):
                let failure =
                    failures.removeValue(forKey: request) ?? .cannotConnect("the connection could not be established")
                _ = demands.removeValue(forKey: request)?.wrappedValue?.deliver(.failure(failure))
            case .close(let id): close(id)
            }
        }
        scheduleExpiry()
    }

    private func connect(_ id: ConnectionID, _ key: ConnectionKey, _ request: PoolRequestID) {
        guard let demand = demands[request]?.wrappedValue else { return }
        let requester = { [weak self] in
            self.flatMap { driver in driver.pool.requester(of: id).flatMap { driver.demands[$0]?.wrappedValue } }
        }
        let attempt = connector.attempt(id, demand, requester: requester) { [weak self] result in
            guard let self else { return }
            making[id] = nil
            switch result {
            case .success(let connection): opened(connection)
            case .failure(let failure):
                let actions = pool.connectFailed(id)
                for case .failed(let request) in actions { failures[request] = failure }
                perform(actions)
            }
        }
        making[id] = attempt
        attempt.start()
    }

    private func opened(_ connection: Connection) {
        open[connection.id] = connection
        let id = connection.id
        let agreed: PoolProtocol
        switch connection.wire {
        case .http1(let handler):
            handler.whenUnusable = { [weak self, weak connection] in connection.map { self?.gone($0) } }
            agreed = .http1
        case .http2(_, let relay):
            // The relay belongs to the connection.
            relay.listen { [weak self, weak connection] event in
                guard let self, let connection else { return }
                switch event {
                case .streamLimit(let limit): perform(pool.streamLimitChanged(id, to: limit))
                case .goingAway:
                    _ = newest(atEndOf: connection)
                    perform(pool.retire(id))
                case .closed: gone(connection)
                }
            }
            agreed = .http2(streams: HTTP2Connection.streamsBeforeSettings)
        }
        perform(
            pool.connected(
                id, agreed, traits: connection.interface?.traits ?? [], interface: connection.interface?.name,
                now: MonotonicTime.now()))
        connection.isFresh = false
    }

    private func gone(_ connection: Connection) {
        if forget(connection) { perform(pool.closed(connection.id)) }
    }

    /// Returns false if the connection was removed before.
    private func forget(_ connection: Connection) -> Bool {
        guard open.removeValue(forKey: connection.id) != nil else { return false }
        _ = newest(atEndOf: connection)
        connection.close()
        whenClosed?(connection.id)
        return true
    }

    /// Returns a request to the pool. Nothing of it was sent, so another connection may serve it regardless of its
    /// method, and this does not count as a retry. A connection that was opened for the request and failed is not
    /// replaced, because its failure concerns the server.
    private func putBack(_ request: PoolRequestID, _ demand: ConnectionDemand, from id: ConnectionID) {
        demands[request] = Boxed(wrappedValue: demand)
        perform(
            pool.returned(poolRequest(request, demand), from: id, isClosed: open[id] == nil, now: MonotonicTime.now()))
    }

    private func start(_ request: PoolRequestID, _ id: ConnectionID, _ isReused: Bool) {
        guard let demand = demands.removeValue(forKey: request)?.wrappedValue else { return }
        guard let connection = open[id] else { return putBack(request, demand, from: id) }
        // An idle connection may have received its end, or unsolicited data, that the loop has not read yet.
        let checks = !connection.isFresh
        switch connection.wire {
        case .http1(let handler):
            guard handler.isIdle else { return startBehind(request, demand, on: connection, handler) }
            let exchange = Exchange(
                request: request, connection: connection, isReused: isReused, handler: handler)
            guard checks, connection.pendingInput.exists else { return deliver(exchange, demand) }
            // No request is pending on it: any received byte of HTTP makes the connection unusable (RFC 9112 §9.5).
            guard connection.tls != nil else { return replace(connection, of: request, demand) }
            // These can be session tickets or a key update (RFC 8446 §4.6).
            demands[request] = Boxed(wrappedValue: demand)
            startAfterReading(exchange)
        case .http2(let http2, _):
            demands[request] = Boxed(wrappedValue: demand)
            http2.open(readingFirst: checks) { [weak self] result in
                guard let self else { return }
                let demand = demands.removeValue(forKey: request)?.wrappedValue
                switch result {
                case .success(let stream):
                    let exchange = Exchange(
                        request: request, connection: connection, isReused: isReused, handler: stream.handler,
                        stream: stream.channel)
                    guard let demand else { return finish(exchange, wasUsed: false) }
                    deliver(exchange, demand)
                case .failure(let failure):
                    if checks, http2.servesNoMore, let demand { return putBack(request, demand, from: id) }
                    perform(pool.ended(request, on: id, isReusable: true, wasUsed: false, now: MonotonicTime.now()))
                    demand?.refusedBy(connection)
                    _ = demand?.deliver(.failure(failure))
                }
            }
        }
    }

    /// Starts an exchange on an idle connection after everything that waits in its socket has been read.
    private func startAfterReading(_ exchange: Exchange) {
        // Not during a read, whose completion would come too early.
        eventLoop.assumeIsolated().execute { [weak self] in
            guard exchange.connection.pendingInput.exists else { self?.startUnlessEnded(exchange); return }
            exchange.handler.afterRead { self?.startUnlessEnded(exchange) }
        }
    }

    /// One read is enough for tickets; a connection with more input is replaced.
    private func startUnlessEnded(_ exchange: Exchange) {
        guard let demand = demands.removeValue(forKey: exchange.request)?.wrappedValue else {
            return finish(exchange, wasUsed: false)
        }
        let connection = exchange.connection
        guard open[connection.id] != nil, !connection.pendingInput.exists else {
            return replace(connection, of: exchange.request, demand)
        }
        deliver(exchange, demand)
    }

    private func replace(_ connection: Connection, of request: PoolRequestID, _ demand: ConnectionDemand) {
        _ = forget(connection)
        putBack(request, demand, from: connection.id)
    }

    /// Pipelines a request. Not during a read: what has arrived with the current response, and was sent before this
    /// request, must not become its response.
    private func startBehind(
        _ request: PoolRequestID, _ demand: ConnectionDemand, on connection: Connection, _ handler: ExchangeHandler
    ) {
        demands[request] = Boxed(wrappedValue: demand)
        eventLoop.assumeIsolated().execute { [weak self] in self?.continueBehind(request, on: connection, handler) }
    }

    private func continueBehind(_ request: PoolRequestID, on connection: Connection, _ handler: ExchangeHandler) {
        let exchange = Exchange(request: request, connection: connection, isReused: true, handler: handler)
        guard let demand = demands.removeValue(forKey: request)?.wrappedValue else {
            return finish(exchange, wasUsed: false)
        }
        guard open[connection.id] != nil, handler.allowsPipelining,
            !handler.isIdle || !connection.pendingInput.exists
        else {
            perform(pool.retire(connection.id))
            return putBack(request, demand, from: connection.id)
        }
        deliver(exchange, demand)
    }

    private func deliver(_ exchange: Exchange, _ demand: ConnectionDemand) {
        if !demand.deliver(.success(exchange)) { finish(exchange, wasUsed: false) }
    }

    private func close(_ id: ConnectionID) {
        making.removeValue(forKey: id)?.cancel()
        guard let connection = open.removeValue(forKey: id) else { return }
        switch connection.wire {
        case .http1(let handler): handler.whenUnusable = nil
        case .http2(_, let relay): relay.listen(nil)
        }
        connection.close()
        whenClosed?(id)
    }

    /// An earlier timer stays: every request moves the deadline, and a timer that fires too early only schedules the next.
    private func scheduleExpiry() {
        guard let deadline = pool.nextDeadline, expiryDeadline.map({ deadline < $0 }) ?? true else { return }
        expiry?.cancel()
        expiryDeadline = deadline
        expiry = eventLoop.assumeIsolated().scheduleTask(deadline: .uptimeNanoseconds(UInt64(max(0, deadline)))) {
            [weak self] in
            guard let self else { return }
            expiryDeadline = nil
            perform(pool.expire(at: MonotonicTime.now()))
        }
    }
}
