import NIOCore
import Record
import ScenarioLanguage
import Testing

@testable import TestServer

/// The machine alone: time is a number, and the kernel accepts writes when the test drains them.
struct ConnectionMachineTests {
    /// A machine with its origin and its clock; collects its actions.
    private struct Rig {
        var machine = ConnectionMachine(number: 1, isSecure: false)
        var origin: OriginState
        var now: Int64 = 1_000
        var done: [ConnectionAction] = []

        init(_ plan: OriginPlan, breakpoints: [OriginState.Breakpoint] = [], isSecure: Bool = false) {
            origin = OriginState(plan: plan, seed: 1, breakpoints: breakpoints, limits: OriginLimits())
            _ = origin.countConnection()
            machine = ConnectionMachine(number: 1, isSecure: isSecure)
            handle(.opened(client: "192.0.2.1", port: 5))
        }

        mutating func handle(_ input: ConnectionInput) { done += machine.handle(input, at: now, &origin) }

        mutating func send(_ text: String) { handle(.bytes(ByteBuffer(string: text))) }

        /// Accepts all writes, and those that follow from them.
        mutating func drainWrites() {
            var taken = 0
            while taken < writes.count {
                taken += 1
                handle(.written)
            }
        }

        var writes: [ConnectionAction.Content] {
            done.compactMap { if case .write(let content) = $0 { content } else { nil } }
        }

        var facts: [ServerFact] { done.compactMap { if case .record(let fact) = $0 { fact } else { nil } } }

        var bodySizes: [Int] { writes.compactMap { if case .pattern(_, _, let count) = $0 { count } else { nil } } }

        /// Returns the time that the timer was last set to.
        func due(_ timer: ConnectionTimer) -> Int64? {
            done.compactMap { if case .start(timer, let time) = $0 { time } else { nil } }.last
        }
    }

    private let get = "GET /big HTTP/1.1\r\nHost: a\r\n\r\n"

    private func plan(_ point: Fault.Point, _ effect: Fault.Effect, size: Int64 = 1_000) -> OriginPlan {
        .big(size, [Fault(point: point, effect: effect)])
    }

    /// A body sent to an unrelated path must not pass as one that a redirect led there.
    @Test func `only the paths whose redirects lead to a path are known for it`() {
        var plan = OriginPlan()
        plan.routes = [
            Route(path: "/old", content: .redirect(Redirect(status: 307, to: "http://b.test/new?a=1"))),
            Route(path: "/older", content: .redirect(Redirect(status: 308, to: "../old"))),
            Route(path: "/other-folder", content: .redirect(Redirect(status: 307, to: "/folder/new"))),
            Route(path: "/other-host", content: .redirect(Redirect(status: 307, to: "http://b.test/folder/old"))),
            Route(path: "/root", content: .redirect(Redirect(status: 307, to: "http://b.test"))),
            Route(path: "/circle", content: .redirect(Redirect(status: 307, to: "/circle"))),
        ]
        let origin = OriginState(plan: plan, seed: 1, breakpoints: [], limits: OriginLimits())
        #expect(origin.redirects(to: "/new") == ["/old", "/older"])
        #expect(origin.redirects(to: "/old") == ["/older"])
        #expect(origin.redirects(to: "/other") == [])
        #expect(origin.redirects(to: "/") == ["/root"])
        #expect(origin.redirects(to: "/circle") == [])
    }

    @Test func `one piece of body is written at a time`() {
        var rig = Rig(.big(200_000))
        rig.send(get)
        #expect(rig.bodySizes == [65_536])
        rig.handle(.written)
        #expect(rig.bodySizes == [65_536])
        rig.handle(.written)
        #expect(rig.bodySizes == [65_536, 65_536])
    }

