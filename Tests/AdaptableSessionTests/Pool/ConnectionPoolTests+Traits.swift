import AdaptableSession
import Testing

/// HTTP/2 connections and the interfaces of connections.
extension ConnectionPoolTests {
    @Test func `one handshake determines that a server supports HTTP 2, and all requests share it`() {
        var bench = Bench()
        for number in 1...20 { bench.request(number, Self.secure) }
        #expect(bench.connecting.count == 1)
        bench.open(0, .http2(streams: 100))
        #expect(bench.started.map(\.request) == Array(1...20))
        #expect(bench.connecting.count == 1)
    }

    @Test func `an attempt whose request timed out is replaced and does not pass to the requests that wait for it`() {
        var bench = Bench()
        for number in 1...3 { bench.request(number, Self.secure) }
        #expect(bench.connecting.count == 1)
        // The second request waits for the attempt of the first one.
        bench.perform(bench.pool.withdraw(PoolRequestID(2), hasTimedOut: true))
        #expect(bench.closed.isEmpty)
        bench.perform(bench.pool.withdraw(PoolRequestID(1), hasTimedOut: true))
        #expect(bench.closed == [bench.connecting[0]])
        #expect(bench.connecting.count == 2)
        bench.open(1, .http2(streams: 100))
        #expect(bench.started.map(\.request) == [3])
        #expect(bench.pool.waitingRequests == 0)
    }

    @Test func `a server without HTTP 2 gets further connections immediately`() {
        var bench = Bench { $0.connectionsPerHost = 3 }
        for number in 1...5 { bench.request(number, Self.secure) }
        bench.open(0)
        #expect(bench.connecting.count == 3)
        var eager = Bench {
            $0.connectionsPerHost = 3
            $0.oneHandshakeFindsTheProtocol = false
        }
        for number in 1...5 { eager.request(number, Self.secure) }
        #expect(eager.connecting.count == 3)
    }

    @Test func `streams above the peer's limit wait, and a higher limit starts them`() {
        var bench = Bench()
        for number in 1...4 { bench.request(number, Self.secure) }
        bench.open(0, .http2(streams: 2))
        #expect(bench.started.map(\.request) == [1, 2])
        bench.end(1)
        #expect(bench.started.map(\.request) == [1, 2, 3])
        bench.perform(bench.pool.streamLimitChanged(bench.connecting[0], to: 10))
        #expect(bench.started.map(\.request) == [1, 2, 3, 4])
        #expect(bench.connecting.count == 1)
    }

    @Test func `after GOAWAY new requests use a new connection while the old ones finish on theirs`() {
        var bench = Bench()
        bench.request(1, Self.secure)
        bench.open(0, .http2(streams: 100))
        bench.perform(bench.pool.retire(bench.connecting[0]))
        #expect(bench.closed.isEmpty)
        bench.request(2, Self.secure)
        #expect(bench.connecting.count == 2)
        bench.end(1)
        #expect(bench.closed == [bench.connecting[0]])
    }

    @Test func `a connection whose interface became expensive is not used by a request that forbids it`() {
        var bench = Bench()
        bench.request(1, forbids: .expensive)
        bench.open(0, interface: "wlan0")
        bench.end(1)
        bench.perform(bench.pool.traitsChanged { $0 == "wlan0" ? .expensive : nil })
        bench.request(2, forbids: .expensive)
        #expect(bench.started.count == 1)
        #expect(bench.connecting.count == 2)
        bench.request(3)
        #expect(bench.started.last?.connection == bench.connecting[0])
    }

    @Test func `a waiting request is served when an interface becomes inexpensive`() {
        var bench = Bench { $0.connectionsPerHost = 1 }
        bench.request(1, Self.secure)
        bench.open(0, .http2(streams: 10), traits: .constrained, interface: "wlan0")
        // A busy connection takes the only place.
        bench.request(2, Self.secure, forbids: .constrained)
        #expect(bench.started.map(\.request) == [1])
        bench.perform(bench.pool.traitsChanged { _ in [] })
        #expect(bench.started.map(\.request) == [1, 2])
    }

    @Test func `a connection over cellular is not used by a request that forbids it`() {
        var bench = Bench()
        bench.request(1)
        bench.open(0, traits: .cellular)
        bench.end(1)
        bench.request(2, forbids: .cellular)
        #expect(bench.connecting.count == 2)
        var careless = Bench { $0.respectsForbiddenTraits = false }
        careless.request(1)
        careless.open(0, traits: .cellular)
        careless.end(1)
        careless.request(2, forbids: .cellular)
        #expect(careless.connecting.count == 1)
    }

    @Test func `an attempt that may use cellular does not serve a request that forbids it`() {
        var bench = Bench()
        bench.request(1, Self.secure)
        bench.request(2, Self.secure, forbids: .cellular)
        #expect(bench.connecting.count == 2)
    }

    @Test func `without multiplexing every HTTP 2 request has its own connection`() {
        var bench = Bench { $0.multiplexes = false }
        for number in 1...3 { bench.request(number, Self.secure) }
        bench.open(0, .http2(streams: 100))
        #expect(bench.started.map(\.request) == [1])
        #expect(bench.connecting.count == 3)
        bench.perform(bench.pool.streamLimitChanged(bench.connecting[0], to: 50))
        #expect(bench.started.map(\.request) == [1])
    }

    @Test func `a retiring HTTP 2 connection does not count towards the limit`() {
        var bench = Bench { $0.connectionsPerHost = 1 }
        bench.request(1, Self.secure)
        bench.open(0, .http2(streams: 100))
        bench.perform(bench.pool.retire(bench.connecting[0]))
        bench.request(2, Self.secure)
        #expect(bench.connecting.count == 2)
        bench.open(1, .http2(streams: 100))
        bench.request(3, Self.secure)
        #expect(bench.connecting.count == 2)
        var plain = Bench { $0.connectionsPerHost = 1 }
        plain.request(1)
        plain.open(0)
        plain.perform(plain.pool.retire(plain.connecting[0]))
        plain.request(2)
        #expect(plain.connecting.count == 1)
    }

    @Test func `connections over a removed interface are not reused`() {
        for closes in [true, false] {
            var bench = Bench { $0.closesIdleOnInterfaceLoss = closes }
            bench.request(1)
            bench.open(0, interface: "wlan0")
            bench.end(1)
            bench.perform(bench.pool.interfaceLost("wlan0"))
            #expect(bench.closed.isEmpty == !closes)
        }
    }
}
