import Record
import AdapterProtocol
import NIOCore
import ScenarioLanguage
import Testing

@testable import TestServer

/// The machine alone, driven frame by frame.
struct HTTP2MachineTests {
    private func plan(_ size: Int64 = 1_000, _ faults: [Fault] = []) -> OriginPlan { .big(size, faults) }

    private func small(_ name: String, _ text: String, delay: Duration? = nil) -> Route {
        var route = Route(path: name, content: .resource(Resource(body: .text(text))))
        route.delay = delay
        return route
    }

    // MARK: - Beginning

    @Test func `the preface begins HTTP/2 on a plain connection, also byte by byte`() {
        var rig = HTTP2Rig(plan(), starts: false)
        for byte in Frame.preface + Frame.bytes(.settings) { rig.send([byte]) }
        rig.request(1, "/big")
        rig.drainWrites()
        #expect(rig.heads(1).first?[":status"] == "200")
        #expect(rig.body(1) == Bytes.big(0, 1_000))
        #expect(rig.frames.first?.kind == .settings)
    }

    @Test func `an HTTP/1.1 request on the same port is served as before`() {
        var rig = HTTP2Rig(plan(), starts: false)
        rig.send(Array("GET /big HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
        rig.drainWrites()
        #expect(rig.bytes.starts(with: Array("HTTP/1.1 200 OK".utf8)))
    }

    @Test func `an origin with only HTTP/2 refuses HTTP/1.1 in HTTP/2`() {
        var only = plan()
        only.protocols = [.http2]
        var rig = HTTP2Rig(only, starts: false)
        rig.send(Array("GET /big HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
        rig.drainWrites()
        #expect(rig.frames(.goAway).first?.code == 1)
        #expect(rig.badRequests.count == 1)
    }

    @Test func `an origin without HTTP/2 treats the preface as a bad request`() {
        var machine = ConnectionMachine(number: 1, isSecure: false)
        var origin = OriginState(plan: plan(), seed: 1, breakpoints: [], limits: OriginLimits())
        _ = machine.handle(.opened(client: "192.0.2.1", port: 5), at: 0, &origin)
        let done = machine.handle(.bytes(ByteBuffer(bytes: Frame.preface)), at: 0, &origin)
        #expect(done.contains { if case .record(.badRequest) = $0 { true } else { false } })
    }

    @Test func `request, stream and exchange are recorded together`() {
        var rig = HTTP2Rig(plan())
        rig.request(1, "/big")
        rig.request(3, "/big", [("x-test", "1")])
        rig.drainWrites()
        #expect(
            rig.facts.contains(
                .requestHead(
                    connection: 1, exchange: 2, request: 2, method: "GET", target: "/big",
                    headers: [HeaderField("host", "api.test"), HeaderField("x-test", "1")])))
        #expect(rig.facts.contains(.stream(request: 2, stream: 3, priority: nil)))
        #expect(rig.facts.contains(.responseEnded(request: 2, bytes: 1_000)))
    }

    // MARK: - Streams

    /// Frames of 16 KiB, four of them in flight: two streams must alternate.
    @Test func `responses interleave a frame at a time`() {
        var rig = HTTP2Rig(plan(200_000), settings: HTTP2Rig.setting(.initialWindowSize, 1 << 20))
        rig.send(Frame.windowUpdate(0, 1 << 20))
        rig.request(1, "/big")
        rig.request(3, "/big")
        rig.drainWrites()
        // First the frames in flight when the second stream came, and then both alternate.
        #expect(rig.frames(.data).map(\.stream).prefix(10) == [1, 1, 1, 1, 1, 3, 1, 3, 1, 3])
        #expect(rig.body(1) == Bytes.big(0, 200_000))
        #expect(rig.body(3) == Bytes.big(0, 200_000))
        #expect(rig.frames(.data).filter(\.endsStream).map(\.stream).sorted() == [1, 3])
    }

    @Test func `two streams that are ready at once alternate`() {
        var plan = plan(60_000)
        plan.routes[0].delay = .seconds(1)
        var rig = HTTP2Rig(plan)
        rig.send(Frame.windowUpdate(0, 1 << 20))
        rig.request(1, "/big")
        rig.request(3, "/big")
        rig.now += 1_000_000_000
        rig.send(.timer(.hold))
        rig.drainWrites()
        #expect(rig.frames(.data).map(\.stream) == [1, 3, 1, 3, 1, 3, 1, 3])
    }

    @Test func `a slow stream does not delay another`() {
        var plan = plan(1_000)
        plan.routes.append(small("/slow", "s", delay: .seconds(5)))
        var rig = HTTP2Rig(plan)
        rig.request(1, "/slow")
        rig.request(3, "/big")
        rig.drainWrites()
        #expect(rig.body(3).count == 1_000)
        #expect(rig.heads(1).isEmpty)
        rig.now += 5_000_000_000
        rig.send(.timer(.hold))
        rig.drainWrites()
        #expect(rig.body(1) == Array("s".utf8))
    }

    @Test func `a response without a body ends with its head`() {
        var plan = plan()
        plan.routes.append(small("/empty", ""))
        var rig = HTTP2Rig(plan)
        rig.request(1, "/empty")
        rig.request(3, "/big", method: "HEAD")
        rig.drainWrites()
        #expect(rig.frames(.headers).map(\.endsStream) == [true, true])
        #expect(rig.frames(.data).isEmpty)
        #expect(rig.heads(3).first?["content-length"] == "1000")
    }

    @Test func `a request body is compared with its pattern and acknowledged by window updates`() {
        var rig = HTTP2Rig(plan())
        rig.send(Frame.bytes(.settings, Frame.Flag.acknowledges))
        rig.request(1, "/big", method: "POST", ends: false)
        for part in 0..<40 { rig.data(1, Bytes.big(Int64(part) * 16_384, 16_384), ends: part == 39) }
        rig.drainWrites()
        #expect(rig.facts.contains(.requestEnded(request: 1, bodyBytes: 655_360, differsAt: nil, bodyText: nil)))
        // The stream's window is 1 MiB: granted again when half of it is used.
        #expect(rig.frames(.windowUpdate).filter { $0.stream == 1 }.map(\.number) == [524_288])
    }

    @Test func `interim responses and trailers are separate header blocks`() {
        var plan = plan(10)
        plan.routes[0].wire.interim = [WirePlan.Interim(status: 103, headers: [HeaderField("Link", "</a>")])]
        plan.routes[0].wire.trailers = [HeaderField("X-Sum", "9")]
        var rig = HTTP2Rig(plan)
        rig.request(1, "/big")
        rig.drainWrites()
        #expect(rig.heads(1).map { $0[":status"] } == ["103", "200", nil])
        #expect(rig.facts.contains(.interim(request: 1, status: 103, headers: [HeaderField("Link", "</a>")])))
        #expect(rig.heads(1).last?["x-sum"] == "9")
        #expect(rig.frames.last?.endsStream == true)
        #expect(rig.frames(.data).map(\.endsStream) == [false])
    }

    @Test func `a long head continues in CONTINUATION`() {
        var plan = plan(10)
        plan.routes[0].wire.longHeader = ByteCount(60_000)!
        var rig = HTTP2Rig(plan)
        rig.request(1, "/big")
        rig.drainWrites()
        #expect(rig.frames(.continuation).count >= 1)
        #expect(rig.heads(1).first?["x-long"]?.count == 60_000)
    }

    // MARK: - Flow control

    @Test func `no byte is sent beyond the client's windows`() {
        var rig = HTTP2Rig(plan(200_000), settings: HTTP2Rig.setting(.initialWindowSize, 1_000))
        rig.request(1, "/big")
        rig.drainWrites()
        #expect(rig.body(1).count == 1_000)
        rig.send(Frame.windowUpdate(1, 1))
        rig.drainWrites()
        #expect(rig.body(1).count == 1_001)
        rig.send(Frame.windowUpdate(1, 200_000))
        rig.drainWrites()
        #expect(rig.body(1).count == 65_535)
        rig.send(Frame.windowUpdate(0, 200_000))
        rig.drainWrites()
        #expect(rig.body(1) == Bytes.big(0, 200_000))
    }

    @Test func `a window that SETTINGS shrink may become negative`() {
        var rig = HTTP2Rig(plan(200_000))
        rig.request(1, "/big")
        rig.drainWrites()
        #expect(rig.body(1).count == 65_535)
        rig.send(Frame.windowUpdate(0, 1 << 20))
        rig.send(Frame.bytes(.settings, HTTP2Rig.setting(.initialWindowSize, 0)))
        rig.send(Frame.windowUpdate(1, 65_535))
        rig.drainWrites()
        #expect(rig.body(1).count == 65_535)
        rig.send(Frame.windowUpdate(1, 10))
        rig.drainWrites()
        #expect(rig.body(1).count == 65_545)
    }

    @Test func `a client that exceeds its window gets an error`() {
        var rig = HTTP2Rig(plan(10, [Fault(point: .requestHead, effect: .stream(.closeWindow))]))
        rig.request(1, "/big", method: "POST", ends: false)
        // SETTINGS are not acknowledged: 65,535 bytes are allowed and not one more.
        for _ in 0..<3 { rig.data(1, [UInt8](repeating: 0, count: 16_384)) }
        rig.data(1, [UInt8](repeating: 0, count: 16_383))
        #expect(rig.badRequests.isEmpty)
        rig.data(1, [0])
        rig.drainWrites()
        #expect(rig.frames(.resetStream).map(\.code) == [3])
        #expect(rig.badRequests == ["1 bytes more than the window of stream 1 allows"])
    }

    /// RFC 9113 §6.9.2: a change by SETTINGS applies to open streams, from the client's acknowledgement on.
    @Test func `a stream that was open before the client acknowledged SETTINGS gets their window too`() {
        var rig = HTTP2Rig(plan(10, [Fault(point: .requestHead, effect: .stream(.closeWindow))]))
        rig.request(1, "/big", method: "POST", ends: false)
        rig.send(Frame.bytes(.settings, Frame.Flag.acknowledges))
        for part in 0..<5 { rig.data(1, Bytes.big(Int64(part) * 16_384, 16_384), ends: part == 4) }
        rig.drainWrites()
        #expect(rig.badRequests.isEmpty)
        #expect(rig.facts.contains(.requestEnded(request: 1, bodyBytes: 81_920, differsAt: nil, bodyText: nil)))
    }

    /// RFC 9113 §8.1: a second block of fields ends the request.
    @Test func `trailers that do not end their stream are refused`() {
        var rig = HTTP2Rig(plan(10))
        rig.request(1, "/big", method: "POST", ends: false)
        rig.send(Frame.bytes(.headers, Frame.Flag.endHeaders, stream: 1, rig.block([("x-sum", "1")])))
        rig.drainWrites()
        #expect(rig.frames(.resetStream).map(\.code) == [1])
        #expect(rig.badRequests == ["trailers that do not end their stream"])
    }

    @Test func `a closed window is not granted more until it is opened`() {
        let faults = [
            Fault(point: .requestHead, effect: .stream(.closeWindow)),
            Fault(point: .requestHead, effect: .stream(.openWindow), delay: .seconds(2)),
        ]
        var plan = plan(10, faults)
        plan.http2.settings = [HTTP2Setting(.initialWindowSize, 1_000)]
        var rig = HTTP2Rig(plan)
        rig.send(Frame.bytes(.settings, Frame.Flag.acknowledges))
        rig.request(1, "/big", method: "POST", ends: false)
        rig.data(1, Bytes.big(0, 1_000))
        rig.drainWrites()
        #expect(rig.frames(.windowUpdate).allSatisfy { $0.stream == 0 })
        rig.now += 2_000_000_000
        rig.send(.timer(.fault))
        #expect(rig.frames(.windowUpdate).last?.number == 65_535)
        rig.data(1, Bytes.big(1_000, 5), ends: true)
        rig.drainWrites()
        #expect(rig.facts.contains(.requestEnded(request: 1, bodyBytes: 1_005, differsAt: nil, bodyText: nil)))
    }

    /// The client used 65,535 bytes before it received the limit of 20,000: without a grant at its acknowledgement it
    /// would wait forever.
    @Test func `a window that our SETTINGS shrink does not leave the client without any`() {
        var plan = plan(10)
        plan.http2.settings = [HTTP2Setting(.initialWindowSize, 20_000)]
        var rig = HTTP2Rig(plan)
        rig.request(1, "/big", method: "POST", ends: false)
        for part in 0..<4 { rig.data(1, Bytes.big(Int64(part) * 16_384, part == 3 ? 16_383 : 16_384)) }
        rig.send(Frame.bytes(.settings, Frame.Flag.acknowledges))
        let granted = rig.frames(.windowUpdate).filter { $0.stream == 1 }.map(\.number).reduce(0, +)
        #expect(granted == 65_535)
    }

    @Test func `frames are as small as in the plan`() {
        var plan = plan(100)
        plan.http2.dataFrame = ByteCount(30)!
        var rig = HTTP2Rig(plan)
        rig.request(1, "/big")
        rig.drainWrites()
        #expect(rig.frames(.data).map(\.payload.count) == [30, 30, 30, 10])
    }

    // MARK: - The end

    @Test func `a cancelled stream ends alone`() {
        var rig = HTTP2Rig(plan(200_000))
        rig.request(1, "/big")
        rig.request(3, "/big")
        rig.send(Frame.resetStream(1, .cancel))
        rig.send(Frame.windowUpdate(0, 1 << 20))
        rig.send(Frame.windowUpdate(3, 1 << 20))
        rig.drainWrites()
        #expect(rig.body(3) == Bytes.big(0, 200_000))
        #expect(
            rig.facts.contains(
                .frame(connection: 1, stream: 1, request: 1, by: .client, type: "RST_STREAM", text: "CANCEL")))
        #expect(!rig.facts.contains(.responseEnded(request: 1, bytes: 200_000)))
    }

    @Test func `an idle connection sends GOAWAY before it is closed`() {
        var plan = plan()
        plan.idleTimeout = .seconds(3)
        var rig = HTTP2Rig(plan)
        rig.request(1, "/big")
        rig.drainWrites()
        #expect(rig.due(.idle) == rig.now + 3_000_000_000)
        rig.send(.timer(.idle))
        rig.drainWrites()
        #expect(rig.frames.last?.kind == .goAway)
        #expect(rig.has(.finish(closeNotify: true)))
    }

    @Test func `PING gets its own bytes back, and SETTINGS are acknowledged`() {
        var rig = HTTP2Rig(plan())
        rig.send(Frame.bytes(.ping, [1, 2, 3, 4, 5, 6, 7, 8]))
        #expect(rig.frames(.ping) == [HTTP2Rig.Sent(type: 6, flags: 1, stream: 0, payload: [1, 2, 3, 4, 5, 6, 7, 8])])
        #expect(rig.frames(.settings).filter { $0.flags == 1 }.count == 1)
    }

    @Test func `an acknowledged PING that was not sent is recorded`() {
        var rig = HTTP2Rig(plan())
        rig.send(Frame.bytes(.ping, Frame.Flag.acknowledges, [1, 2, 3, 4, 5, 6, 7, 8]))
        #expect(
            rig.facts.contains(
                .frame(
                    connection: 1, stream: 0, request: nil, by: .client, type: "PING",
                    text: "acknowledged, but no PING was sent")))
        rig.request(1, "/big")
        rig.drainWrites()
        #expect(rig.body(1) == Bytes.big(0, 1_000))
    }

    @Test func `priorities are recorded as signalled`() {
        var rig = HTTP2Rig(plan())
        let block = rig.block([(":method", "GET"), (":scheme", "http"), (":path", "/big"), (":authority", "a")])
        rig.send(
            Frame.bytes(
                .headers, Frame.Flag.endHeaders | Frame.Flag.endStream | Frame.Flag.priority, stream: 5,
                [0x80, 0, 0, 3, 200] + block))
        rig.send(Frame.bytes(.priority, stream: 7, [0, 0, 0, 5, 15]))
        rig.send(Frame.bytes(.priorityUpdate, [0, 0, 0, 9] + Array("u=1".utf8)))
        #expect(rig.facts.contains(.stream(request: 1, stream: 5, priority: "weight 201, depends on 3 alone")))
        #expect(
            rig.facts.contains(
                .frame(
                    connection: 1, stream: 7, request: nil, by: .client, type: "PRIORITY",
                    text: "weight 16, depends on 5")))
        #expect(
            rig.facts.contains(
                .frame(connection: 1, stream: 9, request: nil, by: .client, type: "PRIORITY_UPDATE", text: "u=1")))
    }

    @Test func `more streams than were allowed are refused, not lost`() {
        var plan = plan(200_000)
        plan.http2.settings = [HTTP2Setting(.maxConcurrentStreams, 1)]
        var rig = HTTP2Rig(plan)
        rig.send(Frame.bytes(.settings, Frame.Flag.acknowledges))
        rig.request(1, "/big")
        rig.request(3, "/big")
        rig.drainWrites()
        #expect(rig.frames(.resetStream).map(\.stream) == [3])
        #expect(rig.frames(.resetStream).first?.code == 7)
        #expect(rig.origin.requests == 1)
    }

    /// Sends a request whose block is split into frames of 16 KiB.
    private func request(_ fields: [(String, String)], _ rig: inout HTTP2Rig) {
        let head = [(":method", "GET"), (":scheme", "http"), (":path", "/big"), (":authority", "api.test")]
        let block = rig.block(head + fields)
        for start in stride(from: 0, to: block.count, by: 16_384) {
            let piece = Array(block[start..<min(start + 16_384, block.count)])
            let end: UInt8 = start + piece.count == block.count ? Frame.Flag.endHeaders : 0
            rig.send(
                start == 0
                    ? Frame.bytes(.headers, end | Frame.Flag.endStream, stream: 1, piece)
                    : Frame.bytes(.continuation, end, stream: 1, piece))
        }
    }

    @Test(arguments: [1_000, 30_000, 65_200]) func `a field as long as the announced list is accepted`(length: Int) {
        var rig = HTTP2Rig(.big(10, []))
        // 7 bits each (RFC 7541, Appendix B).
        let value = String(repeating: "x", count: length)
        request([("x-long", value)], &rig)
        rig.drainWrites()
        #expect(rig.heads(1).first?[":status"] == "200", "\(rig.badRequests)")
    }

    /// Each repetition of an indexed field is one byte of the block; a field of 80,000 is longer than a block.
    @Test(arguments: [(40, 3_000, "header fields"), (1, 66_000, "header fields"), (1, 80_000, "a header block")])
    func `a list longer than announced is refused`(count: Int, length: Int, what: String) {
        var rig = HTTP2Rig(.big(10, []))
        request((0..<count).map { _ in ("x-long", String(repeating: "x", count: length)) }, &rig)
        rig.drainWrites()
        #expect(rig.frames(.goAway).first?.code == 0xb)
        #expect(rig.badRequests == ["\(what) of more than 64 KiB"])
    }

    @Test func `a block that cannot be decoded ends the connection`() {
        var rig = HTTP2Rig(.big(10, []))
        // An index beyond both tables (RFC 7541 §2.3.3).
        rig.send(
            Frame.bytes(.headers, Frame.Flag.endHeaders | Frame.Flag.endStream, stream: 1, [0xFF, 0xFF, 0xFF, 0x7F]))
        rig.drainWrites()
        #expect(rig.frames(.goAway).first?.code == 9)
    }
}
