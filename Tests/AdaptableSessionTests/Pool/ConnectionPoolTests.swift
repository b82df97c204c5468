import Testing

@testable import AdaptableSession

/// The tests call the pool as the event loop does; a record of its actions shows the connections as a server would see
/// them.
@Suite struct ConnectionPoolTests {
    static let plain = ConnectionKey(host: "api.test", port: 80, isSecure: false)
    static let secure = ConnectionKey(host: "api.test", port: 443, isSecure: true)

    /// Performs and records the pool's actions.
    struct Bench {
        var pool: ConnectionPool
        var connecting: [ConnectionID] = []
        var started: [(request: Int, connection: ConnectionID, isReused: Bool)] = []
        var closed: [ConnectionID] = []
        var failed: [Int] = []

        init(_ change: (inout PoolPolicy) -> Void = { _ in }) {
            var policy = PoolPolicy()
            change(&policy)
            pool = ConnectionPool(policy: policy)
        }

        mutating func perform(_ actions: [PoolAction]) {
            for action in actions {
                switch action {
                case .connect(let id, _, _): connecting.append(id)
                case .start(let request, let id, let isReused): started.append((request.number, id, isReused))
                case .failed(let request): failed.append(request.number)
                case .close(let id): closed.append(id)
                }
            }
        }

        mutating func request(
            _ number: Int, _ key: ConnectionKey = plain, owner: Int? = nil, priority: Float = 0.5,
            newerThan: ConnectionID? = nil,
            forbids: PathTraits = [], mayPipeline: Bool = false, now: Int64 = 0
        ) {
            perform(
                pool.request(
                    PoolRequest(
                        id: PoolRequestID(number), key: key, owner: owner ?? number, priority: priority,
                        newerThan: newerThan,
                        forbids: forbids, mayPipeline: mayPipeline), now: now))
        }

        mutating func open(
            _ index: Int, _ agreed: PoolProtocol = .http1, traits: PathTraits = [], interface: String? = nil
        ) {
            perform(pool.connected(connecting[index], agreed, traits: traits, interface: interface, now: 0))
        }

        mutating func end(
            _ number: Int, isReusable: Bool = true, keepAlive: Int64? = nil, allowsPipelining: Bool = false,
            now: Int64 = 0
        ) {
            guard let run = started.last(where: { $0.request == number }) else { return }
            perform(
                pool.ended(
                    PoolRequestID(number), on: run.connection, isReusable: isReusable, keepAlive: keepAlive,
                    allowsPipelining: allowsPipelining, now: now))
        }
    }

    @Test func `the limit is never exceeded, and waiting requests are served in order as connections become free`() {
        var bench = Bench { $0.connectionsPerHost = 2 }
        for number in 1...5 { bench.request(number) }
        #expect(bench.connecting.count == 2)
        bench.open(0)
        bench.open(1)
        #expect(bench.started.map(\.request) == [1, 2])
        bench.end(2)
        bench.end(1)
        bench.end(3)
        #expect(bench.started.map(\.request) == [1, 2, 3, 4, 5])
        #expect(bench.connecting.count == 2)
        #expect(bench.started.map(\.isReused) == [false, false, true, true, true])
    }

    @Test func `the limit counts each host separately`() {
        var bench = Bench { $0.connectionsPerHost = 1 }
        bench.request(1)
        bench.request(2, ConnectionKey(host: "cdn.test", port: 80, isSecure: false))
        #expect(bench.connecting.count == 2)
        var narrow = Bench {
            $0.connectionsPerHost = 1
            $0.limitIsPerHost = false
        }
        narrow.request(1)
        narrow.request(2, ConnectionKey(host: "cdn.test", port: 80, isSecure: false))
        #expect(narrow.connecting.count == 1)
    }

