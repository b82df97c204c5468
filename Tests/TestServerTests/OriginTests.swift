import Record
import Glibc
import NIOCore
import NIOPosix
import ScenarioLanguage
import Synchronization
import Testing

@testable import TestServer

private let get = "GET /big HTTP/1.1\r\nHost: api.test\r\n\r\n"

extension LoopbackTests {
    /// Exchanges without faults over loopback: compares the bytes of a raw client with the record of the origin.
    @Suite struct OriginTests {
        @Test func `a body arrives whole and the record has its facts in order`() async throws {
            try await OriginRun.serving(.big(200_000)) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send(get)
                #expect(await client.receiveBody(200_000) == Bytes.big(0, 200_000))
                await run.wait(for: .responseEnded(request: 1, bytes: 200_000))
                let kinds = run.ownFacts.map { String("\($0)".prefix { $0 != "(" }) }
                #expect(kinds.prefix(4) == ["accepted", "requestHead", "requestEnded", "responseHead"])
                let counts: [Int64] = run.facts.compactMap {
                    if case .responseBody(request: 1, let bytes) = $0 { bytes } else { nil }
                }
                #expect(counts == [65_536, 131_072, 196_608, 200_000])
                #expect(kinds.last == "responseEnded")
                #expect(run.origin.counts == Origin.Counts(connections: 1, requests: 1))
            }
        }

