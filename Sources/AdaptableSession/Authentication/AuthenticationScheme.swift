import FoundationNetworking

/// The schemes that a session can answer by itself.
package enum AuthenticationScheme: String, Hashable, Sendable, CaseIterable {
    case basic, digest, ntlm, negotiate

    package init?(name: String) { self.init(rawValue: HTTPFieldSyntax.lowercased(name)) }

    /// As URLProtectionSpace names it.
    package var method: String {
        switch self {
        case .basic: NSURLAuthenticationMethodHTTPBasic
        case .digest: NSURLAuthenticationMethodHTTPDigest
        case .ntlm: NSURLAuthenticationMethodNTLM
        case .negotiate: NSURLAuthenticationMethodNegotiate
        }
    }

    /// As it is written before credentials.
    package var fieldName: String {
        switch self {
        case .basic: "Basic"
        case .digest: "Digest"
        case .ntlm: "NTLM"
        case .negotiate: "Negotiate"
        }
    }

    /// The credentials hold for a connection, not for a request (RFC 4559 §6).
    package var isOfConnection: Bool {
        switch self {
        case .basic, .digest: false
        case .ntlm, .negotiate: true
        }
    }
}
