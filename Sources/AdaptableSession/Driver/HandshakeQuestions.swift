import OpenSSLTLS

/// Whom a TLS handshake asks. Each question is answered once, on the event loop, now or later.
struct HandshakeQuestions {
    enum Answer<Value> {
        case given(Value)
        /// Whoever was asked wants the connection no more, and has decided nothing: the next one who does is asked.
        case gone
    }

    /// Whether the server is the right one.
    var judge: (TLSPeer, @escaping (Answer<Bool>) -> Void) -> Void
    /// Who the client is; nil for nobody.
    var identify: (@escaping (Answer<ServerIdentity?>) -> Void) -> Void
}
