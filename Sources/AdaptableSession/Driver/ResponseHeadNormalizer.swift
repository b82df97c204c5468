import NIOCore

/// Rewrites each response head for the strict decoder after it, as far as RFC 9112 requires recipients to accept it.
///
/// A head is held until it is complete; everything else passes unchanged.
final class ResponseHeadNormalizer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// A longer head passes unchanged; the decoder has its own limits.
    private static let limit = 256 * 1024
    private static let start = Array("HTTP/".utf8)

    private var head: [UInt8] = []
    /// The number of bytes at the beginning of `head` that were already passed on.
    private var passed = 0
    private var isInHead = true

    /// Called when the next bytes begin a response.
    func expectHead() {
        head = []
        passed = 0
        isInHead = true
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard isInHead else { return context.fireChannelRead(data) }
        let known = head.count
        head += unwrapInboundIn(data).readableBytesView
        forward(context, from: max(0, known - 3))
    }

    func channelInactive(context: ChannelHandlerContext) {
        forwardUnchanged(context)
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { forwardUnchanged(context) }
        context.fireUserInboundEventTriggered(event)
    }

    /// Passes on every complete head. After an informational head another one follows; a server may send thousands of
    /// them at once.
    private func forward(_ context: ChannelHandlerContext, from: Int) {
        var from = from
        while isInHead {
            let rest = head[passed...]
            let looksLikeOne = rest.prefix(5).elementsEqual(Self.start.prefix(rest.count))
            guard looksLikeOne, rest.count <= Self.limit else { return forwardUnchanged(context) }
            guard let end = Self.end(of: head, from: max(passed, from)) else {
                head.removeFirst(passed)
                passed = 0
                return
            }
            let whole = head[passed..<end]
            passed = end
            from = end
            isInHead = Self.isInformational(whole)
            fire(LenientResponseHead.strict(whole), context)
        }
        forwardUnchanged(context)
    }

    private func forwardUnchanged(_ context: ChannelHandlerContext) {
        isInHead = false
        let bytes = head[passed...]
        head = []
        passed = 0
        if !bytes.isEmpty { fire(bytes, context) }
    }

    private func fire(_ bytes: some Collection<UInt8>, _ context: ChannelHandlerContext) {
        context.fireChannelRead(wrapInboundOut(ByteBuffer(bytes: bytes)))
    }

    /// Returns the index after the empty line that ends the head; lines may end with LF alone (RFC 9112 §2.2).
    private static func end(of bytes: [UInt8], from: Int) -> Int? {
        var index = from
        while index < bytes.count {
            if bytes[index] == 10 {
                if index + 1 < bytes.count, bytes[index + 1] == 10 { return index + 2 }
                if index + 2 < bytes.count, bytes[index + 1] == 13, bytes[index + 2] == 10 { return index + 3 }
            }
            index += 1
        }
        return nil
    }

    /// Returns true for "HTTP/1.1 1xx" except 101, which is the last head of its connection.
    private static func isInformational(_ head: ArraySlice<UInt8>) -> Bool {
        guard head.count > 12, let blank = head.firstIndex(of: 32), blank + 3 < head.endIndex else { return false }
        let status = head[blank + 1...blank + 3]
        return status.first == UInt8(ascii: "1") && !status.elementsEqual(Array("101".utf8))
    }
}
