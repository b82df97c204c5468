import Record
import AdapterProtocol
import NIOCore
import ScenarioLanguage
import Testing

@testable import TestServer

/// Each fault on a stream: exactly the bytes before the point, then exactly the effect, and other streams are not
/// affected.
struct HTTP2FaultTests {
    private func rig(
        _ point: Fault.Point, _ effect: Fault.Effect, _ scope: Fault.Scope = Fault.Scope(), size: Int64 = 50_000,
        after: Duration? = nil
    ) -> HTTP2Rig {
        HTTP2Rig(.big(size, [Fault(point: point, effect: effect, scope: scope, delay: after)]))
    }

    @Test(arguments: [0, 1, 16_383, 16_384, 16_385, 50_000] as [Int64])
    func `RST_STREAM at byte N comes after exactly N bytes, and the other stream is whole`(count: Int64) {
        var rig = rig(.responseBody(count), .stream(.resetStream(HTTP2ErrorCode(rawValue: 2))), Fault.Scope(stream: 1))
        rig.request(1, "/big")
        rig.request(3, "/big")
        rig.send(Frame.windowUpdate(0, 1 << 20))
        rig.drainWrites()
        #expect(rig.body(1) == Bytes.big(0, Int(count)))
        #expect(rig.frames(.resetStream) == [HTTP2Rig.Sent(type: 3, flags: 0, stream: 1, payload: [0, 0, 0, 2])])
        #expect(!rig.frames.contains { $0.stream == 1 && $0.endsStream })
        #expect(rig.body(3) == Bytes.big(0, 50_000))
        #expect(
            rig.facts.contains(
                .fault(
                    connection: 1, request: 1, point: "responseBody: \(count)", effect: "resetStream: INTERNAL_ERROR")))
    }

    @Test func `a refused stream gets nothing, and the next try succeeds`() {
        var rig = rig(
            .requestHead, .stream(.resetStream(.refusedStream)), Fault.Scope(path: "/big", first: 1), size: 100)
        rig.request(1, "/big")
        rig.request(3, "/big")
        rig.drainWrites()
        #expect(rig.frames(.resetStream).map(\.code) == [7])
        #expect(rig.heads(1).isEmpty)
        #expect(rig.body(3) == Bytes.big(0, 100))
    }

    @Test func `GOAWAY lets the streams up to the last one finish, ignores later ones and then closes`() {
        let goAway = Fault(
            point: .responseBody(20_000), effect: .stream(.goAway(.noError, last: .this)), scope: Fault.Scope(stream: 3)
        )
        var rig = HTTP2Rig(.big(50_000, [goAway]), settings: HTTP2Rig.setting(.initialWindowSize, 25_000))
        rig.request(1, "/big")
        rig.request(3, "/big")
        rig.drainWrites()
        rig.request(5, "/big")
        #expect(rig.frames(.goAway).map(\.number) == [3])
        #expect(!rig.has(.finish(closeNotify: true)))
        for stream in [0, 1, 3] { rig.send(Frame.windowUpdate(stream, 1 << 20)) }
        rig.drainWrites()
        #expect(rig.body(1) == Bytes.big(0, 50_000))
        #expect(rig.body(3) == Bytes.big(0, 50_000))
        #expect(rig.heads(5).isEmpty)
        #expect(rig.origin.requests == 2)
        #expect(rig.has(.finish(closeNotify: true)))
        #expect(
            rig.facts.contains(
                .frame(
                    connection: 1, stream: 5, request: nil, by: .client, type: "HEADERS",
                    text: "ignored after GOAWAY")))
    }

    @Test func `GOAWAY before a stream leaves it without a response`() {
        var rig = rig(.requestHead, .stream(.goAway(.enhanceYourCalm, last: .before)), Fault.Scope(stream: 3))
        rig.request(1, "/big")
        rig.request(3, "/big")
        rig.drainWrites()
        #expect(rig.frames(.goAway).map(\.number) == [1])
        #expect(rig.frames(.goAway).map(\.code) == [11])
        #expect(rig.heads(3).isEmpty)
    }

    /// The kernel has not accepted them when the stream goes, but they come before the GOAWAY and reach the client.
    @Test(arguments: [StreamEffect.goAway(.noError, last: .before), .resetStream(.cancel)])
    func `what was written of a stream before its end is recorded`(effect: StreamEffect) {
        let fault = Fault(point: .responseBody(10_000), effect: .stream(effect), scope: Fault.Scope(stream: 3))
        let reset = Fault(
            point: .responseBody(10_000), effect: .stream(.resetStream(.cancel)), scope: Fault.Scope(stream: 5))
        var rig = HTTP2Rig(
            .big(50_000, [fault, reset]), settings: HTTP2Rig.setting(.initialWindowSize, 25_000))
        for stream in [1, 3, 5] { rig.request(stream, "/big") }
        rig.drainWrites()
        #expect(!rig.body(5).isEmpty)
        for (stream, request) in [(3, 2), (5, 3)] {
            let recorded = rig.facts.compactMap { fact -> Int64? in
                if case .responseBody(request, let bytes) = fact { bytes } else { nil }
            }
            #expect(recorded.max() == Int64(rig.body(stream).count), "stream \(stream)")
            #expect(rig.facts.contains { if case .responseHead(request, _, _) = $0 { true } else { false } })
        }
    }

    @Test func `GOAWAY with the highest number only announces the end`() {
        var rig = rig(
            .requestHead, .stream(.goAway(.noError, last: .number(0x7FFF_FFFF))), Fault.Scope(first: 1), size: 10)
        rig.request(1, "/big")
        rig.drainWrites()
        rig.request(3, "/big")
        rig.drainWrites()
        #expect(rig.body(3).count == 10)
        #expect(!rig.has(.finish(closeNotify: true)))
    }

    @Test func `GOAWAY with a later number still accepts the streams up to and including it`() {
        var rig = rig(.requestHead, .stream(.goAway(.noError, last: .number(3))), Fault.Scope(first: 1), size: 10)
        rig.request(1, "/big")
        rig.drainWrites()
        rig.request(3, "/big")
        rig.request(5, "/big")
        rig.drainWrites()
        #expect(rig.body(3).count == 10)
        #expect(rig.heads(5).isEmpty)
        #expect(rig.has(.finish(closeNotify: true)))
    }

    @Test func `SETTINGS during a response apply from the client's acknowledgement`() {
        var rig = rig(
            .responseBody(10), .stream(.settings([HTTP2Setting(.maxConcurrentStreams, 1)])), Fault.Scope(first: 1))
        rig.send(Frame.bytes(.settings, Frame.Flag.acknowledges))
        rig.request(1, "/big")
        rig.drainWrites()
        #expect(rig.frames(.settings).last?.payload == [0, 3, 0, 0, 0, 1])
        rig.request(3, "/big")
        rig.request(5, "/big")
        rig.drainWrites()
        #expect(rig.frames(.resetStream).isEmpty)
        rig.send(Frame.bytes(.settings, Frame.Flag.acknowledges))
        rig.request(7, "/big")
        #expect(rig.frames(.resetStream).map(\.stream) == [7])
    }

    @Test func `a flood of PING is counted until all is acknowledged`() {
        var rig = rig(.requestHead, .stream(.pingFlood(3)), size: 10)
        rig.request(1, "/big")
        rig.drainWrites()
        #expect(rig.frames(.ping).count == 3)
        for ping in rig.frames(.ping) { rig.send(Frame.bytes(.ping, Frame.Flag.acknowledges, ping.payload)) }
        #expect(
            rig.facts.contains(
                .frame(connection: 1, stream: 0, request: nil, by: .client, type: "PING", text: "all acknowledged")))
        #expect(rig.body(1).count == 10)
    }

    @Test func `a raw frame is sent as written`() {
        let frame = RawFrame(type: 8, payload: [0, 0, 0, 0], length: 5)
        var rig = rig(.responseBody(10), .stream(.frame(frame)), size: 20)
        rig.request(1, "/big")
        rig.drainWrites()
        let at = rig.bytes.indices.first {
            Array(rig.bytes[$0...].prefix(13)) == [0, 0, 5, 8, 0, 0, 0, 0, 1, 0, 0, 0, 0]
        }
        #expect(at != nil)
    }

    @Test func `a stall is one of the stream, silence one of the connection`() {
        var rig = rig(.responseBody(10), .stall, Fault.Scope(stream: 1), size: 20)
        rig.request(1, "/big")
        rig.request(3, "/big")
        rig.drainWrites()
        #expect(rig.body(1).count == 10)
        #expect(rig.body(3).count == 20)
        var silent = self.rig(.responseBody(10), .stream(.silence), Fault.Scope(stream: 1), size: 20)
        silent.request(1, "/big")
        silent.drainWrites()
        silent.request(3, "/big")
        silent.send(Frame.bytes(.ping, [0, 0, 0, 0, 0, 0, 0, 0]))
        silent.drainWrites()
        #expect(silent.body(3).isEmpty)
        #expect(silent.frames(.ping).isEmpty)
        #expect(silent.origin.requests == 2)
        #expect(!silent.has(.close))
    }

    @Test func `a pause delays its stream and then lets it continue`() {
        var rig = rig(.responseBody(10), .pause(.seconds(2)), size: 20)
        rig.request(1, "/big")
        rig.drainWrites()
        #expect(rig.body(1).count == 10)
        #expect(rig.due(.hold) == rig.now + 2_000_000_000)
        rig.now += 2_000_000_000
        rig.send(.timer(.hold))
        rig.drainWrites()
        #expect(rig.body(1) == Bytes.big(0, 20))
    }

    @Test func `a reset of the connection waits until the client has everything before it`() {
        var rig = rig(.responseBody(20_000), .reset)
        rig.request(1, "/big")
        rig.drainWrites()
        #expect(rig.has(.countUnacknowledged))
        #expect(!rig.has(.reset))
        rig.send(.unacknowledged(5))
        #expect(rig.due(.hold) == rig.now + ConnectionMachine.acknowledgementPoll)
        rig.send(.timer(.hold))
        rig.send(.unacknowledged(0))
        #expect(rig.has(.reset))
        #expect(rig.body(1) == Bytes.big(0, 20_000))
        #expect(
            rig.facts.suffix(3) == [
                .responseBody(request: 1, bytes: 20_000),
                .fault(connection: 1, request: 1, point: "responseBody: 20000", effect: "reset"),
                .closed(connection: 1, by: .server),
            ])
    }

    @Test func `a close sends close_notify in TLS, one without notify does not`() {
        for (effect, notifies) in [(Fault.Effect.close, true), (.closeWithoutNotify, false)] {
            var rig = rig(.responseBody(7), effect)
            rig.request(1, "/big")
            rig.drainWrites()
            #expect(rig.has(.finish(closeNotify: notifies)))
            #expect(rig.body(1).count == 7)
        }
    }

    @Test func `garbage is sent in place of a frame`() {
        var rig = rig(.responseBody(7), .garbage("this is no frame"))
        rig.request(1, "/big")
        rig.drainWrites()
        #expect(rig.bytes.suffix(16) == Array("this is no frame".utf8))
        #expect(rig.has(.finish(closeNotify: false)))
    }

    @Test(arguments: [Fault.Point.statusLine, .responseHeader("content-length"), .responseHead(after: 5)])
    func `a head can be split anywhere, and continues in CONTINUATION after a pause`(point: Fault.Point) {
        var rig = rig(point, .pause(.seconds(1)), Fault.Scope(stream: 1), size: 10)
        rig.request(1, "/big")
        rig.request(3, "/big")
        rig.drainWrites()
        #expect(rig.frames(.headers).map(\.stream) == [1])
        #expect(rig.frames(.headers).first?.flags == 0)
        // Other frames are not allowed between the parts of a block: the other stream waits.
        #expect(rig.frames(.continuation).isEmpty)
        rig.now += 1_000_000_000
        rig.send(.timer(.hold))
        rig.drainWrites()
        #expect(rig.heads(1).first?[":status"] == "200")
        #expect(rig.body(1) == Bytes.big(0, 10))
        #expect(rig.body(3) == Bytes.big(0, 10))
    }

    @Test func `an early response ends before the request does`() {
        var rig = rig(.requestBody(100), .status(413, []))
        rig.request(1, "/big", method: "POST", ends: false)
        rig.data(1, Bytes.big(0, 100))
        rig.drainWrites()
        #expect(rig.heads(1).first?[":status"] == "413")
        #expect(rig.frames.last?.endsStream == true)
        rig.data(1, Bytes.big(100, 100), ends: true)
        rig.request(3, "/echo")
        rig.drainWrites()
        #expect(rig.heads(3).first?[":status"] == "200")
        #expect(rig.badRequests.isEmpty)
    }

    @Test(arguments: [Fault.Point.requestHead, .reusedRequest])
    func `a request without a body can get another status instead of its route's response`(point: Fault.Point) {
        let faults = [
            Fault(point: point, effect: .status(503, []), scope: Fault.Scope(stream: 3)),
            Fault(point: point, effect: .stream(.pingFlood(1)), scope: Fault.Scope(stream: 3)),
        ]
        var rig = HTTP2Rig(.big(100, faults))
        for stream in [1, 3, 5] { rig.request(stream, "/big") }
        rig.drainWrites()
        #expect([1, 3, 5].map { rig.heads($0).first?[":status"] } == ["200", "503", "200"])
        #expect(rig.frames(.ping).count == 1)
        #expect(rig.body(5) == Bytes.big(0, 100))
        #expect(rig.facts.contains(.fault(connection: 1, request: 2, point: point.description, effect: "status: 503")))
    }

    @Test func `a body is sent at the rate of its throttle`() {
        var rig = rig(.responseHead(after: 0), .throttle(BitRate(bitsPerSecond: 80_000)!), size: 1_000)
        rig.request(1, "/big")
        rig.drainWrites()
        // 10 kB/s in pieces of 10 ms: 100 bytes each.
        #expect(rig.body(1).isEmpty)
        for _ in 0..<4 {
            rig.now += 10_000_000
            rig.send(.timer(.hold))
            rig.drainWrites()
        }
        #expect(rig.body(1).count == 400)
    }

    @Test func `a fault n seconds after its point happens in any state of the stream`() {
        var rig = rig(.requestHead, .stream(.goAway(.noError, last: .number(0))), after: .seconds(3))
        rig.request(1, "/big")
        rig.drainWrites()
        #expect(rig.due(.fault) == rig.now + 3_000_000_000)
        rig.now += 3_000_000_000
        rig.send(.timer(.fault))
        rig.drainWrites()
        #expect(rig.frames(.goAway).map(\.number) == [0])
        #expect(rig.has(.finish(closeNotify: true)))
    }

    @Test func `an idle connection can get a GOAWAY`() {
        var rig = rig(.idle, .stream(.goAway(.noError, last: .this)), size: 10)
        rig.request(1, "/big")
        rig.drainWrites()
        #expect(rig.frames.last?.kind == .goAway)
        #expect(rig.has(.finish(closeNotify: true)))
    }

    @Test func `effects that need HTTP/2 do not happen in HTTP/1.1`() {
        var rig = HTTP2Rig(
            .big(10, [Fault(point: .requestHead, effect: .stream(.resetStream(.cancel)))]), starts: false)
        rig.send(Array("GET /big HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
        rig.drainWrites()
        #expect(!rig.facts.contains { if case .fault = $0 { true } else { false } })
        #expect(rig.bytes.starts(with: Array("HTTP/1.1 200".utf8)))
    }

    @Test func `a breakpoint pauses its stream for the harness`() {
        var rig = HTTP2Rig(.big(100), breakpoints: [OriginState.Breakpoint(request: 1, bytes: 40)])
        rig.request(1, "/big")
        rig.request(3, "/big")
        rig.drainWrites()
        #expect(rig.body(1).count == 40)
        #expect(rig.body(3).count == 100)
        rig.send(.released(OriginState.Breakpoint(request: 1, bytes: 40)))
        rig.drainWrites()
        #expect(rig.body(1).count == 100)
    }

    /// The harness releases the stream when it reads of the position.
    @Test func `a breakpoint before the first byte is recorded`() {
        var rig = HTTP2Rig(.big(100), breakpoints: [OriginState.Breakpoint(request: 1, bytes: 0)])
        rig.request(1, "/big")
        rig.drainWrites()
        #expect(rig.body(1).isEmpty)
        #expect(rig.facts.contains(.responseBody(request: 1, bytes: 0)))
    }
}
