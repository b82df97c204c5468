import Record
import ScenarioLanguage
import Testing

@testable import TestServer

private let get = "GET /big HTTP/1.1\r\nHost: api.test\r\n\r\n"

extension LoopbackTests {
    /// Each fault over loopback: the client must receive exactly the bytes before the point and then exactly the
    /// effect.
    @Suite struct OriginFaultTests {
        private func plan(
            _ point: Fault.Point, _ effect: Fault.Effect, _ scope: Fault.Scope = Fault.Scope(), size: Int64 = 300_000
        ) -> OriginPlan {
            .big(size, [Fault(point: point, effect: effect, scope: scope)])
        }

        private func fault(
            _ point: String, _ effect: String, connection: Int = 1, request: Int? = 1
        ) -> ServerFact {
            .fault(connection: connection, request: request, point: point, effect: effect)
        }

        @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 123_457, 300_000] as [Int64])
        func `a reset at byte N comes after exactly N bytes`(count: Int64) async throws {
            try await OriginRun.serving(plan(.responseBody(count), .reset)) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send(get)
                #expect(await client.end() == .reset)
                #expect(client.body == Bytes.big(0, Int(count)))
                #expect(
                    run.ownFacts.suffix(3) == [
                        .responseBody(request: 1, bytes: count), fault("responseBody: \(count)", "reset"),
                        .closed(connection: 1, by: .server),
                    ])
            }
        }

        /// A client with a small buffer that does not read: most of the bytes are in the server's kernel when the fault
        /// is due, and an immediate RST would destroy them. The last piece is written in the same event-loop turn as
        /// the fault.
        @Test func `a reset waits until the bytes before it have arrived`() async throws {
            try await OriginRun.serving(plan(.responseBody(262_144), .reset, size: 2_000_000)) { run in
                let client = try await RawClient.connect(to: run.address, reading: false, receiveBuffer: 16_384)
                client.send(get)
                await run.wait(for: .responseBody(request: 1, bytes: 262_144))
                // Another exchange: by its end the origin could have sent the reset.
                let other = try await RawClient.connect(to: run.address)
                other.send("GET /none HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = await other.receive(until: "404")
                #expect(!run.facts.contains(.closed(connection: 1, by: .server)))
                try await client.startReading()
                #expect(await client.end() == .reset)
                #expect(client.body == Bytes.big(0, 262_144))
                #expect(run.facts.contains(fault("responseBody: 262144", "reset")))
            }
        }

        @Test(arguments: [0, 1, 65_536, 123_457] as [Int64])
        func `a close at byte N is a FIN after exactly N bytes`(count: Int64) async throws {
            try await OriginRun.serving(plan(.responseBody(count), .close)) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send(get)
                #expect(await client.end() == .eof)
                #expect(client.body == Bytes.big(0, Int(count)))
                await run.wait(for: .closed(connection: 1, by: .server))
            }
        }

        @Test func `a chunked body ends inside, without its last chunk`() async throws {
            let faults = [Fault(point: .responseBody(5), effect: .close)]
            try await OriginRun.serving(.big(10, faults) { $0.framing = .chunked }) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send(get)
                #expect(await client.end() == .eof)
                #expect(client.body == Array("a\r\n".utf8) + Bytes.big(0, 5))
            }
        }

        @Test func `a stall leaves the connection open, and later requests without a response`() async throws {
            try await OriginRun.serving(plan(.responseBody(100), .stall)) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send(get)
                await run.wait(for: fault("responseBody: 100", "stall"))
                #expect(await client.receiveBody(100) == Bytes.big(0, 100))
                client.send(get)
                await run.wait {
                    $0.contains { if case .requestEnded(request: 2, _, _, _) = $0 { true } else { false } }
                }
                #expect(client.body.count == 100)
                #expect(!client.hasEnded)
                client.close()
                await run.wait(for: .closed(connection: 1, by: .client))
            }
        }

        /// 20,000 bytes at 1.6 Mbit/s take 100 ms; busy machines may be late, none may be early. The machine's own test
        /// shows that no time is lost.
        @Test func `a throttle keeps its rate`() async throws {
            let rate = try #require(BitRate(bitsPerSecond: 1_600_000))
            try await OriginRun.serving(plan(.responseBody(10_000), .throttle(rate), size: 30_000)) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send(get)
                let start = await run.time(of: fault("responseBody: 10000", "throttle: 1.6Mbit/s"))
                let didConsume = Double(await run.time(of: .responseEnded(request: 1, bytes: 30_000)) - start) / 1e9
                #expect(didConsume > 0.095)
                #expect(await client.receiveBody(30_000) == Bytes.big(0, 30_000))
            }
        }

        @Test func `a throttled upload is read slowly`() async throws {
            let rate = try #require(BitRate(bitsPerSecond: 1_600_000))
            try await OriginRun.serving(plan(.requestBody(10_000), .throttle(rate), size: 10)) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send("PUT /big HTTP/1.1\r\nHost: a\r\nContent-Length: 30000\r\n\r\n")
                client.send(Bytes.big(0, 30_000))
                let start = await run.time(of: fault("requestBody: 10000", "throttle: 1.6Mbit/s"))
                let end = await run.time(
                    of: .requestEnded(request: 1, bodyBytes: 30_000, differsAt: nil, bodyText: nil))
                #expect(end - start > 90_000_000)
            }
        }

        @Test func `a pause lets the exchange continue afterwards`() async throws {
            try await OriginRun.serving(plan(.responseBody(7), .pause(.milliseconds(30)), size: 100)) { run in
                let client = try await RawClient.connect(to: run.address)
                // The fault is recorded a little after the pause begins.
                let start = OriginRun.clock()
                client.send(get)
                await run.wait(for: fault("responseBody: 7", "pause: 0.03 seconds"))
                #expect(await client.receiveBody(100) == Bytes.big(0, 100))
                #expect(await run.time(of: .responseEnded(request: 1, bytes: 100)) - start >= 30_000_000)
            }
        }

        @Test func `a half close ends the server's side and still reads`() async throws {
            try await OriginRun.serving(plan(.requestHead, .halfClose)) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send("PUT /big HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n")
                #expect(await client.end() == .eof)
                #expect(client.bytes.isEmpty)
                client.send(Bytes.big(0, 10))
                await run.wait(for: .requestEnded(request: 1, bodyBytes: 10, differsAt: nil, bodyText: nil))
                client.close()
                await run.wait(for: .closed(connection: 1, by: .client))
            }
        }

        @Test(arguments: [(Fault.Effect.reset, RawClient.End.reset), (.close, .eof)])
        func `a request can get an end instead of a response`(effect: Fault.Effect, end: RawClient.End)
            async throws
        {
            try await OriginRun.serving(plan(.requestHead, effect)) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send(get)
                #expect(await client.end() == end)
                #expect(client.bytes.isEmpty)
            }
        }

        @Test(arguments: [(Fault.Effect.reset, RawClient.End.reset), (.close, .eof)])
        func `a connection can end at accept`(effect: Fault.Effect, end: RawClient.End) async throws {
            try await OriginRun.serving(plan(.accept, effect, Fault.Scope(connection: 1))) { run in
                let client = try await RawClient.connect(to: run.address)
                #expect(await client.end() == end)
                let second = try await RawClient.connect(to: run.address)
                second.send(get)
                #expect(await second.receiveBody(1_000) == Bytes.big(0, 1_000))
                #expect(run.origin.counts == Origin.Counts(connections: 2, requests: 1))
            }
        }

        @Test func `garbage is sent in place of the head`() async throws {
            try await OriginRun.serving(plan(.responseHead(after: 0), .garbage("HTTP/9 what\r\n"))) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send(get)
                #expect(await client.end() == .eof)
                #expect(client.text == "HTTP/9 what\r\n")
            }
        }

        @Test func `a head can be cut after its first bytes`() async throws {
            try await OriginRun.serving(plan(.responseHead(after: 12), .close)) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send(get)
                #expect(await client.end() == .eof)
                #expect(client.text == "HTTP/1.1 200")
                #expect(!run.facts.contains { if case .responseHead = $0 { true } else { false } })
            }
        }

        @Test func `an upload can be cut at a byte`() async throws {
            try await OriginRun.serving(plan(.requestBody(1_000), .reset)) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send("PUT /big HTTP/1.1\r\nHost: a\r\nContent-Length: 3000000\r\n\r\n")
                client.send(Bytes.big(0, 1_000))
                #expect(await client.end() == .reset)
                #expect(run.facts.contains(fault("requestBody: 1000", "reset")))
                #expect(!run.facts.contains { if case .requestEnded = $0 { true } else { false } })
            }
        }

        /// By the end of another exchange the origin could have read on.
        @Test func `a stalled upload is not read on`() async throws {
            try await OriginRun.serving(plan(.requestBody(1_000), .stall)) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send("PUT /big HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n")
                client.send(Bytes.big(0, 100))
                await run.wait(for: .requestEnded(request: 1, bodyBytes: 100, differsAt: nil, bodyText: nil))
                client.send("PUT /big HTTP/1.1\r\nHost: a\r\nContent-Length: 3000\r\n\r\n")
                client.send(Bytes.big(0, 3_000))
                await run.wait(for: fault("requestBody: 1000", "stall", request: 2))
                let other = try await RawClient.connect(to: run.address)
                other.send(get)
                _ = await other.receiveBody(300_000)
                #expect(!run.facts.contains { if case .requestEnded(request: 2, _, _, _) = $0 { true } else { false } })
            }
        }

        @Test func `an idle connection ends right after its exchange`() async throws {
            try await OriginRun.serving(plan(.idle, .close, Fault.Scope(request: 2), size: 10)) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send(get)
                await run.wait(for: .responseEnded(request: 1, bytes: 10))
                client.send(get)
                #expect(await client.end() == .eof)
                #expect(
                    run.ownFacts.suffix(3) == [
                        .responseEnded(request: 2, bytes: 10), fault("idle", "close", request: 2),
                        .closed(connection: 1, by: .server),
                    ])
            }
        }

        @Test func `a request on a reused connection encounters the close race`() async throws {
            try await OriginRun.serving(plan(.reusedRequest, .reset, Fault.Scope(first: 1), size: 10)) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send(get)
                #expect(await client.receiveBody(10) == Bytes.big(0, 10))
                client.send(get)
                #expect(await client.end() == .reset)
                #expect(client.body.count == 10)
                let second = try await RawClient.connect(to: run.address)
                second.send(get)
                _ = await second.receiveBody(10)
                second.send(get)
                await run.wait(for: .responseEnded(request: 4, bytes: 10))
            }
        }

        @Test func `faults of requests happen on reused connections too`() async throws {
            try await OriginRun.serving(plan(.responseBody(5), .reset, Fault.Scope(request: 3), size: 10)) { run in
                let client = try await RawClient.connect(to: run.address)
                for request in 1...2 {
                    client.send(get)
                    await run.wait(for: .responseEnded(request: request, bytes: 10))
                }
                client.send(get)
                #expect(await client.end() == .reset)
                #expect(client.bytes.suffix(5).elementsEqual(Bytes.big(0, 5)))
            }
        }
    }
}