    @Test func `connections with other TLS requirements count towards the same host`() {
        var bench = Bench { $0.connectionsPerHost = 1 }
        bench.request(1, ConnectionKey(host: "api.test", port: 80, isSecure: false, partition: "a"))
        bench.open(0)
        bench.request(2, ConnectionKey(host: "API.test", port: 80, isSecure: false, partition: "b"))
        #expect(bench.connecting.count == 1)
        // It is idle and the waiting request cannot use it: it is closed to make room.
        bench.end(1)
        #expect(bench.closed == [bench.connecting[0]])
        #expect(bench.connecting.count == 2)
    }

    @Test func `of several unusable idle connections the longest idle one is closed to make room`() {
        var bench = Bench { $0.connectionsPerHost = 2 }
        let other = ConnectionKey(host: "api.test", port: 80, isSecure: false, partition: "b")
        for number in 1...2 {
            bench.request(number)
            bench.open(number - 1)
        }
        bench.end(2)
        bench.end(1)
        bench.request(3, other)
        #expect(bench.closed == [bench.connecting[1]])
    }

    @Test func `a connection that is not reusable is closed and replaced`() {
        var bench = Bench { $0.connectionsPerHost = 1 }
        bench.request(1)
        bench.open(0)
        bench.request(2)
        bench.end(1, isReusable: false)
        #expect(bench.closed == [bench.connecting[0]])
        #expect(bench.connecting.count == 2)
    }

    @Test func `a pool without reuse opens a connection for each request`() {
        var bench = Bench { $0.reusesConnections = false }
        for number in 1...3 {
            bench.request(number)
            bench.open(number - 1)
            bench.end(number)
        }
        #expect(bench.connecting.count == 3)
    }

    @Test func `a request that needs a new connection gets one, at the limit in place of an idle one`() {
        var bench = Bench { $0.connectionsPerHost = 1 }
        bench.request(1)
        bench.open(0)
        bench.end(1)
        bench.request(2, newerThan: bench.pool.newest)
        #expect(bench.closed == [bench.connecting[0]])
        bench.open(1)
        #expect(bench.started.last?.isReused == false)
        #expect(bench.started.last?.connection == bench.connecting[1])
    }

    @Test func `an idle connection closes after its idle time, and before the server's timeout`() {
        var bench = Bench()
        bench.request(1)
        bench.open(0)
        bench.end(1, now: 5)
        #expect(bench.pool.nextDeadline == 60_000_000_005)
        #expect(bench.pool.expire(at: 60_000_000_004).isEmpty)
        #expect(bench.pool.expire(at: 60_000_000_005) == [.close(bench.connecting[0])])
        bench.request(2)
        bench.open(1)
        bench.end(2, keepAlive: 5_000_000_000, now: 0)
        #expect(bench.pool.nextDeadline == 4_000_000_000)
    }

    @Test func `an idle connection past its idle time is not used although no timer has closed it yet`() {
        var bench = Bench()
        bench.request(1)
        bench.open(0)
        bench.end(1, keepAlive: 3_000_000_000, now: 0)
        bench.request(2, now: 1_999_999_999)
        #expect(bench.started.last?.connection == bench.connecting[0])
        bench.end(2, keepAlive: 3_000_000_000, now: 2_000_000_000)
        bench.request(3, now: 4_000_000_000)
        #expect(bench.closed == [bench.connecting[0]])
        #expect(bench.connecting.count == 2)
        // `Keep-Alive: timeout=1` leaves nothing above the margin: only a request that waits already may reuse the
        // connection.
        bench.open(1)
        bench.end(3, keepAlive: 1_000_000_000, now: 5_000_000_000)
        bench.request(4, now: 5_000_000_000)
        #expect(bench.closed.count == 2)
        #expect(bench.connecting.count == 3)
    }

    @Test func `a request returned unsent is served before the waiting ones, on another connection`() {
        var bench = Bench { $0.connectionsPerHost = 1 }
        bench.request(1)
        bench.open(0)
        for number in 2...4 { bench.request(number) }
        bench.end(1)
        #expect(bench.started.map(\.request) == [1, 2])
        let second = PoolRequest(id: PoolRequestID(2), key: Self.plain, owner: 2)
        bench.perform(bench.pool.returned(second, from: bench.connecting[0], isClosed: true, now: 0))
        #expect(bench.connecting.count == 2)
        bench.open(1)
        bench.end(2)
        bench.end(3)
        #expect(bench.started.map(\.request) == [1, 2, 2, 3, 4])
        #expect(bench.started.map(\.isReused) == [false, true, false, true, true])
        #expect(bench.pool.waitingRequests == 0)
    }

