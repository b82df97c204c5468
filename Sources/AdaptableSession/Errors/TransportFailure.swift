import OpenSSLTLS

/// The reason why an exchange, or the connection for it, failed.
enum TransportFailure: Error {
    /// The connection was established and closed before the response had ended.
    case lost(FailureReason)
    /// The received bytes are not an HTTP response.
    case malformed(FailureReason)
    /// The TLS handshake or a TLS record failed.
    case tls(TLSError)
    /// The connection was established and closed during the TLS handshake.
    case handshakeLost(FailureReason)
    /// No address belongs to the host name.
    case hostNotFound(FailureReason)
    /// No name server replied, or none could be reached.
    case nameServerSilent(FailureReason)
    /// The host has addresses, but none accepted the connection.
    case cannotConnect(FailureReason)
    /// No allowed interface has a route to the host.
    case noNetwork(FailureReason)
    case timedOut(FailureReason)
    /// HTTP/2: the server reset this stream with an error code (RFC 9113 §7); it may have processed the request.
    case reset(FailureReason)
    /// HTTP/2: the server refused this stream before processing the request.
    case streamRefused
    /// HTTP/2: the server requires HTTP/1.1 for this request (RFC 9113 §7); it has not processed it.
    case needsHTTP1
    /// HTTP/2: the server sent GOAWAY and has not processed this stream.
    case goneAway
    /// The proxy did not open a tunnel to the origin.
    case proxy(ProxyFailure)
    /// The request of the program cannot be sent.
    case unusable(FailureReason)
}
