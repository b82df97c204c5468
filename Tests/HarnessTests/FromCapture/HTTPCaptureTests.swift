import LinkEmulator
import Testing

@testable import Harness

/// The server's sequence numbers begin just below 2^32, so every response crosses their overflow.
@Suite struct HTTPCaptureTests {
    private static let response =
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\nSet-Cookie: s=1\r\n\r\nhello"

    @Test func `a request in the clear becomes an exchange with the server's own time`() throws {
        var capture = CapturedBytes()
        capture.open(0, roundTrip: 20)
        capture.add(
            21, fromClient: true, text: "GET /hello?a=1 HTTP/1.1\r\nHost: api.example:80\r\nCookie: s=1\r\n\r\n")
        capture.add(71, fromClient: false, text: Self.response)
        let traffic = try capture.traffic
        #expect(traffic.roundTrips == [20_100_000])
        let exchange = try #require(traffic.exchanges.first)
        #expect(exchange.url.text == "http://api.example/hello?a=1")
        #expect(exchange.status == 200 && exchange.contentType == "text/plain" && exchange.responseBytes == 5)
        // 50 ms between request and response, of which 20 ms were the way.
        #expect(exchange.wait == 30_000_000)
        #expect(exchange.start == 21_000_000 && exchange.end == 71_000_000)
        #expect(!"\(traffic)".contains("s=1") && exchange.text == nil)
        #expect(try CaptureFile.traffic(capture.bytes, keepsBodies: true).exchanges.map(\.text) == ["hello"])
    }

    /// The part of the round trip behind the place of the capture is what the server's time lacks.
    @Test func `a capture beside the server measures the same round trip`() throws {
        var capture = CapturedBytes()
        capture.add(0, fromClient: true, .syn)
        capture.add(0.1, fromClient: false, [.syn, .ack])
        capture.add(20.1, fromClient: true)
        capture.add(21, fromClient: true, text: "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n")
        capture.add(51.1, fromClient: false, text: Self.response)
        let traffic = try capture.traffic
        #expect(traffic.roundTrips == [20_100_000])
        #expect(traffic.exchanges.map(\.wait) == [30_000_000])
    }

    @Test func `a repeated SYN does not lengthen the round trip`() throws {
        var capture = CapturedBytes()
        capture.add(0, fromClient: true, .syn)
        capture.add(1000, fromClient: true, .syn, repeats: 1000)
        capture.add(1020, fromClient: false, [.syn, .ack])
        capture.add(1020, fromClient: true)
        capture.add(1021, fromClient: true, text: "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n")
        capture.add(1050, fromClient: false, text: Self.response)
        #expect(try capture.traffic.roundTrips == [20_000_000])
    }

    @Test func `segments out of order, repeated and cut are put together`() throws {
        var capture = CapturedBytes()
        capture.open(0, roundTrip: 10)
        capture.add(11, fromClient: true, text: "GET /a HTTP/1.1\r\nHost: a.example\r\n\r\n")
        capture.add(12, fromClient: true, text: "GET /b HTTP/1.1\r\nHost: a.example\r\n\r\n")
        let start = capture.sequence(ofClient: false)
        let head = Array("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n".utf8)
        let middle = start &+ UInt32(head.count)
        // The second half comes first; the first half is sent twice, and the capture has only 60 bytes of it.
        capture.add(30, fromClient: false, .ack, [UInt8](repeating: 66, count: 500), repeats: middle &+ 500)
        capture.add(40, fromClient: false, .ack, head, repeats: start)
        for time in [41.0, 45] {
            capture.add(
                time, fromClient: false, .ack, [UInt8](repeating: 65, count: 500), repeats: middle, captured: 60)
        }
        capture.add(
            50, fromClient: false, .ack,
            Array("HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n".utf8),
            repeats: middle &+ 1000)
        let exchanges = try capture.traffic.exchanges
        #expect(exchanges.map(\.url.path) == ["/a", "/b"] && exchanges.map(\.status) == [200, 404])
        #expect(exchanges.map(\.responseBytes) == [1000, 3])
        #expect(exchanges.map(\.end) == [41_000_000, 50_000_000])
    }

