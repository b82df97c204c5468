import OpenSSLTLS

/// Whom a TLS handshake asks. Each question is answered once, on the event loop, now or later.
struct HandshakeChallenges {
    enum Decision<Value> {
        case decided(Value)
        /// Whoever was asked wants the connection no more, and has decided nothing: the next one who does is asked.
        case withdrawn
    }

    /// Whether the server is the right one.
    var evaluatePeer: (TLSPeer, @escaping (Decision<Bool>) -> Void) -> Void
    /// Who the client is; nil for nobody.
    var identify: (@escaping (Decision<ServerIdentity?>) -> Void) -> Void
}
