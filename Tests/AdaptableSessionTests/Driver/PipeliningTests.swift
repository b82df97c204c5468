import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import AdaptableSession

/// The decoder and the handler behind it, as in a connection. Several responses arrive in one read, because only then
/// can the bytes of one be taken for those of another.
@Suite struct PipeliningTests {
    private final class Receiver: ExchangeReceiver {
        let response: PendingResponse
        private let log: Log
        private let name: String
        var whenHead: (() -> Void)?

        init(_ name: String, _ bench: Bench) {
            self.name = name
            response = PendingResponse(bench.handler)
            log = bench.log
        }

        func exchange(informational head: HTTPResponseHead) { log.lines.append("\(name) interim") }
        func exchange(head: HTTPResponseHead) {
            log.lines.append("\(name) \(head.status.code)")
            whenHead?()
        }
        func exchange(body: ByteBuffer) { log.lines.append("\(name) \(String(buffer: body))") }
        func exchangeEnded(trailers: HTTPHeaders?) { log.lines.append("\(name) end") }
        func exchangeFailed(_ failure: TransportFailure) { log.lines.append("\(name) \(failure.retryKind)") }
    }

    private final class Log { var lines: [String] = [] }

    private final class Bench {
        let counter = ByteCounter()
        let handler: ExchangeHandler
        let channel = EmbeddedChannel()
        let log = Log()
        var isUnusable = false

