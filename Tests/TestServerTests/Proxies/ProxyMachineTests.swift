import AdapterProtocol
import NIOCore
import Record
import ScenarioLanguage
import Testing

@testable import TestServer

/// The proxy's part of a connection without sockets: inputs in, actions out, and time is a number. `uplink` is the
/// target's side.
@Suite struct ProxyMachineTests {
    private struct Rig {
        var machine: ProxyMachine
        var state: ProxyState
        var now: Int64 = 0
        var done: [ProxyAction] = []

        init(
            _ kind: ProxyAddress.Kind = .http, breakpoints: [ProxyBreakpoint] = [],
            _ change: (inout ProxyPlan) -> Void = { _ in }
        ) {
            var plan = ProxyPlan(name: "front", kind: kind)
            change(&plan)
            state = ProxyState(plan: plan, seed: 1, breakpoints: breakpoints)
            machine = ProxyMachine(number: state.countConnection(), name: "front")
            handle(.opened(client: "192.0.2.1", port: 5))
        }

        mutating func handle(_ input: ProxyInput) { done += machine.handle(input, at: now, &state) }
        mutating func client(_ text: String) { handle(.bytes(.uplink, ByteBuffer(string: text))) }
        mutating func client(_ bytes: [UInt8]) { handle(.bytes(.uplink, ByteBuffer(bytes: bytes))) }
        mutating func target(_ text: String) { handle(.bytes(.downlink, ByteBuffer(string: text))) }
        mutating func connect() {
            handle(
                .dialed(
                    .success(
                        ProxyConnection(
                            descriptor: -1, localAddress: "198.51.100.1", localPort: 9, remoteAddress: "203.0.113.10",
                            remotePort: 443))))
        }
        /// Opens a tunnel and drops its recorded actions.
        mutating func tunnel() {
            client("CONNECT api.test:443 HTTP/1.1\r\nHost: api.test:443\r\n\r\n")
            connect()
            done = []
        }

        func received(_ direction: ProxyFault.Direction) -> String {
            var text = ""
            for case .write(direction, let bytes) in done { text += String(buffer: bytes) }
            return text
        }
        var facts: [ProxyFact.Event] { done.compactMap { if case .record(let event) = $0 { event } else { nil } } }
        var dials: [String] { done.compactMap { if case .dial(let place) = $0 { place.text } else { nil } } }
    }

    private func fault(_ point: ProxyFault.Point, _ effect: ProxyFault.Effect, _ scope: ProxyFault.Scope = .init()) -> (
        inout ProxyPlan
    ) -> Void {
        { $0.faults = [ProxyFault(point: point, effect: effect, scope: scope)] }
    }

    // MARK: - Negotiation

