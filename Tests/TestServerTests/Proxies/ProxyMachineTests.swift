import AdapterProtocol
import NIOCore
import Scenario
import Testing

@testable import TestServer

/// The proxy's part of a connection without sockets: what happened goes in, what it does comes out, and time is a number. `up` is the target's side.
@Suite struct ProxyMachineTests {
    private struct Rig {
        var machine: ProxyMachine
        var state: ProxyState
        var now: Int64 = 0
        var done: [ProxyAction] = []

        init(_ kind: ProxyAddress.Kind = .http, marks: [ProxyMark] = [], _ change: (inout ProxyPlan) -> Void = { _ in }) {
            var plan = ProxyPlan(name: "front", kind: kind)
            change(&plan)
            state = ProxyState(plan: plan, seed: 1, marks: marks)
            machine = ProxyMachine(number: state.countConnection(), name: "front")
            give(.opened(client: "192.0.2.1", port: 5))
        }

        mutating func give(_ input: ProxyInput) { done += machine.handle(input, at: now, &state) }
        mutating func client(_ text: String) { give(.bytes(.up, ByteBuffer(string: text))) }
        mutating func client(_ bytes: [UInt8]) { give(.bytes(.up, ByteBuffer(bytes: bytes))) }
        mutating func target(_ text: String) { give(.bytes(.down, ByteBuffer(string: text))) }
        mutating func connect() {
            give(.dialed(.success(ProxyConnection(descriptor: -1, localAddress: "198.51.100.1", localPort: 9, remoteAddress: "203.0.113.10", remotePort: 443))))
        }
        /// An open tunnel, and what was done for it forgotten.
        mutating func tunnel() {
            client("CONNECT api.test:443 HTTP/1.1\r\nHost: api.test:443\r\n\r\n")
            connect()
            done = []
        }

        func said(_ direction: ProxyFault.Direction) -> String {
            var text = ""
            for case .write(direction, let bytes) in done { text += String(buffer: bytes) }
            return text
        }
        var facts: [ProxyFact.Event] { done.compactMap { if case .record(let event) = $0 { event } else { nil } } }
        var dials: [String] { done.compactMap { if case .dial(let place) = $0 { place.text } else { nil } } }
    }

    private func fault(_ point: ProxyFault.Point, _ effect: ProxyFault.Effect, _ scope: ProxyFault.Scope = .init()) -> (inout ProxyPlan) -> Void {
        { $0.faults = [ProxyFault(point: point, effect: effect, scope: scope)] }
    }

    // MARK: - Negotiation

    @Test func `CONNECT dials, answers 200 and then carries both ways, also what came behind the request`() {
        var rig = Rig()
        rig.client("CONNECT api.test:443 HTTP/1.1\r\n")
        #expect(rig.dials.isEmpty)
        rig.client("Host: api.test:443\r\n\r\nearly")
        #expect(rig.dials == ["api.test:443"] && rig.said(.down).isEmpty)
        rig.connect()
        #expect(rig.said(.down) == "HTTP/1.1 200 Connection established\r\n\r\n" && rig.said(.up) == "early")
        rig.client(" later")
        rig.target("answer")
        #expect(rig.said(.up) == "early later" && rig.said(.down).hasSuffix("\r\n\r\nanswer"))
        #expect(rig.facts.contains(.connected(request: 1, from: "198.51.100.1:9", to: "203.0.113.10:443")))
    }

    @Test func `an absolute request goes on in origin form, and its answer comes back as it is`() {
        var rig = Rig()
        rig.client("GET http://api.test/a?b HTTP/1.1\r\nHost: x\r\nProxy-Connection: keep-alive\r\nX-Own: 1\r\n\r\n")
        #expect(rig.dials == ["api.test:80"])
        rig.connect()
        #expect(rig.said(.up).hasPrefix("GET /a?b HTTP/1.1\r\nHost: api.test\r\n") && rig.said(.up).contains("X-Own: 1"))
        #expect(!rig.said(.up).contains("Proxy-Connection") && rig.said(.down).isEmpty)
        rig.target("HTTP/1.1 204 No Content\r\n\r\n")
        #expect(rig.said(.down) == "HTTP/1.1 204 No Content\r\n\r\n")
    }

    @Test func `SOCKS answers greeting and request, and a wrong login is refused`() {
        var open = Rig(.socks5)
        open.client([5, 1, 0])
        open.client([5, 1, 0, 3, 8] + Array("api.test".utf8) + [0, 80])
        #expect(open.dials == ["api.test:80"])
        open.connect()
        #expect(Array(open.said(.down).utf8.prefix(4)) == [5, 0, 5, 0])
        var closed = Rig(.socks5) { $0.access = .login(user: "ann", password: "pw") }
        closed.client([5, 1, 2])
        closed.client([1, 3] + Array("ann".utf8) + [2] + Array("no".utf8))
        #expect(closed.dials.isEmpty && closed.done.contains(.finish(.down)))
    }