    @Test func `a request returned from a retiring connection does not affect the others on it`() {
        var bench = Bench()
        bench.request(1, Self.secure)
        bench.open(0, .http2(streams: 100))
        bench.request(2, Self.secure)
        bench.perform(bench.pool.retire(bench.connecting[0]))
        let second = PoolRequest(id: PoolRequestID(2), key: Self.secure, owner: 2)
        bench.perform(bench.pool.returned(second, from: bench.connecting[0], isClosed: false, now: 0))
        #expect(bench.closed.isEmpty)
        #expect(bench.connecting.count == 2)
        bench.open(1, .http2(streams: 100))
        #expect(bench.started.map(\.request) == [1, 2, 2])
        bench.end(1)
        #expect(bench.closed == [bench.connecting[0]])
    }

    @Test func `a connection returned unused counts as new for the next request`() {
        var bench = Bench()
        bench.request(1)
        bench.open(0)
        bench.perform(
            bench.pool.ended(PoolRequestID(1), on: bench.connecting[0], isReusable: true, wasUsed: false, now: 0))
        for number in 2...3 {
            bench.request(number)
            bench.end(number)
        }
        #expect(bench.started.map(\.isReused) == [false, false, true])
        #expect(bench.connecting.count == 1)
    }

    /// The server is least likely to have closed it.
    @Test func `the most recently idle connection is used first`() {
        var bench = Bench()
        for number in 1...2 { bench.request(number) }
        for index in 0...1 { bench.open(index) }
        for number in 1...2 { bench.end(number) }
        bench.request(3)
        #expect(bench.started.last?.connection == bench.connecting[1])
    }

    @Test func `without pinning a reserved connection serves other tasks`() {
        var bench = Bench { $0.respectsPinning = false }
        bench.request(1, owner: 7)
        bench.open(0)
        bench.pool.pin(bench.connecting[0], to: 7)
        bench.end(1)
        bench.request(2, owner: 8)
        #expect(bench.started.last?.connection == bench.connecting[0])
    }

    @Test func `a reserved connection serves only its task and closes with it`() {
        var bench = Bench { $0.connectionsPerHost = 2 }
        bench.request(1, owner: 7)
        bench.open(0)
        bench.pool.pin(bench.connecting[0], to: 7)
        bench.end(1)
        bench.request(2, owner: 8)
        #expect(bench.connecting.count == 2)
        bench.request(3, owner: 7)
        #expect(bench.started.last?.connection == bench.connecting[0])
        bench.end(3)
        bench.perform(bench.pool.unpin(7))
        #expect(bench.closed == [bench.connecting[0]])
    }

    @Test func `a reserved connection is not closed for other waiting requests, only for its own task`() {
        for respects in [true, false] {
            var bench = Bench {
                $0.connectionsPerHost = 1
                $0.respectsPinning = respects
            }
            bench.request(1, owner: 7)
            bench.open(0)
            bench.pool.pin(bench.connecting[0], to: 7)
            bench.request(2, owner: 8, newerThan: bench.pool.newest)
            bench.end(1)
            #expect(bench.closed.isEmpty == respects)
        }
        var bench = Bench { $0.connectionsPerHost = 1 }
        bench.request(1, owner: 7)
        bench.open(0)
        bench.pool.pin(bench.connecting[0], to: 7)
        bench.request(2, owner: 8)
        bench.request(3, owner: 9)
        bench.end(1)
        // Between its two steps the task is not in the queue.
        bench.request(4, owner: 7)
        #expect(bench.started.map(\.request) == [1, 4])
        bench.end(4)
        bench.request(5, ConnectionKey(host: "api.test", port: 80, isSecure: false, partition: "b"), owner: 7)
        #expect(bench.closed == [bench.connecting[0]])
    }

