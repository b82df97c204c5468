import NIOCore
import NIOHTTP1

/// Decodes the responses of an HTTP/1.1 connection, in the order of the requests and each with a new parser: bytes that
/// arrive without a request are an error (RFC 9112 §9.2), and `end()` checks that nothing followed the last response.
final class ResponseDecoder: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    private static let mostEmptyLineBytes = 64

    /// Counts the bytes of the connection.
    private let counter: ByteCounter
    /// nil while no request waits for a response.
    private var parser: ResponseParser?
    /// The methods of the requests sent while an earlier response was outstanding.
    private var methods = CircularBuffer<HTTPMethod>(initialCapacity: 1)
    /// The number of bytes of empty lines that arrived without a request.
    private var emptyLineBytes = 0
    /// True if other bytes followed the response.
    private var hasSurplus = false
    /// True after the end of input or an error; nothing is read then.
    private var isOver = false

    init(counter: ByteCounter = ByteCounter()) { self.counter = counter }

    /// Ends the response, and continues with the next one. The last one is ended after everything that arrived with its
    /// end has been read. Returns false if the connection must not serve another request: other bytes followed the
    /// response, or its framing was faulty.
    func end() -> Bool {
        guard let parser, !isOver else { return true }
        self.parser = methods.popFirst().map { ResponseParser(method: $0) }
        return !hasSurplus && !parser.mustClose
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .head(let head) = unwrapOutboundIn(data) {
            if parser == nil {
                parser = ResponseParser(method: head.method)
                emptyLineBytes = 0
                hasSurplus = false
            } else {
                methods.append(head.method)
            }
        }
        context.write(data, promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        var bytes = unwrapInboundIn(data)
        defer { counter.unparsed = 0 }
        do throws(ResponseSyntaxError) {
            while let part = try parser?.next(&bytes) {
                if case .head = part { counter.receivedHeads += parser?.takeHeadBytes() ?? 0 }
                counter.unparsed = Int64(bytes.readableBytes)
                context.fireChannelRead(wrapInboundOut(part))
            }
        } catch {
            return fail(context, error)
        }
        guard bytes.readableBytes > 0, !areEmptyLines(bytes) else { return }
        hasSurplus = true
        if parser == nil {
            fail(context, TransportFailure.malformed("the server sent data although no request was pending"))
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        inputEnded(context)
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { inputEnded(context) }
        context.fireUserInboundEventTriggered(event)
    }

    private func inputEnded(_ context: ChannelHandlerContext) {
        guard !isOver else { return }
        isOver = true
        do throws(ResponseSyntaxError) {
            if let part = try parser?.inputEnded() { context.fireChannelRead(wrapInboundOut(part)) }
        } catch {
            context.fireErrorCaught(error)
        }
    }

    private func fail(_ context: ChannelHandlerContext, _ error: any Error) {
        isOver = true
        context.fireErrorCaught(error)
    }

    /// Returns true for a few surplus empty lines.
    private func areEmptyLines(_ bytes: ByteBuffer) -> Bool {
        emptyLineBytes += bytes.readableBytes
        return emptyLineBytes <= ResponseDecoder.mostEmptyLineBytes
            && bytes.readableBytesView.allSatisfy { $0 == 13 || $0 == 10 }
    }
}
