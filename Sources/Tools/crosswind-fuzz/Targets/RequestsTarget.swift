import NIOCore
import TestServer

/// The origin's request parser: the result must not depend on how the bytes are split.
struct RequestsTarget: FuzzTarget {
    static let name = "requests"
    static let subject = "HTTP/1.1 requests: heads, bodies, chunks and trailers (RFC 9112)"

    /// The events, with the pieces of each body joined.
    private struct Reading: Equatable {
        var events: [RequestParser.Event] = []
        var body: [UInt8] = []
        var bodies: [[UInt8]] = []

        mutating func process(_ event: RequestParser.Event) {
            switch event {
            case .body(let piece): body += Array(buffer: piece)
            case .head, .ended, .bad:
                if !body.isEmpty {
                    bodies.append(body)
                    body = []
                }
                events.append(event)
            }
        }
    }

    func play(_ random: inout FuzzRandom) throws(FuzzFinding) -> Bool {
        var bytes: [UInt8] = []
        for _ in 0...random.below(3) { bytes += RequestsTarget.request(&random) }
        if random.happens(oneIn: 2) { random.damage(&bytes) }
        let whole = try RequestsTarget.read(bytes, in: [bytes[...]])
        var pieces: [ArraySlice<UInt8>] = []
        var place = 0
        while place < bytes.count {
            let end = min(bytes.count, place + 1 + random.below(random.happens(oneIn: 2) ? 4 : 60))
            pieces.append(bytes[place..<end])
            place = end
        }
        let cut = try RequestsTarget.read(bytes, in: pieces)
        guard cut == whole else { throw FuzzFinding("the result differs if the bytes are split", bytes) }
        return whole.events.contains { if case .ended = $0 { true } else { false } }
    }

    private static func read(_ bytes: [UInt8], in pieces: [ArraySlice<UInt8>]) throws(FuzzFinding) -> Reading {
        var parser = RequestParser()
        var input = ByteBuffer()
        var reading = Reading()
        var steps = 0
        for piece in pieces {
            input.writeBytes(piece)
            while let event = parser.next(&input) {
                steps += 1
                guard steps <= 2 * bytes.count + 8 else {
                    throw FuzzFinding("it produces more events than the bytes allow", bytes)
                }
                reading.process(event)
            }
        }
        return reading
    }

    private static func request(_ random: inout FuzzRandom) -> [UInt8] {
        var lines = [
            random.pick(["GET", "POST", "PUT", "HEAD", "OPTIONS", "g@t"]) + " "
                + random.pick(["/", "/a?b=c", "*", "http://api.test/a", "/%00", "api.test:443", "/a b"]) + " "
                + random.pick(["HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/1.10"]),
            random.happens(oneIn: 20) ? "X: y" : "Host: api.test",
        ]
        let body = random.bytes(random.below(40))
        var framed = body
        switch random.below(4) {
        case 0: framed = []
        case 1: lines.append("Content-Length: \(random.happens(oneIn: 8) ? random.below(60) : body.count)")
        default:
            lines.append(
                random.pick([
                    "Transfer-Encoding: chunked", "Transfer-Encoding: gzip, chunked", "transfer-encoding:chunked",
                ]))
            if random.happens(oneIn: 10) { lines.append("Content-Length: 3") }
            framed = []
            var place = 0
            while place < body.count {
                let end = min(body.count, place + 1 + random.below(12))
                framed +=
                    Array(String(end - place, radix: 16).utf8) + Array(random.pick(["", ";a=b", ";", " "]).utf8) + [
                        13, 10,
                    ]
                framed += body[place..<end] + [13, 10]
                place = end
            }
            framed += Array(("0\r\n" + random.pick(["", "Trailer: x\r\n", "bad\r\n"]) + "\r\n").utf8)
        }
        for _ in 0..<random.below(3) {
            lines.append(
                random.pick([
                    "Accept: */*", "Range: bytes=0-3", "Expect: 100-continue", "X:", ": y", "A : b", " folded",
                    "Connection: close",
                ]))
        }
        return Array((lines.joined(separator: random.happens(oneIn: 12) ? "\n" : "\r\n") + "\r\n\r\n").utf8) + framed
    }
}
