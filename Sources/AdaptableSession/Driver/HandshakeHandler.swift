import NIOCore
import OpenSSLTLS

/// The handler after TLS that waits for the end of the handshake and reports its result. The recipient replaces it with
/// the HTTP handlers before the first plaintext passes.
final class HandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    /// Passes the challenges to the task that currently needs the connection.
    struct Delegate {
        var evaluatePeer: (TLSPeer, @escaping (Bool) -> Void) -> Void
        var identify: (@escaping (ServerIdentity?) -> Void) -> Void
    }

    private var done: ((Result<TLSInfo, TransportFailure>) -> Void)?
    private let questions: Delegate?

    init(_ questions: Delegate? = nil, _ done: @escaping (Result<TLSInfo, TransportFailure>) -> Void) {
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
        case let event as TLSHandshakeCompleted: finish(.success(event.info))
        case let event as TLSPeerPresented:
            let completion = { (accepts: Bool) in
                channel.triggerUserOutboundEvent(TLSPeerEvaluated(accepts: accepts), promise: nil)
            }
            if let questions {
                questions.evaluatePeer(event.peer, completion)
            } else {
                completion(event.peer.failure == nil)
            }
        case is TLSCertificateRequested:
            let completion = { (identity: ServerIdentity?) in
                channel.triggerUserOutboundEvent(TLSIdentityChosen(identity: identity), promise: nil)
            }
            if let questions { questions.identify(completion) } else { completion(nil) }
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? TLSError, !error.isTruncation {
            finish(.failure(.tls(error)))
        } else {
            finish(.failure(.handshakeLost(FailureReason("the connection failed during the TLS handshake", error))))
        }
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish(.failure(.handshakeLost("the connection was closed during the TLS handshake")))
        context.fireChannelInactive()
    }

    private func finish(_ result: Result<TLSInfo, TransportFailure>) {
        let notify = done
        done = nil
        notify?(result)
    }
}
