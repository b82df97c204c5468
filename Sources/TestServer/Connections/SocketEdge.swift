import Glibc
import NIOCore

/// The handler next to the socket: ends a connection without calling the handlers above it, including TLS.
final class SocketEdge: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    /// Bytes passed to the socket since its start, including those still on their way to it.
    private(set) var written: Int64 = 0
    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        written += Int64(unwrapOutboundIn(data).readableBytes)
        context.write(data, promise: promise)
    }

    func finish() { context?.close(mode: .output, promise: nil) }

    func write(_ bytes: [UInt8], _ then: @escaping (Result<Void, any Error>) -> Void) {
        guard let context else { return }
        written += Int64(bytes.count)
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenComplete(then)
        context.writeAndFlush(NIOAny(context.channel.allocator.buffer(bytes: bytes)), promise: promise)
    }

    func close() { context?.close(promise: nil) }

    /// A linger time of zero makes `close` send a RST (tcp(7), SO_LINGER).
    func reset() {
        guard let context else { return }
        if let options = context.channel as? any SocketOptionProvider {
            options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).assumeIsolated().whenComplete { _ in
                context.close(promise: nil)
            }
        } else {
            context.close(promise: nil)
        }
    }

    /// Counts bytes in the kernel that the peer has not acknowledged; a FIN counts as one. 0 when the channel is not a
    /// TCP socket.
    func countUnacknowledged(_ then: @escaping (Int) -> Void) {
        readInformation { then($0?.unacknowledged ?? 0) }
    }

    /// Counts bytes of the connection that the peer has acknowledged; nil when the channel is not a TCP socket or has
    /// closed.
    func countAcknowledged(_ then: @escaping (Int64?) -> Void) {
        readInformation { then($0.map { Int64($0.acknowledged) }) }
    }

    private func readInformation(_ then: @escaping (TCPInformation?) -> Void) {
        guard let options = context?.channel as? any SocketOptionProvider else { return then(nil) }
        let info: EventLoopFuture<TCPInformation> = options.unsafeGetSocketOption(
            level: .tcp, name: .init(rawValue: TCP_INFO))
        info.assumeIsolated().whenComplete { result in
            switch result {
            case .success(let info): then(info)
            case .failure: then(nil)
            }
        }
    }
}

/// The used part of `struct tcp_info` in <linux/tcp.h>; the C library's copy ends before the byte counts.
private struct TCPInformation: Sendable {
    /// 256 bytes, read by offset: the kernel fills the fields that it has and leaves the rest zero.
    private let words: SIMD64<UInt32>

    private func word(at offset: Int) -> Int { Int(words[offset / 4]) }

    private func wide(at offset: Int) -> Int { word(at: offset) | word(at: offset + 4) << 32 }

    /// tcpi_bytes_acked.
    var acknowledged: Int { wide(at: 120) }

    /// tcpi_notsent_bytes plus tcpi_bytes_sent minus tcpi_bytes_retrans and tcpi_bytes_acked; tcpi_unacked counts
    /// segments, and a FIN as well.
    var unacknowledged: Int {
        let unsent = word(at: 144)
        let underway = wide(at: 200) - wide(at: 208) - wide(at: 120)
        let segments = word(at: 24)
        return max(unsent + max(underway, 0), segments > 0 ? 1 : 0)
    }
}
