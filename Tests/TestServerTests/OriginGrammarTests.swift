import Record
import AdapterProtocol
import ScenarioLanguage
import Testing

@testable import TestServer

private let get = "GET /big HTTP/1.1\r\nHost: api.test\r\n\r\n"
private let put = "PUT /big HTTP/1.1\r\nHost: api.test\r\nContent-Length: 100000\r\n\r\n"

extension LoopbackTests {
    /// The points inside heads and chunks, delayed effects and early responses over loopback: bytes before the point,
    /// then the effect.
    @Suite struct OriginGrammarTests {
        /// Ten bytes in chunks of four.
        private func chunked(_ point: Fault.Point, _ effect: Fault.Effect = .close) -> OriginPlan {
            var plan = OriginPlan.big(10, [Fault(point: point, effect: effect)]) { $0.framing = .chunked }
            plan.routes[0].wire.chunkSize = ByteCount(4)!
            return plan
        }

        private func cut(_ plan: OriginPlan, sending request: String = get) async throws -> RawClient {
            var found: RawClient?
            try await OriginRun.serving(plan) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send(request)
                #expect(await client.end() == .eof)
                found = client
            }
            return try #require(found)
        }

        // MARK: Points

        @Test func `a head can be cut after its status line`() async throws {
            let client = try await cut(.big(10, [Fault(point: .statusLine, effect: .close)]))
            #expect(client.text == "HTTP/1.1 200 OK\r\n")
        }

        /// `ETag: "v1"`: the first three of the five bytes after the colon.
        @Test func `a head can be cut in the middle of a header`() async throws {
            let client = try await cut(.big(10, [Fault(point: .responseHeader("etag"), effect: .close)]))
            #expect(client.text.hasSuffix("\r\nETag: \"v"))
        }

