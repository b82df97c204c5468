/// Whether a server asks for a client certificate, and which it takes. `roots` are PEM texts; nil takes any certificate.
package enum ClientCertificateMode: Hashable, Sendable {
    case none
    case requested(roots: String?)
    case required(roots: String?)
}

/// How a server behaves in TLS.
package struct ServerTLSOptions: Sendable {
    package var identity: ServerIdentity
    /// Another identity for a server name; nil means `identity`.
    package var identityForName: (@Sendable (String) -> ServerIdentity?)?
    package var versions: TLSVersionRange
    /// In the order of preference. A client that offers protocols, but none of these, gets alert 120 (RFC 7301 §3.2).
    package var alpn: [String]
    package var clientCertificates: ClientCertificateMode
    package var sessionTickets: Bool
    /// Tickets invite early data, and what comes is refused (RFC 8446 §4.2.10).
    package var refusesEarlyData = false
    /// An OCSP answer (DER) for clients that ask for one.
    package var staple: [UInt8]?
    /// OpenSSL's limits on the strength of keys do not count.
    package var allowsWeakKeys = false
    /// Receives lines of NSS's key-log format, without line ends, in the midst of the handshake.
    package var keyLog: (@Sendable (String) -> Void)?

    package init(
        identity: ServerIdentity, identityForName: (@Sendable (String) -> ServerIdentity?)? = nil,
        versions: TLSVersionRange = TLSVersionRange(), alpn: [String] = [], clientCertificates: ClientCertificateMode = .none,
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
