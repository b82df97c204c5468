import Foundation
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import AdaptableSession

/// The decoder and the handler behind it, as in a connection. Bytes written at once arrive in one read, as from a
/// kernel; bytes after a response are especially dangerous there, because nothing has been decided between the two.
@Suite struct ResponseDecoderTests {
    private final class Receiver: ExchangeReceiver {
        let response: PendingResponse
        var observed: [String] = []
        var whenHead: (() -> Void)?
        init(_ handler: ExchangeHandler) { response = PendingResponse(handler) }
        func exchange(informational head: HTTPResponseHead) { observed.append("interim \(head.status.code)") }
        func exchange(head: HTTPResponseHead) {
            observed.append("\(head.status.code) \(head.headers.map(\.name).joined(separator: " "))")
            whenHead?()
        }
        func exchange(body: ByteBuffer) { observed.append(String(buffer: body)) }
        func exchangeEnded(trailers: HTTPHeaders?) { observed.append("end") }
        func exchangeFailed(_ failure: TransportFailure) { observed.append("failed \(failure.code.rawValue)") }
    }

    private final class Bench {
        let counter = ByteCounter()
        let handler: ExchangeHandler
        let channel = EmbeddedChannel()
        var isUnusable = false

        init() throws {
            handler = ExchangeHandler(counter: counter)
            let decoder = ResponseDecoder(counter: counter)
            handler.endsCleanly = { decoder.end() }
            handler.whenUnusable = { [unowned self] in isUnusable = true }
            try channel.pipeline.syncOperations.addHandlers(
                counter, HTTPRequestEncoder(), decoder, handler)
            try channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 80)).wait()
        }

        func request(_ method: HTTPMethod = .GET) -> Receiver {
            let receiver = Receiver(handler)
            receiver.response.begin(receiver)
            handler.send(HTTPRequestHead(version: .http1_1, method: method, uri: "/", headers: ["Host": "a.test"]))
            handler.sendEnd()
            return receiver
        }

        /// An error that the pipeline reports does not fail the test.
        func read(_ text: String) { _ = try? channel.writeInbound(ByteBuffer(string: text)) }

        func close() { _ = try? channel.finish() }
    }

    private let response = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\none"
    private let received = ["200 Content-Length", "one", "end"]

    @Test func `exchanges follow each other, and empty lines between them are tolerated`() throws {
        let bench = try Bench()
        for (between, method) in [("", HTTPMethod.GET), ("\r\n", .GET), ("\r\n\r\n", .HEAD)] {
            let receiver = bench.request(method)
            bench.read(response.dropLast(method == .HEAD ? 3 : 0) + between)
            #expect(receiver.observed == (method == .HEAD ? ["200 Content-Length", "end"] : received))
            #expect(receiver.response.leave())
            bench.read(between)
            #expect(!bench.isUnusable)
        }
    }

    @Test(arguments: [
        "H", "HTTP/1.1 203 Forged\r\nX-Forged: ", "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged", "\r\nH", "junk",
    ])
    func `bytes after a response make the connection unusable and are not delivered`(_ surplus: String) throws {
        let bench = try Bench()
        let receiver = bench.request()
        bench.read(response + surplus)
        #expect(receiver.observed == received)
        #expect(!receiver.response.leave())
        #expect(bench.isUnusable)
    }

    @Test(arguments: ["H", "HTTP/1.1 203 Forged\r\nX-Forged: ", "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"])
    func `bytes on an idle connection make it unusable`(_ surplus: String) throws {
        let bench = try Bench()
        let receiver = bench.request()
        bench.read(response)
        #expect(receiver.response.leave())
        bench.read(surplus)
        #expect(bench.isUnusable)
        #expect(receiver.observed == received)
    }

    @Test func `endless empty lines make an idle connection unusable`() throws {
        let bench = try Bench()
        let receiver = bench.request()
        bench.read(response)
        #expect(receiver.response.leave())
        for count in 1...32 {
            bench.read("\r\n")
            #expect(!bench.isUnusable, "\(count)")
        }
        bench.read("\r\n")
        #expect(bench.isUnusable)
        #expect(receiver.observed == received)
    }

    @Test func `the close is reported after all bytes that came with it`() throws {
        let bench = try Bench()
        let receiver = bench.request()
        bench.channel.pipeline.fireChannelRead(ByteBuffer(string: response))
        #expect(receiver.observed == ["200 Content-Length", "one"])
        #expect(!bench.handler.isReusable)
        bench.channel.pipeline.fireChannelRead(ByteBuffer(string: "HTTP/1.1 "))
        bench.channel.pipeline.fireChannelReadComplete()
        #expect(receiver.observed == received)
        #expect(bench.isUnusable)
    }

    @Test func `a body without a length ends with its connection, once`() throws {
        let bench = try Bench()
        let receiver = bench.request()
        bench.read("HTTP/1.1 200 OK\r\n\r\none")
        bench.close()
        #expect(receiver.observed == ["200 ", "one", "end"])
        #expect(!receiver.response.leave())
    }

    @Test func `a connection that closes inside a response fails it, and after a response it does not`() throws {
        let inside = try Bench()
        let first = inside.request()
        inside.read("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\none")
        inside.close()
        #expect(first.observed == ["200 Content-Length", "one", "failed -1005"])
        let behind = try Bench()
        let second = behind.request()
        behind.channel.pipeline.fireChannelRead(ByteBuffer(string: response))
        behind.close()
        #expect(second.observed == received)
        #expect(!second.response.leave())
    }

    @Test func `after a 101 nothing is requested on the connection`() throws {
        let bench = try Bench()
        let receiver = bench.request()
        bench.read("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n")
        #expect(receiver.observed == ["101 Upgrade Connection", "end"])
        #expect(!receiver.response.leave())
    }
}
