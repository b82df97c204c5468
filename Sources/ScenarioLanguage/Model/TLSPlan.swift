/// The TLS configuration of the origin.
package struct TLSPlan: Hashable, Sendable {
    package enum Certificate: String, CaseIterable, Hashable, Sendable {
        case valid, expired, notYetValid, wrongHost, selfSigned, unknownAuthority
        /// Valid for the hosts through a wildcard in place of their first label (RFC 9525 §6.3), which must be followed
        /// by two labels.
        case wildcard
        /// Valid for the hosts through a wildcard for a part of their first label, `w*.api.test`, which RFC 9525 no
        /// longer allows.
        case partialWildcard
        /// Signed by an intermediate authority whose certificate is sent too.
        case intermediate
        /// Signed by an intermediate authority whose certificate is not sent.
        case incompleteChain
        /// An RSA key of 1,024 bits.
        case weakKey
        /// Revoked: an OCSP response with that status is stapled for clients that request one (RFC 6066 §8).
        case revoked
    }
    /// The status in a stapled OCSP response (RFC 6960 §2.2).
    package enum Staple: String, CaseIterable, Hashable, Sendable { case good, revoked, unknown }
    /// The server's request for a client certificate (RFC 8446 §4.3.2): none, optional or required.
    package enum ClientCertificate: String, CaseIterable, Hashable, Sendable { case none, asked, required }

    package var certificate: Certificate = .valid
    /// The lowest and highest version the server offers, `1.0` … `1.3`.
    package var minimumVersion: String = "1.2"
    package var maximumVersion: String = "1.3"
    /// The protocols in order of preference (RFC 7301); empty: the server does not support ALPN. A client that offers
    /// only others is refused.
    package var alpn: [String] = ["http/1.1"]
    /// nil: nothing is stapled.
    package var staple: Staple?
    /// The request for a client certificate; one signed by the lab's authority is accepted.
    package var clientCertificate: ClientCertificate = .none
    /// The server issues and accepts session tickets.
    package var resumes = true
    /// Tickets allow early data (RFC 8446 §4.2.10), which the server then refuses.
    package var refusesEarlyData = false
    package init() {}
}
