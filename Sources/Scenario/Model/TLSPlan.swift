/// What the origin shows and takes in TLS.
package struct TLSPlan: Hashable, Sendable {
    package enum Certificate: String, CaseIterable, Hashable, Sendable {
        case valid, expired, notYetValid, wrongHost, selfSigned, unknownAuthority
        /// For the hosts by a wildcard in place of their first label (RFC 9525 §6.3), which needs two labels behind it.
        case wildcard
        /// For the hosts by a wildcard for a part of their first label, `w*.api.test`, which RFC 9525 no longer allows.
        case partialWildcard
        /// Signed by an intermediate authority, which is sent along.
        case intermediate
        /// Signed by an intermediate authority that is not sent along.
        case incompleteChain
        /// An RSA key of 1,024 bits.
        case weakKey
        /// Withdrawn: an OCSP answer that says so is stapled for clients that ask for one (RFC 6066 §8).
        case revoked
    }
    /// What a stapled OCSP answer says (RFC 6960 §2.2).
    package enum Staple: String, CaseIterable, Hashable, Sendable { case good, revoked, unknown }
    /// RFC 8446 §4.3.2: whether clients are asked for a certificate of their own, and whether one is needed.
    package enum ClientCertificate: String, CaseIterable, Hashable, Sendable { case none, asked, required }

    package var certificate: Certificate = .valid
    /// The lowest and highest version the server offers, `1.0` … `1.3`.
    package var minimumVersion: String = "1.2"
    package var maximumVersion: String = "1.3"
    /// Taken in this order (RFC 7301); empty: the server does not know of ALPN. A client that offers others is refused.
    package var alpn: [String] = ["http/1.1"]
    /// nil: nothing is stapled.
    package var staple: Staple?
    /// One signed by the lab's authority satisfies.
    package var clientCertificate: ClientCertificate = .none
    /// Tickets are given out and taken.
    package var resumes = true
    /// Tickets invite early data (RFC 8446 §4.2.10), and what comes is refused.
    package var refusesEarlyData = false
    package init() {}
}
