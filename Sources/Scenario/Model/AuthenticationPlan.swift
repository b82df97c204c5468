/// Which credentials a route wants, and how it asks for them.
package struct AuthenticationPlan: Hashable, Sendable {
    package enum Scheme: Hashable, Sendable {
        /// RFC 7617.
        case basic
        /// RFC 7616.
        case digest(Digest)
        /// RFC 6750.
        case bearer(token: String)
        /// NTLMv2 in HTTP: three messages on one connection, which is then authenticated (MS-NLMP, MS-NTHT).
        case ntlm(domain: String)
        /// RFC 4559's exchange on one connection: so many tokens of the client's are taken, whatever they say. An NTLM token is
        /// verified, as `ntlm` does.
        case negotiate(legs: Int)
        /// A challenge byte for byte; no credentials satisfy it.
        case other(String)
    }

    package struct Digest: Hashable, Sendable {
        package enum Algorithm: String, CaseIterable, Hashable, Sendable {
            case md5 = "MD5"
            case md5Session = "MD5-sess"
            case sha256 = "SHA-256"
            case sha256Session = "SHA-256-sess"
            case sha512t256 = "SHA-512-256"
            case sha512t256Session = "SHA-512-256-sess"
        }
        package enum Quality: String, CaseIterable, Hashable, Sendable {
            case authentication = "auth"
            case integrity = "auth-int"
        }
        package var algorithm: Algorithm
        /// As offered; empty: none is, as in RFC 2069.
        package var qualities: [Quality]
        /// A nonce is accepted for this many requests, then answered with `stale=true` (RFC 7616 §3.3). nil: for ever.
        package var nonceUses: Int?
        /// Every accepted request is answered with the next nonce (§3.5).
        package var sendsNextNonce: Bool
        /// The user's name may come hashed (§3.4.4).
        package var acceptsUserHash: Bool
        package init(
            algorithm: Algorithm = .sha256, qualities: [Quality] = [.authentication], nonceUses: Int? = nil,
            sendsNextNonce: Bool = false, acceptsUserHash: Bool = false
        ) {
            self.algorithm = algorithm
            self.qualities = qualities
            self.nonceUses = nonceUses
            self.sendsNextNonce = sendsNextNonce
            self.acceptsUserHash = acceptsUserHash
        }
    }

    /// Who asks: 401 with WWW-Authenticate, or 407 with Proxy-Authenticate (RFC 9110 §11.6, §11.7).
    package enum Requester: String, CaseIterable, Hashable, Sendable { case origin, proxy }

    /// Asked for in this order; one of them is enough.
    package var schemes: [Scheme]
    package var user: String
    package var password: String
    package var realm: String
    package var requester = Requester.origin
    /// All challenges stand in one field line (RFC 9110 §11.6.1).
    package var isOneLine = false
    /// Requests of the path before this one, counted from 1, need no credentials.
    package var fromRequest = 1

    package init(schemes: [Scheme], user: String, password: String, realm: String = "lab") {
        self.schemes = schemes
        self.user = user
        self.password = password
        self.realm = realm
    }

    package init(scheme: Scheme, user: String, password: String, realm: String = "lab") {
        self.init(schemes: [scheme], user: user, password: password, realm: realm)
    }
}
