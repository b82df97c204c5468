import AdapterProtocol
import NIOCore
import Testing

@testable import TestServer

/// The parser is exact when the events do not depend on how the bytes are split: each text is fed whole, byte by byte
/// and in random pieces, and the merged events must be equal.
struct RequestParserTests {
    /// Returns the events of a text fed in these pieces, with adjoining body pieces merged.
    private func events(_ pieces: [[UInt8]]) -> [RequestParser.Event] {
        var parser = RequestParser()
        var inbox = ByteBuffer()
        var events: [RequestParser.Event] = []
        for piece in pieces {
            inbox.writeBytes(piece)
            while let event = parser.next(&inbox) {
                if case .body(let part) = event, case .body(var whole) = events.last {
                    whole.writeImmutableBuffer(part)
                    events[events.count - 1] = .body(whole)
                } else {
                    events.append(event)
                }
            }
        }
        return events
    }

    private func events(_ text: String) -> [RequestParser.Event] { events([Array(text.utf8)]) }

    private func head(_ text: String) throws -> RequestHead {
        guard case .head(let head)? = events(text).first else { throw Unexpected() }
        return head
    }

    private struct Unexpected: Error {}

    @Test func `a head keeps the order and the case of its fields`() throws {
        let head = try head("GET /a?b HTTP/1.1\r\nhOsT: api.test:8080\r\nX-One:1\r\nx-two: \t2 \r\nX-One: 3\r\n\r\n")
        #expect(head.method == "GET")
        #expect(head.target == "/a?b")
        #expect(head.path == "/a")
        #expect(head.host == "api.test")
        #expect(head.headers.map(\.name) == ["hOsT", "X-One", "x-two", "X-One"])
        #expect(head.headers.map(\.value) == ["api.test:8080", "1", "2", "3"])
        #expect(head.keepsConnection)
    }

    @Test(arguments: [
        ("GET http://Other.test:81/p?q HTTP/1.1\r\nHost: api.test\r\n\r\n", "other.test", "/p"),
        ("GET http://[2001:db8::1]:80 HTTP/1.1\r\nHost: x\r\n\r\n", "2001:db8::1", "/"),
        ("GET / HTTP/1.1\r\nHost: [2001:DB8::1]:80\r\n\r\n", "2001:db8::1", "/"),
    ])
    func `an absolute target outranks Host`(text: String, host: String, path: String) throws {
        let head = try head(text)
        #expect(head.host == host)
        #expect(head.path == path)
    }

    private static let bodies = [
        "POST /u HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhelloGET /n HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST /u HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\nT: v\r\n\r\nGET /n HTTP/1.1\r\nHost: a\r\n\r\n",
    ]

    @Test(arguments: bodies)
    func `events do not depend on how bytes are split`(text: String) {
        let whole = events(text)
        #expect(whole.count == 5)
        #expect(whole[1] == .body(ByteBuffer(string: "hello")))
        #expect(whole[2] == .ended)
        #expect(whole[4] == .ended)
        #expect(events(text.utf8.map { [$0] }) == whole)
        var random = SystemRandomNumberGenerator()
        for _ in 0..<50 {
            var rest = Array(text.utf8)[...]
            var pieces: [[UInt8]] = []
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...9, using: &random))
                pieces.append(Array(piece))
                rest = rest.dropFirst(piece.count)
            }
            #expect(events(pieces) == whole)
        }
    }

    @Test func `a piece of body stops at the requested byte`() throws {
        var parser = RequestParser()
        var inbox = ByteBuffer(string: RequestParserTests.bodies[0])
        _ = parser.next(&inbox)
        #expect(parser.next(&inbox, atMost: 2) == .body(ByteBuffer(string: "he")))
        #expect(parser.next(&inbox, atMost: 1) == .body(ByteBuffer(string: "l")))
        #expect(parser.isInsideBody)
        #expect(parser.next(&inbox) == .body(ByteBuffer(string: "lo")))
        #expect(parser.next(&inbox) == .ended)
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\n", 400, "LF without CR"),
        ("GET / HTTP/1.1\r\nHost: a\rX", 400, "CR inside"),
        ("\u{16}\u{3}\u{1}", 400, "TLS ClientHello"),
        ("GET / HTTP/1.1\r\nHost: a\u{0}", 400, "control character"),
        ("GET /\r\n\r\n", 400, "2 parts"),
        ("GET / a HTTP/1.1\r\n\r\n", 400, "4 parts"),
        ("G(T / HTTP/1.1\r\n\r\n", 400, "method"),
        ("GET /ä HTTP/1.1\r\n\r\n", 400, "target"),
        ("PRI * HTTP/2.0\r\n\r\n", 505, "HTTP/2.0"),
        ("GET / HTTP/1.1\r\n\r\n", 400, "no Host"),
        ("GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n", 400, "more than one Host"),
        ("GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n", 400, "folded"),
        ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400, "token"),
        ("GET / HTTP/1.1\r\nHost\r\n\r\n", 400, "colon"),
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400, "both"),
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\n", 400, "not a number"),
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", 400, "not a number"),
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n", 400, "more than one"),
        ("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 501, "coding"),
        ("GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400, "HTTP/1.0"),
        ("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", 400, "hexadecimal"),
        ("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab", 400, "longer than its size"),
        ("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n", 400, "hexadecimal"),
    ])
    func `a violation of the grammar is refused with its reason`(text: String, status: Int, reason: String) throws {
        for pieces in [[Array(text.utf8)], text.utf8.map { [$0] }] {
            guard case .bad(let bad)? = events(pieces).last else {
                Issue.record("not refused: \(text.debugDescription)")
                continue
            }
            #expect(bad.status == status)
            #expect(bad.reason.contains(reason), "\(bad.reason)")
        }
    }

    @Test func `empty lines before a request are ignored`() throws {
        #expect(try head("\r\n\r\nGET / HTTP/1.0\r\n\r\n").target == "/")
        #expect(events("\r\nGET / HTTP/1.0\r\n\r\n".utf8.map { [$0] }).count == 2)
    }

    @Test func `a head of more than 256 KiB is refused before it ends`() {
        let text = "GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "x", count: 300 * 1024)
        guard case .bad(let bad)? = events(text).first else {
            Issue.record("not refused")
            return
        }
        #expect(bad.status == 431)
    }

    @Test func `a bad request is the last event`() {
        #expect(events("GET /\r\n\r\nGET / HTTP/1.0\r\n\r\n").count == 1)
    }

    /// Half of the inputs are noise, half are good requests with a few bytes changed, so that deep states are reached too.
    @Test func `100,000 broken inputs end in events and never in a trap`() {
        var random = SplitMix(state: 7)
        let seeds = RequestParserTests.bodies.map { Array($0.utf8) }
        var bad = 0
        var heads = 0
        for round in 0..<100_000 {
            var input = ByteBuffer()
            if round.isMultiple(of: 2) {
                for _ in 0..<Int.random(in: 0...24, using: &random) {
                    input.writeInteger(UInt8.random(in: 0...255, using: &random))
                }
            } else {
                var bytes = seeds[round / 2 % seeds.count]
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                input.writeBytes(bytes)
            }
            var parser = RequestParser()
            let limit = Int.random(in: 1...8, using: &random)
            while let event = parser.next(&input, atMost: limit) {
                switch event {
                case .bad: bad += 1
                case .head: heads += 1
                case .body, .ended: break
                }
            }
        }
        #expect(bad > 10_000)
        #expect(heads > 10_000)
    }

    private struct SplitMix: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var z = state
            z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
            z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
            return z ^ (z >> 31)
        }
    }
}
