import OpenSSLTLS

/// Why an exchange, or a connection for it, came to nothing.
enum TransportFailure: Error {
    /// The connection was there and went away before the answer had ended.
    case lost(FailureReason)
    /// What came is no HTTP answer.
    case malformed(FailureReason)
    /// TLS could not be agreed on, or broke.
    case tls(TLSError)
    /// The connection was there and went away inside the TLS handshake.
    case handshakeLost(FailureReason)
    /// No address belongs to the name.
    case hostNotFound(FailureReason)
    /// No name server answered, or none could.
    case nameServerSilent(FailureReason)
    /// Addresses were there, none took the connection.
    case cannotConnect(FailureReason)
    /// No interface that may be used leads anywhere.
    case noNetwork(FailureReason)
    case timedOut(FailureReason)
    /// HTTP/2: the server ended this stream with an error of its own (RFC 9113 §7); it may have processed it.
    case reset(FailureReason)
    /// HTTP/2: the server refused this stream before it processed anything.
    case streamRefused
    /// HTTP/2: the server takes this request over HTTP/1.1 only (RFC 9113 §7); it has not processed it.
    case needsHTTP1
    /// HTTP/2: the server is going away and has not processed this stream.
    case goneAway
    /// The proxy did not open the way to the origin.
    case proxy(ProxyFailure)
    /// What the caller gave cannot be sent.
    case unusable(FailureReason)
}