    @Test func `interim responses and HEAD do not have a body, and an unanswered request is counted`() throws {
        var capture = CapturedBytes()
        capture.open(0, roundTrip: 1)
        capture.add(
            2, fromClient: true,
            text: "PUT /u HTTP/1.1\r\nHost: a.example\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\nbody")
        capture.add(
            3, fromClient: false, text: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"
        )
        capture.add(4, fromClient: true, text: "HEAD /h HTTP/1.1\r\nHost: a.example\r\n\r\n")
        capture.add(5, fromClient: false, text: "HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n")
        capture.add(6, fromClient: true, text: "GET /lost HTTP/1.1\r\nHost: a.example\r\n\r\n")
        let traffic = try capture.traffic
        #expect(traffic.exchanges.map(\.status) == [201, 200])
        #expect(traffic.exchanges.map(\.requestBytes) == [4, 0] && traffic.exchanges.map(\.responseBytes) == [0, 0])
        #expect(traffic.omitted == ["without requests that got no response": 1])
    }

    /// A ClientHello with only a server name, in the layout of RFC 8446 §4.1.2.
    private static func clientHello(_ name: String) -> [UInt8] {
        func sized(_ width: Int, _ body: [UInt8]) -> [UInt8] {
            (0..<width).reversed().map { UInt8(truncatingIfNeeded: body.count >> (8 * $0)) } + body
        }
        let list = sized(2, [0] + sized(2, Array(name.utf8)))
        let extensions = sized(2, [0, 0x2B] + sized(2, [2, 3, 4]) + [0, 0] + sized(2, list))
        let body =
            [3, 3] + [UInt8](repeating: 7, count: 32) + sized(1, []) + sized(2, [0x13, 1]) + sized(1, [0]) + extensions
        return [0x16, 3, 1] + sized(2, [1] + sized(3, body))
    }

    @Test func `a TLS connection becomes one request with its size`() throws {
        var capture = CapturedBytes(serverPort: 443)
        capture.open(0, roundTrip: 10)
        capture.add(11, fromClient: true, .ack, Self.clientHello("secure.example"))
        capture.add(21, fromClient: false, .ack, [UInt8](repeating: 1, count: 3000))
        capture.add(22, fromClient: true, .ack, [UInt8](repeating: 2, count: 200))
        capture.add(60, fromClient: false, .ack, [UInt8](repeating: 3, count: 7000))
        let exchange = try #require(try capture.traffic.exchanges.first)
        #expect(exchange.url.text == "https://secure.example/connection-1")
        #expect(exchange.responseBytes == 7000 && exchange.method == "GET")
        #expect(exchange.start == 22_000_000 && exchange.end == 60_000_000)
    }

    @Test func `captures without a request are refused with what they have`() throws {
        let empty = CapturedBytes()
        #expect(throws: CaptureError.noTCP(packets: 0)) { try empty.traffic }
        var other = CapturedBytes(serverPort: 22)
        other.open(0, roundTrip: 1)
        other.add(2, fromClient: false, text: "SSH-2.0-OpenSSH\r\n")
        #expect(throws: CaptureError.noRequests("it has 1 TCP connections, none of them with HTTP or TLS")) {
            try other.traffic
        }
        #expect(throws: CaptureError.pcapng(.truncated(offset: 0))) {
            try CaptureFile.traffic(Array(empty.bytes.prefix(20)))
        }
    }

    /// Small frames from the client during a response do not divide it, and the next request does.
    @Test func `a transfer ends where the other side's data takes a round trip`() {
        func pieces(_ times: Int64...) -> [CapturedTransfer.Piece] {
            times.map { CapturedTransfer.Piece(time: $0 * 1_000_000, bytes: 1500) }
        }
        let transfers = HTTPCapture.transfers(
            pieces(0, 32, 100), pieces(30, 31, 33, 34, 131, 132), roundTrip: 20_000_000)
        #expect(transfers.filter { $0.direction == .downlink }.map(\.pieces.count) == [4, 2])
        #expect(transfers.filter { $0.direction == .uplink }.map(\.pieces.count) == [1, 1, 1])
    }
}