    @Test(arguments: [ProxyDialError.unknownName("a"), .refused("a"), .unreachable("a")])
    func `a target that cannot be reached is the client's to know`(error: ProxyDialError) {
        var rig = Rig()
        rig.client("CONNECT api.test:443 HTTP/1.1\r\nHost: a\r\n\r\n")
        rig.give(.dialed(.failure(error)))
        #expect(rig.said(.down).hasPrefix("HTTP/1.1 \(error.status) ") && (500...599).contains(error.status))
        #expect(rig.facts.contains(.refused(request: 1, reply: error.status)) && rig.done.contains(.finish(.down)))
    }

    @Test func `407 keeps the connection, and the right credentials get through on it`() {
        var asked = AuthenticationPlan(scheme: .basic, user: "ann", password: "pw")
        asked.asker = .proxy
        var rig = Rig { $0.access = .challenge(asked) }
        rig.client("CONNECT api.test:443 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(rig.said(.down).hasPrefix("HTTP/1.1 407 ") && rig.said(.down).contains("Proxy-Authenticate: Basic"))
        #expect(rig.dials.isEmpty && !rig.done.contains(.finish(.down)))
        rig.client("CONNECT api.test:443 HTTP/1.1\r\nHost: a\r\nProxy-Authorization: Basic YW5uOnB3\r\n\r\n")
        #expect(rig.dials == ["api.test:443"])
    }

    /// The body that follows is no next request: the proxy does not read it, and says that it ends.
    @Test func `407 to a request with a body ends the connection`() {
        var asked = AuthenticationPlan(scheme: .basic, user: "ann", password: "pw")
        asked.asker = .proxy
        var rig = Rig { $0.access = .challenge(asked) }
        rig.client("POST http://api.test/a HTTP/1.1\r\nHost: a\r\nContent-Length: 38\r\n\r\n")
        rig.client("GET http://api.test/b HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(rig.said(.down).hasPrefix("HTTP/1.1 407 ") && rig.said(.down).contains("Connection: close\r\n"))
        #expect(rig.facts.count { if case .request = $0 { true } else { false } } == 1)
        #expect(rig.done.contains(.finish(.down)) && rig.dials.isEmpty)
    }

    @Test func `what is no proxy request is answered 400 and ends`() {
        var rig = Rig()
        rig.client("GET /path HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(rig.said(.down).hasPrefix("HTTP/1.1 400 ") && rig.done.contains(.finish(.down)) && rig.dials.isEmpty)
    }

    // MARK: - Faults

    @Test func `a fault stops exactly behind its byte, on either way`() {
        for direction in ProxyFault.Direction.allCases {
            var rig = Rig(.http, fault(.carried(direction, 4), .reset))
            rig.tunnel()
            rig.give(.bytes(direction, ByteBuffer(string: "0123456789")))
            #expect(rig.said(direction) == "0123")
            #expect(rig.done.contains(.reset(.up)) && rig.done.contains(.reset(.down)) && rig.machine.isOver)
        }
    }

    @Test func `a stall holds one direction and leaves the other`() {
        var rig = Rig(.http, fault(.carried(.down, 2), .stall))
        rig.tunnel()
        rig.target("0123")
        rig.client("up")
        #expect(rig.said(.down) == "01" && rig.said(.up) == "up")
        #expect(rig.done.contains(.read(.down, false)))
    }

    @Test func `a pause lasts until its time, and nothing is lost`() {
        var rig = Rig(.http, fault(.carried(.down, 2), .pause(.milliseconds(10))))
        rig.tunnel()
        rig.target("0123")
        #expect(rig.said(.down) == "01" && rig.done.contains(.start(.down, at: 10_000_000)))
        rig.now = 10_000_000
        rig.give(.timer(.down))
        #expect(rig.said(.down) == "0123")
    }

    @Test func `a pause before the answer holds up the dialing, and a refusal comes in its place`() {
        var slow = Rig(.http, fault(.request, .pause(.seconds(1))))
        slow.client("CONNECT api.test:443 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(slow.dials.isEmpty)
        slow.now = 1_000_000_000
        slow.give(.timer(.hold))
        #expect(slow.dials == ["api.test:443"])
        var refusing = Rig(.http, fault(.request, .refuse(503), .init(first: 1)))
        refusing.client("CONNECT api.test:443 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(refusing.said(.down).hasPrefix("HTTP/1.1 503 ") && refusing.dials.isEmpty)
    }

    @Test func `a throttled tunnel carries so many bytes in so much time`() {
        // 8 kbit/s: a byte takes a millisecond.
        var rig = Rig(.http, fault(.carried(.down, 0), .throttle(BitRate(bitsPerSecond: 8_000)!)))
        rig.tunnel()
        rig.target(String(repeating: "x", count: 100))
        while rig.said(.down).count < 100, rig.now < 1_000_000_000 {
            rig.now += 1_000_000
            rig.give(.timer(.down))
            #expect(rig.said(.down).count <= Int(rig.now / 1_000_000))
        }
        #expect(rig.now == 100_000_000)
    }

    // MARK: - Ends

    @Test func `an end goes on behind the bytes before it, and the second one ends the connection`() {
        var rig = Rig()
        rig.tunnel()
        rig.client("last")
        rig.give(.ended(.up))
        #expect(rig.said(.up) == "last" && rig.done.contains(.finish(.up)) && !rig.machine.isOver)
        rig.target("words")
        rig.give(.ended(.down))
        #expect(rig.said(.down) == "words" && rig.machine.isOver)
        #expect(rig.facts.contains(.closed(by: "client", up: 4, down: 5)))
    }

    @Test func `a reset of one side is a reset for the other`() {
        var rig = Rig()
        rig.tunnel()
        rig.give(.gone(.down, isReset: true))
        #expect(rig.done.contains(.reset(.down)) && rig.machine.isOver)
        #expect(rig.facts == [.closed(by: "reset", up: 0, down: 0)])
    }

    @Test func `a client that leaves in the midst of its request is a closed connection`() {
        var rig = Rig()
        rig.client("CONNECT api.te")
        rig.give(.ended(.up))
        #expect(rig.machine.isOver && rig.dials.isEmpty)
    }

    @Test func `a side that sends more than the other takes is not read`() {
        var rig = Rig(.http, fault(.carried(.down, 0), .pause(.seconds(1))))
        rig.tunnel()
        rig.target(String(repeating: "x", count: ProxyMachine.heldLimit))
        #expect(rig.done.contains(.read(.down, false)))
        rig.now = 1_000_000_000
        rig.give(.timer(.down))
        #expect(rig.done.last == .read(.down, true) || rig.done.contains(.read(.down, true)))
    }

    // MARK: - Marks and changes

    @Test func `a mark stops at its byte, tells so, and goes on when it is released`() {
        let mark = ProxyMark(direction: .down, bytes: 4, request: 1)
        var rig = Rig(marks: [mark])
        rig.tunnel()
        rig.target("0123456789")
        #expect(rig.said(.down) == "0123" && rig.facts == [.carried(request: 1, .down, bytes: 4)])
        rig.client("up")
        #expect(rig.said(.up) == "up")
        rig.state.release(mark)
        rig.give(.released(mark))
        #expect(rig.said(.down) == "0123456789" && rig.facts.count == 1)
    }

    @Test func `a mark that is released before it is reached stops nothing`() {
        let mark = ProxyMark(direction: .down, bytes: 4, request: 1)
        var rig = Rig(marks: [mark])
        rig.tunnel()
        rig.state.release(mark)
        rig.give(.released(mark))
        rig.target("0123456789")
        #expect(rig.said(.down) == "0123456789" && rig.facts.isEmpty)
    }

    @Test func `a change while the proxy waits at a mark is in force for the very next byte`() {
        let mark = ProxyMark(direction: .down, bytes: 4, request: 1)
        var rig = Rig(marks: [mark])
        rig.tunnel()
        rig.target("0123456789")
        rig.state.change(ProxyChange(proxy: "front", faults: [ProxyFault(point: .carried(.down, 4), effect: .reset)]))
        rig.give(.changed)
        rig.state.release(mark)
        rig.give(.released(mark))
        #expect(rig.said(.down) == "0123" && rig.done.contains(.reset(.down)))
    }

    @Test func `a changed plan counts its faults anew, and asks from then on`() {
        var rig = Rig(.http, fault(.request, .refuse(503), .init(first: 1)))
        rig.client("CONNECT api.test:443 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(rig.said(.down).hasPrefix("HTTP/1.1 503"))
        rig.state.change(ProxyChange(proxy: "front", access: .open, faults: []))
        var next = ProxyMachine(number: rig.state.countConnection(), name: "front")
        _ = next.handle(.opened(client: "192.0.2.1", port: 6), at: 0, &rig.state)
        let actions = next.handle(.bytes(.up, ByteBuffer(string: "CONNECT api.test:443 HTTP/1.1\r\nHost: a\r\n\r\n")), at: 0, &rig.state)
        #expect(actions.contains { if case .dial = $0 { true } else { false } })
        #expect(rig.state.requests == 2)
    }
}
