/// Which servers a client believes.
package enum ServerTrust: Hashable, Sendable {
    /// Only these authorities (PEM), and only for the name that the connection asks for.
    case roots(String)
    case everyone
}

/// How a client behaves in TLS.
package struct ClientTLSOptions: Sendable {
    package var trust: ServerTrust
    package var versions: TLSVersionRange
    package var alpn: [String]
    /// Shown when the server asks for a certificate.
    package var identity: ServerIdentity?
    /// The suites of TLS 1.3 that are offered, in OpenSSL's notation; nil offers all.
    package var cipherSuites: String?
    /// Asks for a stapled OCSP answer.
    package var asksForStaple = false
    /// The handshake stops at the server's certificates (`TLSEvent.peerPresented`) until `judge`. Only with roots to verify by.
    package var judgesPeer = false
    /// The handshake stops where the server asks for a certificate (`TLSEvent.certificateRequested`) until `present`.
    package var asksForIdentity = false
    package var keyLog: (@Sendable (String) -> Void)?

    package init(
        trust: ServerTrust, versions: TLSVersionRange = TLSVersionRange(), alpn: [String] = [],
        identity: ServerIdentity? = nil, cipherSuites: String? = nil, keyLog: (@Sendable (String) -> Void)? = nil
    ) {
        self.trust = trust
        self.versions = versions
        self.alpn = alpn
        self.identity = identity
        self.cipherSuites = cipherSuites
        self.keyLog = keyLog
    }
}
