import NIOCore
import NIOHTTP1

/// Decodes the responses of an HTTP/1.1 connection, each with a separate decoder.
///
/// NIO's decoder treats bytes after a response as the beginning of the next one and does not report anything until that
/// is complete. Therefore no decoder outlives its exchange, `end()` checks that nothing followed the response, and
/// bytes that arrive without a request are an error (RFC 9112 §9.2).
final class ResponseDecoder: WriteObservingByteToMessageDecoder {
    typealias InboundOut = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart

    private var context: ChannelHandlerContext?
    private var decoder: HTTPResponseDecoder?
    /// The number of bytes of empty lines that arrived without a request.
    private var forgiven = 0
    private static let mostForgiven = 64
    /// True at the end of input, of which a decoder must be notified only once.
    private var isOver = false

    /// Ends the response, after everything that arrived with its end has been read. Returns false if other bytes
    /// followed it.
    func end() -> Bool {
        guard let context, let decoder, !isOver else { return true }
        defer { retire(context) }
        var nothing = ByteBuffer()
        // Between two messages, and after empty lines, the decoder accepts the end of the connection.
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

    /// Accepts a few surplus empty lines; throws for anything else.
    private func refuse(_ buffer: inout ByteBuffer) throws {
        defer { buffer.clear() }
        forgiven += buffer.readableBytes
        guard forgiven <= Self.mostForgiven, buffer.readableBytesView.allSatisfy({ $0 == 13 || $0 == 10 }) else {
            throw TransportFailure.malformed("the server sent something without a request")
        }
    }
}
