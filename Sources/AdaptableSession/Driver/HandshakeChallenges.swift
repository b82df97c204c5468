import OpenSSLTLS

/// The handlers of the challenges of a TLS handshake. Each completion is called once, on the event loop, now or later.
struct HandshakeChallenges {
    enum Decision<Value> {
        case decided(Value)
        /// The task does not need the connection any more and made no decision: the next task that needs it is called.
        case withdrawn
    }

    /// Decides whether the server is trusted.
    var evaluatePeer: (TLSPeer, @escaping (Decision<Bool>) -> Void) -> Void
    /// Chooses the client certificate; nil for none.
    var identify: (@escaping (Decision<ServerIdentity?>) -> Void) -> Void
}
