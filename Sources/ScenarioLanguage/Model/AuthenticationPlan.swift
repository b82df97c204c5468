/// The credentials a route requires, and the challenges it sends for them.
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
        /// The exchange of RFC 4559 on one connection: this many tokens from the client are accepted, whatever they
        /// contain. An NTLM token is verified, as with `ntlm`.
        case negotiate(legs: Int)
        /// A challenge that is sent byte for byte; no credentials satisfy it.
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
        /// The offered values of `qop`; if empty, none is offered, as in RFC 2069.
        package var qualities: [Quality]
        /// The number of requests that a nonce is accepted for; later ones get `stale=true` (RFC 7616 §3.3). nil: no
        /// limit.
        package var nonceUses: Int?
        /// The response to every accepted request carries the next nonce (§3.5).
        package var sendsNextNonce: Bool
        /// The client may send the user name hashed (§3.4.4).
        package var acceptsUserHash: Bool
        /// `nc` must be the number of requests with this nonce (§3.4), so it only suits requests one after another.
        package var requiresExactCount: Bool
        package init(
            algorithm: Algorithm = .sha256, qualities: [Quality] = [.authentication], nonceUses: Int? = nil,
            sendsNextNonce: Bool = false, acceptsUserHash: Bool = false, requiresExactCount: Bool = false
        ) {
            self.algorithm = algorithm
            self.qualities = qualities
            self.nonceUses = nonceUses
            self.sendsNextNonce = sendsNextNonce
            self.acceptsUserHash = acceptsUserHash
            self.requiresExactCount = requiresExactCount
        }
    }

    /// The server that requests credentials: an origin with 401 and WWW-Authenticate, or a proxy with 407 and
    /// Proxy-Authenticate (RFC 9110 §11.6, §11.7).
    package enum Requester: String, CaseIterable, Hashable, Sendable { case origin, proxy }

    /// The schemes in the order of their challenges; credentials for one of them are enough.
    package var schemes: [Scheme]
    package var user: String
    package var password: String
    package var realm: String
    package var requester = Requester.origin
    /// All challenges are sent in one field line (RFC 9110 §11.6.1).
    package var isOneLine = false
    /// The first request of the path, counted from 1, that needs credentials.
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