    @Test func `requests retried after one failure share a newer connection`() {
        var bench = Bench()
        for number in 1...5 { bench.request(number, Self.secure) }
        bench.open(0, .http2(streams: 100))
        let newest = bench.pool.newest
        bench.perform(bench.pool.retire(bench.connecting[0]))
        for number in 1...4 {
            bench.request(10 + number, Self.secure, newerThan: newest)
            if number == 2 { bench.open(1, .http2(streams: 100)) }
        }
        #expect(bench.connecting.count == 2)
        #expect(bench.started.suffix(4).map(\.connection) == Array(repeating: bench.connecting[1], count: 4))
        // A request that failed later needs a later connection; an attempt in progress at that time does not qualify.
        bench.request(20, Self.secure, newerThan: bench.pool.newest)
        #expect(bench.connecting.count == 3)
        bench.request(21, Self.secure, newerThan: bench.pool.newest)
        #expect(bench.connecting.count == 4)
    }

    @Test func `a connection that authenticated the whole session is available to all tasks again`() {
        var bench = Bench { $0.connectionsPerHost = 1 }
        bench.request(1, owner: 7)
        bench.open(0)
        bench.pool.pin(bench.connecting[0], to: 7)
        bench.end(1)
        bench.perform(bench.pool.unpin(connection: bench.connecting[0]))
        bench.request(2, owner: 8)
        #expect(bench.started.last?.connection == bench.connecting[0])
        bench.end(2)
        bench.perform(bench.pool.unpin(7))
        #expect(bench.closed.isEmpty)
    }

    @Test func `a failed attempt is reported to its request, and the next request starts a new attempt`() {
        var bench = Bench { $0.connectionsPerHost = 1 }
        bench.request(1)
        bench.request(2)
        bench.perform(bench.pool.connectFailed(bench.connecting[0]))
        #expect(bench.failed == [1])
        #expect(bench.connecting.count == 2)
    }

    @Test func `an attempt passes to a waiting request when its own is withdrawn, and is cancelled when none waits`() {
        var bench = Bench { $0.connectionsPerHost = 1 }
        bench.request(1)
        bench.request(2)
        bench.perform(bench.pool.withdraw(PoolRequestID(1)))
        #expect(bench.closed.isEmpty)
        bench.perform(bench.pool.connectFailed(bench.connecting[0]))
        #expect(bench.failed == [2])
        bench.request(3)
        bench.perform(bench.pool.withdraw(PoolRequestID(3)))
        #expect(bench.closed == [bench.connecting[1]])
        #expect(bench.pool.openConnections == 0)
    }

    @Test func `a request with a higher priority overtakes waiting ones`() {
        for ordered in [true, false] {
            var bench = Bench {
                $0.connectionsPerHost = 1
                $0.ordersByPriority = ordered
            }
            bench.request(1)
            bench.open(0)
            bench.request(2, priority: 0.25)
            bench.request(3, priority: 0.75)
            bench.request(4, priority: 0.75)
            for number in [1, ordered ? 3 : 2] { bench.end(number) }
            #expect(bench.started.map(\.request) == (ordered ? [1, 3, 4] : [1, 2, 3]))
        }
    }

    @Test func `ten thousand requests to one host complete in order, with cancellations among them`() {
        for key in [Self.plain, Self.secure] {
            var bench = Bench()
            for number in 1...10_000 { bench.request(number, key) }
            for number in stride(from: 5, through: 10_000, by: 5) {
                bench.perform(bench.pool.withdraw(PoolRequestID(number)))
            }
            for index in bench.connecting.indices {
                bench.open(index, key == Self.secure ? .http2(streams: 100) : .http1)
            }
            var next = 0
            while next < bench.started.count {
                bench.end(bench.started[next].request)
                next += 1
            }
            #expect(bench.started.map(\.request) == (1...10_000).filter { $0 % 5 != 0 })
            #expect(bench.pool.waitingRequests == 0)
            #expect(bench.pool.openConnections == (key == Self.secure ? 1 : 6))
        }
    }
}