        @Test func `a connection is kept and pipelined requests get responses in order`() async throws {
            try await OriginRun.serving(.big(10)) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send(get + "GET /none HTTP/1.1\r\nHost: a\r\n\r\n" + get)
                await run.wait(for: .responseEnded(request: 3, bytes: 10))
                #expect(await client.receive(until: "/echo.\nHTTP/1.1 200 OK").contains("HTTP/1.1 404 Not Found"))
                let exchanges: [Int] = run.facts.compactMap {
                    if case .requestHead(_, let number, _, _, _, _) = $0 { number } else { nil }
                }
                #expect(exchanges == [1, 2, 3])
                #expect(!client.hasEnded)
            }
        }

        @Test(arguments: ["GET /big HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "GET /big HTTP/1.0\r\n\r\n"])
        func `a client that requests the end gets it after the body`(request: String) async throws {
            try await OriginRun.serving(.big(10)) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send(request)
                #expect(await client.end() == .eof)
                #expect(client.body == Bytes.big(0, 10))
                await run.wait(for: .closed(connection: 1, by: .server))
            }
        }

        @Test func `a chunked body is framed and ends with its last chunk`() async throws {
            try await OriginRun.serving(.big(70_000) { $0.framing = .chunked }) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send(get)
                let text =
                    Array("10000\r\n".utf8) + Bytes.big(0, 65_536) + Array("\r\n1170\r\n".utf8)
                    + Bytes.big(65_536, 4_464)
                    + Array("\r\n0\r\n\r\n".utf8)
                #expect(await client.receiveBody(text.count) == text)
                await run.wait(for: .responseEnded(request: 1, bytes: 70_000))
            }
        }

        @Test func `a body without a length ends with the connection`() async throws {
            try await OriginRun.serving(.big(70_000) { $0.framing = .untilClose }) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send(get)
                #expect(await client.end() == .eof)
                #expect(client.body == Bytes.big(0, 70_000))
            }
        }

        @Test func `an upload is compared while it arrives`() async throws {
            try await OriginRun.serving(.big(10)) { run in
                let client = try await RawClient.connect(to: run.address)
                var body = Bytes.big(0, 300_000)
                client.send("PUT /big HTTP/1.1\r\nHost: a\r\nContent-Length: 300000\r\n\r\n")
                client.send(body)
                await run.wait(for: .requestEnded(request: 1, bodyBytes: 300_000, differsAt: nil, bodyText: nil))
                body[299_999] ^= 0x80
                client.send("PUT /big HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n493e0\r\n")
                client.send(body)
                client.send("\r\n0\r\n\r\n")
                await run.wait(for: .requestEnded(request: 2, bodyBytes: 300_000, differsAt: 299_999, bodyText: nil))
            }
        }

        @Test func `the reply to Expect comes before the body is sent`() async throws {
            try await OriginRun.serving(.big(10)) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send("POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\n")
                #expect(await client.receive(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
                client.send("hi")
                #expect(
                    await client.receive(until: "\r\n\r\nhi").contains(
                        "POST /echo\r\nHost: a\r\nExpect: 100-Continue\r\n"))
                await run.wait(for: .requestEnded(request: 1, bodyBytes: 2, differsAt: nil, bodyText: "hi"))
            }
        }

        @Test func `bytes that are not HTTP are recorded, get 400 and end the connection`() async throws {
            try await OriginRun.serving(.big(10)) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send([0x16, 3, 1, 0, 5])
                #expect(await client.end() == .eof)
                #expect(client.text.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
                await run.wait(for: .badRequest(connection: 1, reason: "a TLS ClientHello on a port without TLS"))
                #expect(run.origin.counts.requests == 0)
            }
        }

        @Test func `a response waits at its breakpoints until it is resumed`() async throws {
            try await OriginRun.serving(.big(200_000), breakpoints: [(1, 0), (1, 70_000), (1, 200_000)]) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send(get)
                await run.wait(for: .responseBody(request: 1, bytes: 0))
                #expect(client.body.isEmpty)
                run.origin.resumeBreakpoint(request: 1, bytes: 0)
                await run.wait(for: .responseBody(request: 1, bytes: 70_000))
                #expect(await client.receiveBody(70_000) == Bytes.big(0, 70_000))
                // Another connection is served meanwhile: the origin's event loop has run, and nothing more has arrived
                // here.
                let other = try await RawClient.connect(to: run.address)
                other.send(get)
                _ = await other.receiveBody(200_000)
                #expect(client.body.count == 70_000)
                run.origin.resumeBreakpoint(request: 1, bytes: 70_000)
                await run.wait(for: .responseBody(request: 1, bytes: 200_000))
                #expect(!run.facts.contains(.responseEnded(request: 1, bytes: 200_000)))
                run.origin.resumeBreakpoint(request: 1, bytes: 200_000)
                await run.wait(for: .responseEnded(request: 1, bytes: 200_000))
            }
        }

        @Test func `a breakpoint released early does not stop the response`() async throws {
            try await OriginRun.serving(.big(100), breakpoints: [(1, 50)]) { run in
                run.origin.resumeBreakpoint(request: 1, bytes: 50)
                let client = try await RawClient.connect(to: run.address)
                client.send(get)
                await run.wait(for: .responseEnded(request: 1, bytes: 100))
            }
        }

        @Test func `an idle connection is closed after its time`() async throws {
            var plan = OriginPlan.big(10)
            plan.idleTimeout = .milliseconds(20)
            try await OriginRun.serving(plan) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send(get)
                #expect(await client.end() == .eof)
                #expect(client.body.count == 10)
                await run.wait(for: .closed(connection: 1, by: .server))
            }
        }

        @Test func `a client that disconnects is recorded with the bytes it received`() async throws {
            try await OriginRun.serving(.big(100_000), breakpoints: [(1, 10)]) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send(get)
                await run.wait(for: .responseBody(request: 1, bytes: 10))
                _ = await client.receiveBody(10)
                client.close()
                await run.wait(for: .closed(connection: 1, by: .client))
            }
        }

        @Test func `a slow reader gets everything while the origin holds one piece`() async throws {
            try await OriginRun.serving(.big(8_000_000)) { run in
                let client = try await RawClient.connect(to: run.address, reading: false)
                client.send(get)
                await run.wait { $0.contains { if case .responseBody = $0 { true } else { false } } }
                #expect(!run.facts.contains(.responseEnded(request: 1, bytes: 8_000_000)))
                try await client.startReading()
                await run.wait(for: .responseEnded(request: 1, bytes: 8_000_000))
                let body = await client.receiveBody(8_000_000)
                #expect(body.count == 8_000_000)
                #expect(body.suffix(100).elementsEqual(Bytes.big(7_999_900, 100)))
            }
        }

        @Test func `floods are reported once for each kind, and too many open connections are reset`() async throws {
            let floods = Mutex<[OriginFlood]>([])
            let limits = OriginLimits(requests: 1, connections: 10, openConnections: 1)
            try await OriginRun.serving(
                .big(10), limits: limits, flood: { flood in floods.withLock { $0.append(flood) } }
            ) { run in
                let first = try await RawClient.connect(to: run.address)
                first.send(get + get + get)
                await run.wait(for: .responseEnded(request: 3, bytes: 10))
                let second = try await RawClient.connect(to: run.address)
                #expect(await second.end() == .reset)
                #expect(
                    floods.withLock { $0 } == [
                        OriginFlood(kind: .requests, limit: 1), OriginFlood(kind: .openConnections, limit: 1),
                    ])
            }
        }

        @Test func `stop closes everything immediately, in any state`() async throws {
            try await OriginRun.serving(.big(10, [Fault(point: .requestHead, effect: .stall)])) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send(get)
                await run.wait(for: .fault(connection: 1, request: 1, point: "requestHead", effect: "stall"))
                let start = OriginRun.clock()
                await run.origin.stop()
                // Idle machines need a millisecond; busy ones may take longer, but the origin itself does not wait.
                #expect(OriginRun.clock() - start < 900_000_000)
                _ = await client.end()
                await #expect(throws: (any Error).self) { try await RawClient.connect(to: run.address) }
            }
        }

        @Test func `an origin starts once, and TLS sockets need a certificate`() async throws {
            try await OriginRun.serving(.big(10)) { run in
                await #expect(throws: TestServerError.alreadyStarted) { try await run.origin.start(plain: []) }
            }
            let origin = Origin(
                plan: OriginPlan(), seed: 1, group: .singletonMultiThreadedEventLoopGroup, clock: OriginRun.clock
            ) { _ in }
            await #expect(throws: TestServerError.noIdentity) { try await origin.start(plain: [], tls: [-1]) }
        }

        @Test func `a descriptor that cannot listen is refused by name`() async throws {
            let origin = Origin(
                plan: OriginPlan(), seed: 1, group: .singletonMultiThreadedEventLoopGroup, clock: OriginRun.clock
            ) { _ in }
            let datagrams = try BoundSocket.loopback(SOCK_DGRAM, family: AF_INET)
            await #expect {
                try await origin.start(plain: [datagrams.descriptor])
            } throws: { error in
                "\(error)".contains("cannot listen on descriptor \(datagrams.descriptor)")
            }
        }
    }
}
