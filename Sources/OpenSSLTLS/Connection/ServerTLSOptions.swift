/// The client certificates that a server requests and accepts. `roots` are PEM texts; nil accepts any certificate.
package enum ClientCertificateMode: Hashable, Sendable {
    case none
    case requested(roots: String?)
    case required(roots: String?)
}

/// The TLS settings of a server.
package struct ServerTLSOptions: Sendable {
    package var identity: ServerIdentity
    /// Returns a different identity for a server name; nil means `identity`.
    package var identityForName: (@Sendable (String) -> ServerIdentity?)?
    package var versions: TLSVersionRange
    /// Protocols in order of preference. A client that offers protocols, but none of these, gets alert 120 (RFC 7301
    /// §3.2).
    package var alpn: [String]
    package var clientCertificates: ClientCertificateMode
    package var sessionTickets: Bool
    /// Tickets invite early data, which is then refused (RFC 8446 §4.2.10).
    package var refusesEarlyData = false
    /// An OCSP response (DER) for clients that request one.
    package var staple: [UInt8]?
    /// Disables OpenSSL's limits on the strength of keys.
    package var allowsWeakKeys = false
    /// Receives lines in NSS's key-log format, without line ends, during the handshake.
    package var keyLog: (@Sendable (String) -> Void)?

    package init(
        identity: ServerIdentity, identityForName: (@Sendable (String) -> ServerIdentity?)? = nil,
        versions: TLSVersionRange = TLSVersionRange(), alpn: [String] = [],
        clientCertificates: ClientCertificateMode = .none,
        sessionTickets: Bool = true, keyLog: (@Sendable (String) -> Void)? = nil
    ) {
        self.identity = identity
        self.identityForName = identityForName
        self.versions = versions
        self.alpn = alpn
        self.clientCertificates = clientCertificates
        self.sessionTickets = sessionTickets
        self.keyLog = keyLog
    }
}
