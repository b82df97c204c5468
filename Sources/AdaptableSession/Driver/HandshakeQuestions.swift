import OpenSSLTLS

/// Whom a TLS handshake asks. Each question is answered once, on the event loop, now or later.
struct HandshakeQuestions {
    /// Whether the server is the right one.
    var judge: (TLSPeer, @escaping (Bool) -> Void) -> Void
    /// Who the client is; nil for nobody.
    var identify: (@escaping (ServerIdentity?) -> Void) -> Void
}
