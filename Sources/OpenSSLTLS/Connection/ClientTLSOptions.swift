/// The servers that a client trusts.
package enum ServerTrust: Hashable, Sendable {
    /// Only these authorities (PEM), and only for the requested name.
    case roots(String)
    case everyone
}

/// The TLS settings of a client.
package struct ClientTLSOptions: Sendable {
    package var trust: ServerTrust
    package var versions: TLSVersionRange
    package var alpn: [String]
    /// The certificate sent if the server requests one.
    package var identity: ServerIdentity?
    /// The TLS 1.3 suites offered, in OpenSSL's notation; nil offers all.
    package var cipherSuites: String?
    /// Requests a stapled OCSP response.
    package var requestsStaple = false
    /// Stops the handshake at the server's certificates (`TLSEvent.peerPresented`) until `judge`. Requires roots to
    /// verify with.
    package var evaluatesPeer = false
    /// Stops the handshake at the server's certificate request (`TLSEvent.certificateRequested`) until `present`.
    package var requestsIdentity = false
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
