import NIOCore
import NIOHTTP1

/// Reads the answers of an HTTP/1.1 connection, each with a decoder of its own.
///
/// NIO's decoder takes what stands behind an answer for the beginning of the next one and says nothing until that is whole. So no
/// decoder outlives its exchange, `end()` tells whether it was in the middle of something by then, and what comes while nothing has been
/// asked is an error (RFC 9112 §9.2).
final class ResponseDecoder: WriteObservingByteToMessageDecoder {
    typealias InboundOut = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart

    private var context: ChannelHandlerContext?
    private var decoder: HTTPResponseDecoder?
    /// Bytes of empty lines that have come while no request was out.
    private var forgiven = 0
    private static let mostForgiven = 64
    /// Nothing can come any more, and a decoder must hear of that only once.
    private var isOver = false

    /// The answer has ended, and everything that came with its end has been read. False: something stood behind it.
    func end() -> Bool {
        guard let context, let decoder, !isOver else { return true }
        defer { retire(context) }
        var nothing = ByteBuffer()
        // Between two messages, and behind empty lines, it takes the end of the connection for granted.
        return (try? decoder.decodeLast(context: context, buffer: &nothing, seenEOF: true)) != nil
    }

    private func retire(_ context: ChannelHandlerContext) {
        decoder?.decoderRemoved(context: context)
        decoder = nil
    }

    func decoderAdded(context: ChannelHandlerContext) { self.context = context }

    func decoderRemoved(context: ChannelHandlerContext) {
        retire(context)
        self.context = nil
    }

    func write(data: HTTPClientRequestPart) {
        guard let context else { return }
        if case .head = data {
            retire(context)
            forgiven = 0
            let new = HTTPResponseDecoder(leftOverBytesStrategy: .dropBytes, informationalResponseStrategy: .forward)
            new.decoderAdded(context: context)
            decoder = new
        }
        decoder?.write(data: data)
    }

    func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        guard let decoder else {
            try refuse(&buffer)
            return .needMoreData
        }
        return try decoder.decode(context: context, buffer: &buffer)
    }

    func decodeLast(context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool) throws -> DecodingState {
        guard let decoder else {
            try refuse(&buffer)
            return .needMoreData
        }
        isOver = isOver || seenEOF
        return try decoder.decodeLast(context: context, buffer: &buffer, seenEOF: seenEOF)
    }

    /// An empty line too much is forgiven, a stream of them is not.
    private func refuse(_ buffer: inout ByteBuffer) throws {
        defer { buffer.clear() }
        forgiven += buffer.readableBytes
        guard forgiven <= Self.mostForgiven, buffer.readableBytesView.allSatisfy({ $0 == 13 || $0 == 10 }) else {
            throw TransportFailure.malformed("the server sent something without a request")
        }
    }
}
