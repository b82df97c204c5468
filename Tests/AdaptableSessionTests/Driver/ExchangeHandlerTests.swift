import Foundation
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import AdaptableSession

/// Parts are fed as the decoder gives them: all of one read at once, which is why the handler must be able to hold them back.
@Suite struct ExchangeHandlerTests {
    private final class Receiver: ExchangeReceiver {
        var observed: [String] = []
        var whenHead: (() -> Void)?

        func exchange(informational head: HTTPResponseHead) { observed.append("interim \(head.status.code)") }
        func exchange(head: HTTPResponseHead) {
            observed.append("head \(head.status.code)")
            whenHead?()
        }
        func exchange(body: ByteBuffer) { observed.append("body \(body.readableBytes)") }
        func exchangeEnded(trailers: HTTPHeaders?) { observed.append("end") }
        func exchangeFailed(_ failure: TransportFailure) { observed.append("failed \(failure.code.rawValue)") }
    }

    private struct Bench {
        let handler = ExchangeHandler()
        let receiver = Receiver()
        let channel: EmbeddedChannel

        init() throws {
            channel = EmbeddedChannel(handler: handler)
            try channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 80)).wait()
            handler.begin(receiver)
            handler.sendEnd()
        }

        func feed(_ parts: HTTPClientResponsePart...) throws { for part in parts { try channel.writeInbound(part) } }
    }

    private func head(_ status: HTTPResponseStatus, _ fields: HTTPHeaders = [:]) -> HTTPClientResponsePart {
        .head(HTTPResponseHead(version: .http1_1, status: status, headers: fields))
    }

    private let body = HTTPClientResponsePart.body(ByteBuffer(string: "12345"))

    @Test func `an answer passes in order and leaves the connection in order`() throws {
        let bench = try Bench()
        try bench.feed(head(.custom(code: 103, reasonPhrase: "Early Hints")), head(.ok), body, .end(nil))
        #expect(bench.receiver.observed == ["interim 103", "head 200", "body 5", "end"])
        #expect(bench.handler.leave())
    }

    @Test func `while it is paused nothing passes, not even the end of the connection`() throws {
        let bench = try Bench()
        bench.receiver.whenHead = { bench.handler.isPaused = true }
        try bench.feed(head(.ok), body)
        bench.channel.pipeline.fireErrorCaught(ChannelError.inputClosed)
        #expect(bench.receiver.observed == ["head 200"])
        bench.handler.isPaused = false
        #expect(bench.receiver.observed == ["head 200", "body 5", "failed -1005"])
        #expect(!bench.handler.leave())
    }

    @Test func `an answer that says close leaves no connection`() throws {
        let bench = try Bench()
        try bench.feed(head(.ok, ["Connection": "close"]), .end(nil))
        #expect(bench.receiver.observed.last == "end")
        #expect(!bench.handler.leave())
    }

    @Test func `an answer before the end of the request leaves no connection`() throws {
        let bench = try Bench()
        bench.handler.begin(bench.receiver)
        try bench.feed(head(.ok), .end(nil))
        #expect(bench.receiver.observed == ["head 200", "end"])
        #expect(!bench.handler.leave())
    }

    @Test func `what comes unasked makes the connection unusable`() throws {
        let bench = try Bench()
        var isUnusable = false
        bench.handler.whenUnusable = { isUnusable = true }
        try bench.feed(head(.ok), .end(nil))
        #expect(!isUnusable)
        try bench.feed(head(.ok))
        #expect(isUnusable)
        #expect(bench.receiver.observed == ["head 200", "end"])
        #expect(!bench.handler.isReusable)
    }

    /// TCP may stay open behind it, and the pool would give the connection to the next request.
    @Test func `a connection whose TLS was closed serves no more`() throws {
        let bench = try Bench()
        bench.handler.endsCleanly = { true }
        var isUnusable = false
        bench.handler.whenUnusable = { isUnusable = true }
        try bench.feed(head(.ok), .end(nil))
        bench.channel.pipeline.fireChannelReadComplete()
        #expect(bench.handler.isReusable)
        bench.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(isUnusable)
        #expect(!bench.handler.isReusable)
        #expect(bench.receiver.observed == ["head 200", "end"])
    }

    @Test func `TLS that is closed inside an answer ends it at once`() throws {
        let bench = try Bench()
        bench.handler.endsCleanly = { true }
        try bench.feed(head(.ok), body)
        bench.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(bench.receiver.observed == ["head 200", "body 5", "failed -1005"])
        bench.channel.pipeline.fireChannelInactive()
        #expect(bench.receiver.observed == ["head 200", "body 5", "failed -1005"])
    }

    @Test func `the end of the connection inside an answer is told once`() throws {
        let bench = try Bench()
        try bench.feed(head(.ok), body)
        bench.channel.pipeline.fireErrorCaught(ChannelError.inputClosed)
        bench.channel.pipeline.fireChannelInactive()
        #expect(bench.receiver.observed == ["head 200", "body 5", "failed -1005"])
    }

    @Test func `who has left hears nothing more`() throws {
        let bench = try Bench()
        try bench.feed(head(.ok))
        #expect(!bench.handler.leave())
        try bench.feed(body, .end(nil))
        #expect(bench.receiver.observed == ["head 200"])
    }
}
