import NIOCore
import OpenSSLTLS

/// Waits behind TLS until the handshake is done, and says what was agreed. Whoever hears of it puts the HTTP handlers in its place
/// before the first plaintext passes.
final class HandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    /// Puts a question to whoever wants the connection when it comes up.
    struct Asking {
        var judge: (TLSPeer, @escaping (Bool) -> Void) -> Void
        var identify: (@escaping (ServerIdentity?) -> Void) -> Void
    }

    private var done: ((Result<TLSInfo, TransportFailure>) -> Void)?
    private let questions: Asking?

    init(_ questions: Asking? = nil, _ done: @escaping (Result<TLSInfo, TransportFailure>) -> Void) {
        self.questions = questions
        self.done = done
    }

    func handlerAdded(context: ChannelHandlerContext) { if context.channel.isActive { context.read() } }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        context.read()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        let channel = context.channel
        switch event {
        case let event as TLSHandshakeCompleted: tell(.success(event.info))
        case let event as TLSPeerPresented:
            let answer = { (accepts: Bool) in channel.triggerUserOutboundEvent(TLSPeerJudged(accepts: accepts), promise: nil) }
            if let questions { questions.judge(event.peer, answer) } else { answer(event.peer.failure == nil) }
        case is TLSCertificateRequested:
            let answer = { (identity: ServerIdentity?) in
                channel.triggerUserOutboundEvent(TLSIdentityChosen(identity: identity), promise: nil)
            }
            if let questions { questions.identify(answer) } else { answer(nil) }
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? TLSError, !error.isTruncation {
            tell(.failure(.tls(error)))
        } else {
            tell(.failure(.handshakeLost(FailureReason("the connection broke in the TLS handshake", error))))
        }
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        tell(.failure(.handshakeLost("the connection was closed in the TLS handshake")))
        context.fireChannelInactive()
    }

    private func tell(_ result: Result<TLSInfo, TransportFailure>) {
        let tell = done
        done = nil
        tell?(result)
    }
}