        init() throws {
            handler = ExchangeHandler(counter: counter)
            let decoder = ResponseDecoder(counter: counter)
            handler.endsCleanly = { decoder.end() }
            handler.whenUnusable = { [unowned self] in isUnusable = true }
            try channel.pipeline.syncOperations.addHandlers(counter, HTTPRequestEncoder(), decoder, handler)
            try channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 80)).wait()
        }

        func request(_ name: String, _ method: HTTPMethod = .GET) -> Receiver {
            let receiver = Receiver(name, self)
            receiver.response.begin(receiver)
            handler.send(HTTPRequestHead(version: .http1_1, method: method, uri: "/", headers: ["Host": "a.test"]))
            handler.sendEnd()
            return receiver
        }

        func read(_ text: String) { _ = try? channel.writeInbound(ByteBuffer(string: text)) }
    }

    private func response(_ body: String, _ fields: String = "") -> String {
        "HTTP/1.1 200 OK\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    @Test func `responses of every framing in one read are matched in order, each with its own bytes`() throws {
        let bench = try Bench()
        let (a, b, c, d) = (bench.request("a"), bench.request("b", .HEAD), bench.request("c"), bench.request("d"))
        let early = "HTTP/1.1 103 Early Hints\r\n\r\n"
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nthree\r\n0\r\n\r\n"
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n"
        let confirmed = "HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\n\r\n"
        bench.read(early + chunked + head + confirmed + response("four"))
        #expect(
            bench.log.lines == [
                "a interim", "a 200", "a three", "a end", "b 200", "b end", "c 304", "c end", "d 200", "d four",
                "d end",
            ])
        let counts = [a, b, c, d].map(\.response.receivedBytes)
        #expect(counts == [early + chunked, head, confirmed, response("four")].map { Int64($0.utf8.count) })
        #expect(a.response.receivedHeadBytes == counts[0] - Int64("5\r\nthree\r\n0\r\n\r\n".utf8.count))
        #expect(d.response.receivedHeadBytes == counts[3] - 4)
        #expect(a.response.sentBytes == d.response.sentBytes)
        #expect(b.response.sentBytes == a.response.sentBytes + 1)
        for receiver in [a, b, c, d] { #expect(receiver.response.leave()) }
        #expect(!bench.isUnusable)
        #expect(bench.handler.allowsPipelining)
    }

    @Test func `the same bytes one by one give the same parts`() throws {
        let bench = try Bench()
        _ = (bench.request("a"), bench.request("b"))
        for character in response("1") + response("2") { bench.read(String(character)) }
        #expect(bench.log.lines == ["a 200", "a 1", "a end", "b 200", "b 2", "b end"])
        #expect(bench.handler.isReusable)
    }

    @Test func `surplus after the last response makes the connection unusable`() throws {
        let bench = try Bench()
        let (_, b) = (bench.request("a"), bench.request("b"))
        bench.read(response("1") + response("2") + response("forged"))
        #expect(bench.log.lines == ["a 200", "a 1", "a end", "b 200", "b 2", "b end"])
        #expect(!b.response.leave())
        #expect(bench.isUnusable)
    }

    @Test func `while the first is paused nothing of the next passes, and nothing is read`() throws {
        let bench = try Bench()
        let (a, b) = (bench.request("a"), bench.request("b"))
        a.whenHead = { a.response.isPaused = true }
        bench.read(response("1") + response("2"))
        #expect(bench.log.lines == ["a 200"])
        b.response.isPaused = true
        a.response.isPaused = false
        #expect(bench.log.lines == ["a 200", "a 1", "a end"])
        b.response.isPaused = false
        #expect(bench.log.lines.last == "b end")
    }

    @Test func `after Connection close the requests behind are unanswered, and their bytes are not delivered`() throws {
        let bench = try Bench()
        let (a, _, _) = (bench.request("a"), bench.request("b"), bench.request("c"))
        bench.read(response("1", "Connection: close\r\n") + response("forged"))
        #expect(bench.log.lines == ["a 200", "b unanswered", "c unanswered", "a 1", "a end"])
        #expect(!a.response.leave())
    }

    @Test func `a connection that ends inside a response fails it, and those behind are unanswered`() throws {
        let bench = try Bench()
        let (a, b) = (bench.request("a"), bench.request("b"))
        bench.read("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\none")
        _ = try? bench.channel.finish()
        #expect(bench.log.lines == ["a 200", "a one", "a connectionLost", "b unanswered"])
        #expect(a.response.receivedBytes > 0 && b.response.receivedBytes == 0)
    }

    /// A suspended task keeps its complete response; the next one must not wait for it to be sent again.
    @Test func `a request behind a paused response learns of the end of the connection immediately`() throws {
        let bench = try Bench()
        let (a, _) = (bench.request("a"), bench.request("b"))
        a.whenHead = { a.response.isPaused = true }
        bench.read(response("1"))
        _ = try? bench.channel.finish()
        #expect(bench.log.lines == ["a 200", "b unanswered"])
        a.response.isPaused = false
        #expect(bench.log.lines == ["a 200", "b unanswered", "a 1", "a end"])
    }

    @Test func `leaving the first exchange leaves the requests behind it unanswered`() throws {
        let bench = try Bench()
        let (a, _) = (bench.request("a"), bench.request("b"))
        bench.read("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\none")
        #expect(!a.response.leave())
        #expect(bench.log.lines == ["a 200", "a one", "b unanswered"])
        bench.read("forged")
        #expect(bench.log.lines.count == 3)
    }

    @Test func `leaving a later exchange does not disturb those before it`() throws {
        let bench = try Bench()
        let (a, b, c) = (bench.request("a"), bench.request("b"), bench.request("c"))
        #expect(!b.response.leave())
        #expect(bench.log.lines == ["c unanswered"])
        #expect(!c.response.leave())
        bench.read(response("1") + response("2") + response("3"))
        #expect(bench.log.lines == ["c unanswered", "a 200", "a 1", "a end"])
        #expect(!a.response.leave())
    }

    @Test func `a malformed later response fails only its request`() throws {
        let bench = try Bench()
        _ = (bench.request("a"), bench.request("b"), bench.request("c"))
        bench.read(response("1") + "junk")
        #expect(bench.log.lines == ["a 200", "a 1", "a end", "b final", "c unanswered"])
    }
}