    @Test func `CONNECT dials, replies 200 and then carries both ways, including bytes after the request`() {
        var rig = Rig()
        rig.client("CONNECT api.test:443 HTTP/1.1\r\n")
        #expect(rig.dials.isEmpty)
        rig.client("Host: api.test:443\r\n\r\nearly")
        #expect(rig.dials == ["api.test:443"] && rig.received(.downlink).isEmpty)
        rig.connect()
        #expect(
            rig.received(.downlink) == "HTTP/1.1 200 Connection established\r\n\r\n" && rig.received(.uplink) == "early"
        )
        rig.client(" later")
        rig.target("answer")
        #expect(rig.received(.uplink) == "early later" && rig.received(.downlink).hasSuffix("\r\n\r\nanswer"))
        #expect(rig.facts.contains(.connected(request: 1, from: "198.51.100.1:9", to: "203.0.113.10:443")))
    }

    @Test func `an absolute request is forwarded in origin form, and its response comes back unchanged`() {
        var rig = Rig()
        rig.client("GET http://api.test/a?b HTTP/1.1\r\nHost: x\r\nProxy-Connection: keep-alive\r\nX-Own: 1\r\n\r\n")
        #expect(rig.dials == ["api.test:80"])
        rig.connect()
        #expect(
            rig.received(.uplink).hasPrefix("GET /a?b HTTP/1.1\r\nHost: api.test\r\n")
                && rig.received(.uplink).contains("X-Own: 1"))
        #expect(!rig.received(.uplink).contains("Proxy-Connection") && rig.received(.downlink).isEmpty)
        rig.target("HTTP/1.1 204 No Content\r\n\r\n")
        #expect(rig.received(.downlink) == "HTTP/1.1 204 No Content\r\n\r\n")
    }

    @Test func `SOCKS replies to greeting and request, and a wrong login is refused`() {
        var open = Rig(.socks5)
        open.client([5, 1, 0])
        open.client([5, 1, 0, 3, 8] + Array("api.test".utf8) + [0, 80])
        #expect(open.dials == ["api.test:80"])
        open.connect()
        #expect(Array(open.received(.downlink).utf8.prefix(4)) == [5, 0, 5, 0])
        var closed = Rig(.socks5) { $0.access = .login(user: "ann", password: "pw") }
        closed.client([5, 1, 2])
        closed.client([1, 3] + Array("ann".utf8) + [2] + Array("no".utf8))
        #expect(closed.dials.isEmpty && closed.done.contains(.finish(.downlink)))
        // RFC 1929 §2: a status other than 0 is the refusal.
        let refusal = Array(closed.received(.downlink).utf8)
        #expect(refusal.starts(with: [5, 2, 1]) && refusal.count == 4 && refusal.last != 0)
    }

    @Test(arguments: [ProxyDialError.unknownName("a"), .refused("a"), .unreachable("a")])
    func `an unreachable target is reported to the client`(error: ProxyDialError) {
        var rig = Rig()
        rig.client("CONNECT api.test:443 HTTP/1.1\r\nHost: a\r\n\r\n")
        rig.handle(.dialed(.failure(error)))
        #expect(rig.received(.downlink).hasPrefix("HTTP/1.1 \(error.status) ") && (500...599).contains(error.status))
        #expect(rig.facts.contains(.refused(request: 1, reply: error.status)) && rig.done.contains(.finish(.downlink)))
    }

    @Test func `407 keeps the connection, and the right credentials are accepted on it`() {
        var pendingProxies = AuthenticationPlan(scheme: .basic, user: "ann", password: "pw")
        pendingProxies.requester = .proxy
        var rig = Rig { $0.access = .challenge(pendingProxies) }
        rig.client("CONNECT api.test:443 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(
            rig.received(.downlink).hasPrefix("HTTP/1.1 407 ")
                && rig.received(.downlink).contains("Proxy-Authenticate: Basic"))
        #expect(rig.dials.isEmpty && !rig.done.contains(.finish(.downlink)))
        rig.client("CONNECT api.test:443 HTTP/1.1\r\nHost: a\r\nProxy-Authorization: Basic YW5uOnB3\r\n\r\n")
        #expect(rig.dials == ["api.test:443"])
    }

    /// The body that follows is not a next request: the proxy does not read it, and announces the end.
    @Test func `407 to a request with a body ends the connection`() {
        var pendingProxies = AuthenticationPlan(scheme: .basic, user: "ann", password: "pw")
        pendingProxies.requester = .proxy
        var rig = Rig { $0.access = .challenge(pendingProxies) }
        rig.client("POST http://api.test/a HTTP/1.1\r\nHost: a\r\nContent-Length: 38\r\n\r\n")
        rig.client("GET http://api.test/b HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(
            rig.received(.downlink).hasPrefix("HTTP/1.1 407 ")
                && rig.received(.downlink).contains("Connection: close\r\n"))
        #expect(rig.facts.count { if case .request = $0 { true } else { false } } == 1)
        #expect(rig.done.contains(.finish(.downlink)) && rig.dials.isEmpty)
    }

    @Test func `bytes that are not a proxy request get 400 and an end`() {
        var rig = Rig()
        rig.client("GET /path HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(
            rig.received(.downlink).hasPrefix("HTTP/1.1 400 ") && rig.done.contains(.finish(.downlink))
                && rig.dials.isEmpty)
    }

    // MARK: - Faults

    @Test func `a fault stops exactly after its byte, in either direction`() {
        for direction in ProxyFault.Direction.allCases {
            var rig = Rig(.http, fault(.carried(direction, 4), .reset))
            rig.tunnel()
            rig.handle(.bytes(direction, ByteBuffer(string: "0123456789")))
            #expect(rig.received(direction) == "0123")
            #expect(rig.done.contains(.reset(.uplink)) && rig.done.contains(.reset(.downlink)) && rig.machine.isOver)
        }
    }

    @Test func `a stall blocks one direction and not the other`() {
        var rig = Rig(.http, fault(.carried(.downlink, 2), .stall))
        rig.tunnel()
        rig.target("0123")
        rig.client("up")
        #expect(rig.received(.downlink) == "01" && rig.received(.uplink) == "up")
        #expect(rig.done.contains(.read(.downlink, false)))
    }

    @Test func `a pause lasts until its time, and nothing is lost`() {
        var rig = Rig(.http, fault(.carried(.downlink, 2), .pause(.milliseconds(10))))
        rig.tunnel()
        rig.target("0123")
        #expect(rig.received(.downlink) == "01" && rig.done.contains(.start(.downlink, at: 10_000_000)))
        rig.now = 10_000_000
        rig.handle(.timer(.downlink))
        #expect(rig.received(.downlink) == "0123")
    }

    @Test func `a pause before the reply delays dialing, and a refusal replaces it`() {
        var slow = Rig(.http, fault(.request, .pause(.seconds(1))))
        slow.client("CONNECT api.test:443 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(slow.dials.isEmpty)
        slow.now = 1_000_000_000
        slow.handle(.timer(.hold))
        #expect(slow.dials == ["api.test:443"])
        var refusing = Rig(.http, fault(.request, .refuse(503), .init(first: 1)))
        refusing.client("CONNECT api.test:443 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(refusing.received(.downlink).hasPrefix("HTTP/1.1 503 ") && refusing.dials.isEmpty)
    }

    @Test func `a throttled tunnel carries bytes at its rate`() {
        // 8 kbit/s: a byte takes a millisecond.
        var rig = Rig(.http, fault(.carried(.downlink, 0), .throttle(BitRate(bitsPerSecond: 8_000)!)))
        rig.tunnel()
        rig.target(String(repeating: "x", count: 100))
        while rig.received(.downlink).count < 100, rig.now < 1_000_000_000 {
            rig.now += 1_000_000
            rig.handle(.timer(.downlink))
            #expect(rig.received(.downlink).count <= Int(rig.now / 1_000_000))
        }
        #expect(rig.now == 100_000_000)
    }

    // MARK: - Ends

    @Test func `an end is forwarded after the bytes before it, and the second one ends the connection`() {
        var rig = Rig()
        rig.tunnel()
        rig.client("last")
        rig.handle(.ended(.uplink))
        #expect(rig.received(.uplink) == "last" && rig.done.contains(.finish(.uplink)) && !rig.machine.isOver)
        rig.target("words")
        rig.handle(.ended(.downlink))
        #expect(rig.received(.downlink) == "words" && rig.machine.isOver)
        #expect(rig.facts.contains(.closed(by: .client, up: 4, down: 5)))
    }

    @Test func `a reset on one side becomes a reset on the other`() {
        var rig = Rig()
        rig.tunnel()
        rig.handle(.gone(.downlink, isReset: true))
        #expect(rig.done.contains(.reset(.downlink)) && rig.machine.isOver)
        #expect(rig.facts == [.closed(by: .reset, up: 0, down: 0)])
    }

    @Test func `a client that leaves during its request is a closed connection`() {
        var rig = Rig()
        rig.client("CONNECT api.te")
        rig.handle(.ended(.uplink))
        #expect(rig.machine.isOver && rig.dials.isEmpty)
    }

    @Test func `a side that sends more than the other accepts is not read`() {
        var rig = Rig(.http, fault(.carried(.downlink, 0), .pause(.seconds(1))))
        rig.tunnel()
        rig.target(String(repeating: "x", count: ProxyMachine.pendingLimit))
        #expect(rig.done.contains(.read(.downlink, false)))
        rig.now = 1_000_000_000
        rig.handle(.timer(.downlink))
        #expect(rig.done.last == .read(.downlink, true) || rig.done.contains(.read(.downlink, true)))
    }

    // MARK: - Breakpoints and changes

    @Test func `a breakpoint stops at its byte, is recorded, and continues when it is released`() {
        let breakpoint = ProxyBreakpoint(direction: .downlink, bytes: 4, request: 1)
        var rig = Rig(breakpoints: [breakpoint])
        rig.tunnel()
        rig.target("0123456789")
        #expect(rig.received(.downlink) == "0123" && rig.facts == [.carried(request: 1, .downlink, bytes: 4)])
        rig.client("up")
        #expect(rig.received(.uplink) == "up")
        rig.state.release(breakpoint)
        rig.handle(.released(breakpoint))
        #expect(rig.received(.downlink) == "0123456789" && rig.facts.count == 1)
    }

    @Test func `a breakpoint released before it is reached stops nothing`() {
        let breakpoint = ProxyBreakpoint(direction: .downlink, bytes: 4, request: 1)
        var rig = Rig(breakpoints: [breakpoint])
        rig.tunnel()
        rig.state.release(breakpoint)
        rig.handle(.released(breakpoint))
        rig.target("0123456789")
        #expect(rig.received(.downlink) == "0123456789" && rig.facts.isEmpty)
    }

    @Test func `a change while the proxy waits at a breakpoint applies to the very next byte`() {
        let breakpoint = ProxyBreakpoint(direction: .downlink, bytes: 4, request: 1)
        var rig = Rig(breakpoints: [breakpoint])
        rig.tunnel()
        rig.target("0123456789")
        rig.state.change(
            ProxyChange(proxy: "front", faults: [ProxyFault(point: .carried(.downlink, 4), effect: .reset)]))
        rig.handle(.changed)
        rig.state.release(breakpoint)
        rig.handle(.released(breakpoint))
        #expect(rig.received(.downlink) == "0123" && rig.done.contains(.reset(.downlink)))
    }

    @Test func `a changed plan starts counting its faults again, and applies from then on`() {
        var rig = Rig(.http, fault(.request, .refuse(503), .init(first: 1)))
        rig.client("CONNECT api.test:443 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(rig.received(.downlink).hasPrefix("HTTP/1.1 503"))
        rig.state.change(ProxyChange(proxy: "front", access: .open, faults: []))
        var next = ProxyMachine(number: rig.state.countConnection(), name: "front")
        _ = next.handle(.opened(client: "192.0.2.1", port: 6), at: 0, &rig.state)
        let actions = next.handle(
            .bytes(.uplink, ByteBuffer(string: "CONNECT api.test:443 HTTP/1.1\r\nHost: a\r\n\r\n")), at: 0, &rig.state)
        #expect(actions.contains { if case .dial = $0 { true } else { false } })
        #expect(rig.state.requests == 2)
    }
}