    @Test func `pieces end exactly at faults and breakpoints`() {
        var rig = Rig(
            plan(.responseBody(300), .pause(.seconds(1))), breakpoints: [OriginState.Breakpoint(request: 1, bytes: 700)]
        )
        rig.send(get)
        rig.drainWrites()
        #expect(rig.bodySizes == [300])
        #expect(
            rig.facts.last
                == .fault(connection: 1, request: 1, point: "responseBody: 300", effect: "pause: 1.0 seconds"))
        #expect(rig.due(.hold) == rig.now + 1_000_000_000)
        rig.handle(.timer(.hold))
        rig.drainWrites()
        #expect(rig.bodySizes == [300, 400])
        #expect(rig.facts.last == .responseBody(request: 1, bytes: 700))
        rig.handle(.released(OriginState.Breakpoint(request: 2, bytes: 700)))
        #expect(rig.bodySizes == [300, 400])
        rig.handle(.released(OriginState.Breakpoint(request: 1, bytes: 700)))
        rig.drainWrites()
        #expect(rig.bodySizes == [300, 400, 300])
        #expect(rig.facts.last == .responseEnded(request: 1, bytes: 1_000))
    }

    @Test func `a reset polls until nothing is unacknowledged`() {
        var rig = Rig(plan(.responseBody(300), .reset))
        rig.send(get)
        rig.drainWrites()
        #expect(rig.done.last == .countUnacknowledged)
        rig.handle(.unacknowledged(300))
        #expect(rig.done.last == .start(.hold, at: rig.now + ConnectionMachine.acknowledgementPoll))
        rig.handle(.timer(.hold))
        #expect(rig.done.last == .countUnacknowledged)
        #expect(!rig.done.contains(.reset))
        rig.handle(.unacknowledged(0))
        #expect(rig.done.last == .reset)
        #expect(
            rig.facts.suffix(2) == [
                .fault(connection: 1, request: 1, point: "responseBody: 300", effect: "reset"),
                .closed(connection: 1, by: .server),
            ])
    }

    @Test func `after five seconds the reset is sent anyway and the lost bytes are recorded`() {
        var rig = Rig(plan(.responseBody(300), .reset))
        rig.send(get)
        rig.drainWrites()
        rig.now += 5_000_000_000
        rig.handle(.unacknowledged(120))
        #expect(rig.done.last == .reset)
        #expect(
            rig.facts.contains(
                .fault(connection: 1, request: 1, point: "responseBody: 300", effect: "reset, 120 bytes unacknowledged")
            ))
    }

    @Test func `an end waits until the kernel has accepted the bytes before it`() {
        var rig = Rig(plan(.responseBody(300), .close))
        rig.send(get)
        #expect(!rig.done.contains(.finish(closeNotify: true)))
        rig.handle(.written)
        #expect(!rig.done.contains(.finish(closeNotify: true)))
        rig.handle(.written)
        #expect(rig.done.contains(.finish(closeNotify: true)))
        rig.handle(.unacknowledged(0))
        #expect(rig.done.last == .close)
    }

    @Test func `a throttle schedules each piece without drift`() throws {
        // 8 Mbit/s are 10,000 bytes in 10 ms.
        let rate = try #require(BitRate(bitsPerSecond: 8_000_000))
        var rig = Rig(plan(.responseBody(0), .throttle(rate), size: 30_000))
        rig.send(get)
        rig.drainWrites()
        let start = rig.now
        for piece in 1...3 {
            #expect(rig.due(.hold) == start + Int64(piece) * 10_000_000)
            #expect(rig.bodySizes.count == piece - 1)
            // Late by 3 ms, which must not delay the next piece.
            rig.now = start + Int64(piece) * 10_000_000 + 3_000_000
            rig.handle(.timer(.hold))
            rig.drainWrites()
        }
        #expect(rig.bodySizes == [10_000, 10_000, 10_000])
        #expect(rig.facts.last == .responseEnded(request: 1, bytes: 30_000))
    }

    /// A throttle at a point of the connection applies to all its bodies, one at a point of a body to that body.
    @Test(arguments: [(Fault.Point.accept, true), (.responseBody(0), false)])
    func `a throttle lasts as long as its point says`(point: Fault.Point, lasts: Bool) throws {
        let rate = try #require(BitRate(bitsPerSecond: 8_000_000))
        var plan = plan(point, .throttle(rate), size: 20_000)
        if !lasts { plan.faults[0].scope = Fault.Scope(request: 1) }
        var rig = Rig(plan)
        func body() {
            let before = rig.bodySizes.count
            rig.send(get)
            rig.drainWrites()
            for _ in 0..<5 {
                rig.now += 10_000_000
                rig.handle(.timer(.hold))
                rig.drainWrites()
            }
            pieces.append(rig.bodySizes.count - before)
        }
        var pieces: [Int] = []
        body()
        body()
        #expect(pieces == [2, lasts ? 2 : 1])
    }

    @Test func `reading stops when a held connection has enough`() {
        var rig = Rig(plan(.requestHead, .pause(.seconds(1))))
        rig.send("PUT /big HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n")
        rig.handle(.bytes(ByteBuffer(repeating: 1, count: 65_000)))
        #expect(!rig.done.contains(.read(false)))
        rig.handle(.bytes(ByteBuffer(repeating: 1, count: 65_000)))
        #expect(rig.done.last == .read(false))
        rig.handle(.timer(.hold))
        #expect(rig.done.last == .read(true))
    }

    @Test func `an upload stalled at byte N is not read any further`() {
        var rig = Rig(plan(.requestBody(10), .stall))
        rig.send("PUT /big HTTP/1.1\r\nHost: a\r\nContent-Length: 20\r\n\r\n0123456789abcdef")
        #expect(rig.facts.last == .fault(connection: 1, request: 1, point: "requestBody: 10", effect: "stall"))
        #expect(rig.done.last == .read(false))
        rig.send("ghij")
        #expect(!rig.facts.contains { if case .requestEnded = $0 { true } else { false } })
    }

    @Test func `several faults at one point happen in the plan's order`() {
        let faults = [
            Fault(point: .requestHead, effect: .pause(.seconds(1))), Fault(point: .requestHead, effect: .close),
        ]
        var rig = Rig(.big(10, faults))
        rig.send(get)
        #expect(!rig.done.contains(.finish(closeNotify: true)))
        rig.handle(.timer(.hold))
        #expect(rig.done.contains(.finish(closeNotify: true)))
        #expect(rig.writes.isEmpty)
    }

    @Test func `a TLS connection waits for the whole ClientHello before its fault`() {
        var rig = Rig(plan(.tlsClientHello, .tlsAlert(40)), isSecure: true)
        let hello: [UInt8] = [22, 3, 1, 0, 6, 1, 0, 0, 2, 9, 9]
        for byte in hello.dropLast() { rig.handle(.bytes(ByteBuffer(bytes: [byte]))) }
        #expect(rig.writes.isEmpty)
        rig.handle(.bytes(ByteBuffer(bytes: hello.suffix(1))))
        #expect(rig.writes == [.bytes([21, 3, 3, 0, 2, 2, 40])])
    }

    @Test func `TLS begins with the bytes already received`() {
        var rig = Rig(.big(1), isSecure: true)
        let hello: [UInt8] = [22, 3, 1, 0, 6, 1, 0, 0, 2, 9, 9]
        rig.handle(.bytes(ByteBuffer(bytes: hello)))
        #expect(rig.done.last == .startTLS(ByteBuffer(bytes: hello)))
        rig.handle(.secured(version: "1.3", serverName: "a"))
        rig.send(get)
        #expect(!rig.writes.isEmpty)
    }

    /// Two records with half of the message each (RFC 8446 §5.1).
    @Test func `a ClientHello may lie in several records`() {
        let bytes: [UInt8] = [22, 3, 1, 0, 3, 1, 0, 0, 22, 3, 1, 0, 3, 2, 9, 9]
        for count in 0..<bytes.count {
            #expect(ClientHello.inspect(ByteBuffer(bytes: bytes.prefix(count))) == .incomplete)
        }
        #expect(ClientHello.inspect(ByteBuffer(bytes: bytes)) == .complete)
        #expect(ClientHello.inspect(ByteBuffer(string: "GET ")) == .somethingElse)
    }

    @Test func `when a client ends during a response, the last count is recorded`() {
        var rig = Rig(.big(200_000))
        rig.send(get)
        rig.handle(.written)
        rig.handle(.written)
        rig.handle(.ended(isReset: true))
        #expect(rig.facts.suffix(2) == [.responseBody(request: 1, bytes: 65_536), .closed(connection: 1, by: .reset)])
        rig.handle(.written)
        #expect(rig.machine.isOver)
    }

    @Test func `the idle time starts after each exchange and ends with the next head`() {
        var plan = OriginPlan.big(10)
        plan.idleTimeout = .seconds(3)
        var rig = Rig(plan)
        rig.send(get)
        rig.drainWrites()
        #expect(rig.due(.idle) == rig.now + 3_000_000_000)
        rig.send(get)
        #expect(rig.done.contains(.cancel(.idle)))
        rig.drainWrites()
        rig.handle(.timer(.idle))
        #expect(rig.done.contains(.finish(closeNotify: true)))
    }
}
