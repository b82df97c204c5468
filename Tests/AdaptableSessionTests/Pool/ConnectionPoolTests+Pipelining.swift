import Testing

@testable import AdaptableSession

/// Each test needs a connection on which a response was complete, so request 1 comes first and alone.
extension ConnectionPoolTests {
    private func pipelining(limit: Int = 1) -> Bench {
        var bench = Bench { $0.connectionsPerHost = limit }
        bench.request(1, mayPipeline: true)
        bench.open(0)
        bench.end(1, allowsPipelining: true)
        return bench
    }

    private func started(_ bench: Bench) -> [Int] { bench.started.map(\.request) }

    @Test func `requests that allow it are sent before the response, up to the depth, and then in order`() {
        var bench = pipelining()
        for number in 2...7 { bench.request(number, mayPipeline: true) }
        #expect(started(bench) == [1, 2, 3, 4, 5])
        bench.end(2, allowsPipelining: true)
        #expect(started(bench) == [1, 2, 3, 4, 5, 6])
        #expect(bench.connecting.count == 1)
        #expect(bench.started.map(\.isReused) == [false, true, true, true, true, true])
    }

    @Test func `other requests wait for the response`() {
        var bench = pipelining()
        bench.request(2)
        bench.request(3)
        #expect(started(bench) == [1, 2])
    }

    @Test func `no request is sent behind one that does not allow it, and none overtakes it`() {
        var bench = pipelining()
        bench.request(2)
        bench.request(3, mayPipeline: true)
        #expect(started(bench) == [1, 2])
        bench.end(2)
        bench.request(4)
        bench.request(5, mayPipeline: true)
        #expect(started(bench) == [1, 2, 3])
        bench.end(3)
        #expect(started(bench) == [1, 2, 3, 4])
        bench.end(4)
        #expect(started(bench) == [1, 2, 3, 4, 5])
    }

    @Test func `before the first complete response nothing is pipelined`() {
        var bench = Bench { $0.connectionsPerHost = 1 }
        bench.request(1, mayPipeline: true)
        bench.request(2, mayPipeline: true)
        bench.open(0)
        #expect(started(bench) == [1])
        bench.end(1)
        bench.request(3, mayPipeline: true)
        #expect(started(bench) == [1, 2], "an HTTP/1.0 server, for example")
        bench.end(2, allowsPipelining: true)
        bench.request(4, mayPipeline: true)
        #expect(started(bench) == [1, 2, 3, 4])
    }

    @Test func `below the limit a new connection is opened instead, and the least busy one is pipelined on`() {
        var bench = pipelining(limit: 2)
        bench.request(2, mayPipeline: true)
        bench.request(3, mayPipeline: true)
        #expect(started(bench) == [1, 2])
        #expect(bench.connecting.count == 2)
        bench.request(4, mayPipeline: true)
        #expect(started(bench) == [1, 2, 4], "request 3 has a connection attempt of its own")
        bench.open(1)
        #expect(started(bench) == [1, 2, 4, 3])
        bench.end(3, allowsPipelining: true)
        for number in 5...7 { bench.request(number, mayPipeline: true) }
        let places = bench.started.dropFirst(4).map(\.connection)
        #expect(places == [bench.connecting[1], bench.connecting[1], bench.connecting[0]])
    }

    @Test func `a retiring connection and a pinned one get no further request, and the first task keeps its pin`() {
        var bench = pipelining()
        bench.request(2, mayPipeline: true)
        bench.request(3, mayPipeline: true)
        bench.pool.pin(bench.connecting[0], to: 2)
        bench.pool.pin(bench.connecting[0], to: 3)
        bench.request(4, owner: 2, mayPipeline: true)
        #expect(started(bench) == [1, 2, 3])
        bench.end(2)
        bench.end(3)
        #expect(started(bench) == [1, 2, 3, 4])
        var retiring = pipelining()
        retiring.request(2, mayPipeline: true)
        retiring.perform(retiring.pool.retire(retiring.connecting[0]))
        retiring.request(3, mayPipeline: true)
        #expect(started(retiring) == [1, 2])
    }

    @Test func `a connection whose exchange was interrupted closes after the exchanges before it`() {
        var bench = pipelining()
        bench.request(2, mayPipeline: true)
        bench.request(3, mayPipeline: true)
        bench.end(3, isReusable: false)
        bench.request(4, mayPipeline: true)
        #expect(bench.closed.isEmpty)
        #expect(started(bench) == [1, 2, 3])
        bench.end(2)
        #expect(bench.closed == [bench.connecting[0]])
        #expect(bench.connecting.count == 2)
    }
}
