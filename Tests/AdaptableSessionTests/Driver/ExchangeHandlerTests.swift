import Foundation
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import AdaptableSession

/// Parts are fed as the decoder delivers them: all parts of one read at once, which is why the handler must be able to
/// hold them back.
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
        let response: PendingResponse
        let receiver = Receiver()
        let channel: EmbeddedChannel

        init() throws {
            channel = EmbeddedChannel(handler: handler)
            try channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 80)).wait()
            response = PendingResponse(handler)
            response.begin(receiver)
            handler.sendEnd()
        }

        func feed(_ parts: HTTPClientResponsePart...) throws { for part in parts { try channel.writeInbound(part) } }
    }

    private func head(_ status: HTTPResponseStatus, _ fields: HTTPHeaders = [:]) -> HTTPClientResponsePart {
        .head(HTTPResponseHead(version: .http1_1, status: status, headers: fields))
    }

    private let body = HTTPClientResponsePart.body(ByteBuffer(string: "12345"))

    @Test func `a response passes in order and the connection stays usable`() throws {
        let bench = try Bench()
        try bench.feed(head(.custom(code: 103, reasonPhrase: "Early Hints")), head(.ok), body, .end(nil))
        #expect(bench.receiver.observed == ["interim 103", "head 200", "body 5", "end"])
        #expect(bench.response.leave())
    }

    @Test func `while paused nothing passes, not even the close of the connection`() throws {
        let bench = try Bench()
        bench.receiver.whenHead = { bench.response.isPaused = true }
        try bench.feed(head(.ok), body)
        bench.channel.pipeline.fireErrorCaught(ChannelError.inputClosed)
        #expect(bench.receiver.observed == ["head 200"])
        bench.response.isPaused = false
        #expect(bench.receiver.observed == ["head 200", "body 5", "failed -1005"])
        #expect(!bench.response.leave())
    }

    @Test func `a response with Connection close ends the connection`() throws {
        let bench = try Bench()
        try bench.feed(head(.ok, ["Connection": "close"]), .end(nil))
        #expect(bench.receiver.observed.last == "end")
        #expect(!bench.response.leave())
    }

    @Test func `a response before the end of the request ends the connection`() throws {
        let bench = try Bench()
        try bench.feed(head(.ok), .end(nil))
        let response = PendingResponse(bench.handler)
        response.begin(bench.receiver)
        try bench.feed(head(.accepted), .end(nil))
        #expect(bench.receiver.observed == ["head 200", "end", "head 202", "end"])
        #expect(!response.leave())
    }

    @Test func `unsolicited data makes the connection unusable`() throws {
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

    /// TCP may stay open after the close of TLS, and the pool would assign the connection to the next request.
    @Test func `a connection whose TLS was closed is not reused`() throws {
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

    @Test func `TLS closed inside a response ends it immediately`() throws {
        let bench = try Bench()
        bench.handler.endsCleanly = { true }
        try bench.feed(head(.ok), body)
        bench.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(bench.receiver.observed == ["head 200", "body 5", "failed -1005"])
        bench.channel.pipeline.fireChannelInactive()
        #expect(bench.receiver.observed == ["head 200", "body 5", "failed -1005"])
    }

    @Test func `the close of the connection inside a response is reported once`() throws {
        let bench = try Bench()
        try bench.feed(head(.ok), body)
        bench.channel.pipeline.fireErrorCaught(ChannelError.inputClosed)
        bench.channel.pipeline.fireChannelInactive()
        #expect(bench.receiver.observed == ["head 200", "body 5", "failed -1005"])
    }

    @Test func `a receiver that left gets no further events`() throws {
        let bench = try Bench()
        try bench.feed(head(.ok))
        #expect(!bench.response.leave())
        try bench.feed(body, .end(nil))
        #expect(bench.receiver.observed == ["head 200"])
    }
}