        @Test func `a fault at a header that the response does not have never happens`() async throws {
            try await OriginRun.serving(.big(10, [Fault(point: .responseHeader("X-None"), effect: .close)])) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send(get)
                #expect(await client.receiveBody(10) == Bytes.big(0, 10))
            }
        }

        @Test(arguments: [
            (Fault.Point.afterChunks(0), "", 0), (.insideChunk(1), "4\r\n", 2), (.afterChunks(1), "4\r\n", 4),
            (.insideChunk(2), "4\r\n", 6), (.afterChunks(2), "4\r\n", 8), (.insideChunk(3), "2\r\n", 9),
            (.afterChunks(3), "2\r\n", 10),
        ])
        func `a chunked body can be cut at and inside each chunk`(point: Fault.Point, last: String, count: Int)
            async throws
        {
            let client = try await cut(chunked(point))
            var expected: [UInt8] = []
            for from in stride(from: 0, to: count, by: 4) {
                let isLast = from + 4 >= count
                let size = min(4, count - from)
                expected += Array((isLast ? last : "4\r\n").utf8) + Bytes.big(Int64(from), size)
                if case .insideChunk = point, isLast {} else { expected += [13, 10] }
            }
            #expect(client.body == expected)
        }

        @Test func `inside a chunk of one byte means after its size line`() async throws {
            var plan = chunked(.insideChunk(2))
            plan.routes[0].wire.chunkSize = ByteCount(1)!
            let client = try await cut(plan)
            #expect(client.body == Array("1\r\n".utf8) + Bytes.big(0, 1) + Array("\r\n1\r\n".utf8))
        }

        @Test func `a chunked body can be cut before its trailers`() async throws {
            var plan = chunked(.trailers)
            plan.routes[0].wire.trailers = [.init("X-Sum", "1")]
            let client = try await cut(plan)
            #expect(
                client.body.suffix(7).elementsEqual(Bytes.big(9, 1) + Array("\r\n0\r\n".utf8) + [])
                    || client.text.hasSuffix("\r\n0\r\n"))
            #expect(client.text.contains("Trailer: X-Sum\r\n"))
        }

        // MARK: Effects

        /// Pieces of 40 bytes with 5 ms before each take at least their number times 5 ms; none may be early. The time starts
        /// before the request: the fault is recorded a little after the pace begins.
        @Test func `a dribble sends heads and bodies in pieces`() async throws {
            let fault = Fault(point: .responseHead(after: 0), effect: .dribble(bytes: 40, every: .milliseconds(5)))
            try await OriginRun.serving(.big(100, [fault])) { run in
                let client = try await RawClient.connect(to: run.address)
                let start = OriginRun.clock()
                client.send(get)
                await run.wait(
                    for: .fault(
                        connection: 1, request: 1, point: "responseHead", effect: "dribble: 40B every 0.005 seconds"))
                #expect(await client.receiveBody(100) == Bytes.big(0, 100))
                let didConsume = await run.time(of: .responseEnded(request: 1, bytes: 100)) - start
                let pieces = (client.bytes.count - 100 + 39) / 40 + 3
                #expect(didConsume >= Int64(pieces) * 5_000_000)
            }
        }

        @Test func `noise is sent in place of the head`() async throws {
            let client = try await cut(
                .big(10, [Fault(point: .responseHead(after: 0), effect: .noise(ByteCount(5_000)!))]))
            #expect(client.bytes.count == 5_000)
            #expect(Set(client.bytes).count > 200)
        }

        @Test func `an upload can get its response before it is complete, and the connection continues`() async throws {
            try await OriginRun.serving(
                .big(10, [Fault(point: .requestBody(1_000), effect: .answer, scope: .init(request: 1))])
            ) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send(put)
                client.send(Bytes.big(0, 1_000))
                await run.wait(for: .responseEnded(request: 1, bytes: 10))
                #expect(await client.receiveBody(10) == Bytes.big(0, 10))
                client.send(Bytes.big(1_000, 99_000))
                await run.wait(for: .requestEnded(request: 1, bodyBytes: 100_000, differsAt: nil, bodyText: nil))
                client.send(get)
                await run.wait(for: .responseEnded(request: 2, bytes: 10))
                #expect(run.origin.counts.connections == 1)
            }
        }

        @Test func `another status can replace the response, with its headers`() async throws {
            let fault = Fault(
                point: .requestHead, effect: .status(503, [.init("Retry-After", "1")]),
                scope: .init(path: "/big", first: 2))
            try await OriginRun.serving(.big(10, [fault])) { run in
                let client = try await RawClient.connect(to: run.address)
                for request in 1...2 {
                    client.send(get)
                    await run.wait {
                        $0.contains { if case .responseEnded(request: request, _) = $0 { true } else { false } }
                    }
                }
                client.send(get)
                await run.wait(for: .responseEnded(request: 3, bytes: 10))
                let statuses = run.facts.compactMap {
                    if case .responseHead(_, let status, _) = $0 { status } else { nil }
                }
                #expect(statuses == [503, 503, 200])
                let whole = await client.receive(until: "HTTP/1.1 200 OK")
                #expect(whole.contains("Retry-After: 1\r\n"))
            }
        }

        @Test func `a refused upload gets no 100 Continue`() async throws {
            try await OriginRun.serving(.big(10, [Fault(point: .requestHead, effect: .status(413, []))])) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send("PUT /big HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n")
                #expect(await client.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 413"))
            }
        }

        /// The response comes although the body never ends, and further bytes from the client stay in the kernel.
        @Test func `a server that stops reading still responds`() async throws {
            try await OriginRun.serving(.big(10, [Fault(point: .requestBody(1_000), effect: .stopReading)])) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send(put)
                client.send(Bytes.big(0, 100_000))
                await run.wait(for: .responseEnded(request: 1, bytes: 10))
                #expect(await client.receiveBody(10) == Bytes.big(0, 10))
                let other = try await RawClient.connect(to: run.address)
                other.send("GET /none HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = await other.receive(until: "404")
                #expect(!run.facts.contains { if case .requestEnded(request: 1, _, _, _) = $0 { true } else { false } })
            }
        }

        /// The refusal is sent, and the RST that ends the connection comes because the client's bytes are never read.
        @Test func `a refusal by a server that has stopped reading ends in a reset`() async throws {
            let faults = [
                Fault(point: .requestBody(1_000), effect: .status(413, [HeaderField("Connection", "close")])),
                Fault(point: .requestBody(1_000), effect: .stopReading),
            ]
            try await OriginRun.serving(.big(10, faults)) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send(put)
                client.send(Bytes.big(0, 100_000))
                _ = await client.receive(until: "413.\n")
                #expect(client.text.hasPrefix("HTTP/1.1 413"))
                await run.wait {
                    $0.contains(.fault(connection: 1, request: 1, point: "requestBody: 1000", effect: "stopReading"))
                }
                _ = await client.end()
                #expect(!run.facts.contains { if case .requestEnded = $0 { true } else { false } })
            }
        }

        // MARK: Scopes and delays

        @Test func `a fault of the second request on any connection does not affect the first ones`() async throws {
            let fault = Fault(point: .responseBody(5), effect: .close, scope: .init(exchange: 2))
            try await OriginRun.serving(.big(10, [fault])) { run in
                for connection in 1...2 {
                    let client = try await RawClient.connect(to: run.address)
                    client.send(get)
                    #expect(await client.receiveBody(10) == Bytes.big(0, 10))
                    client.send(get)
                    #expect(await client.end() == .eof)
                    #expect(client.bytes.suffix(5).elementsEqual(Bytes.big(0, 5)))
                    await run.wait(for: .closed(connection: connection, by: .server))
                }
            }
        }

        @Test func `a delayed reset comes after its delay in any state of the exchange`() async throws {
            let faults = [
                Fault(point: .requestHead, effect: .reset, delay: .milliseconds(40)),
                Fault(point: .responseBody(5), effect: .stall),
            ]
            try await OriginRun.serving(.big(10, faults)) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send(get)
                await run.wait { $0.contains { if case .requestHead = $0 { true } else { false } } }
                let start = OriginRun.clock()
                #expect(await client.end() == .reset)
                #expect(client.body == Bytes.big(0, 5))
                #expect(OriginRun.clock() - start > 30_000_000)
                #expect(
                    run.facts.contains(
                        .fault(connection: 1, request: 1, point: "requestHead", effect: "reset, 0.04 seconds after")))
            }
        }

        @Test func `an idle connection that is used again in time is not closed`() async throws {
            let fault = Fault(point: .idle, effect: .close, delay: .milliseconds(200))
            try await OriginRun.serving(.big(10, [fault])) { run in
                let client = try await RawClient.connect(to: run.address)
                for request in 1...3 {
                    client.send(get)
                    await run.wait(for: .responseEnded(request: request, bytes: 10))
                }
                let start = OriginRun.clock()
                #expect(await client.end() == .eof)
                #expect(OriginRun.clock() - start > 150_000_000)
                #expect(run.facts.filter { if case .fault = $0 { true } else { false } }.count == 1)
            }
        }
    }
}
