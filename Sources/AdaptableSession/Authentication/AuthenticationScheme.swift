import FoundationNetworking
import HTTPFields

/// The authentication schemes that a session implements.
package enum AuthenticationScheme: String, Hashable, Sendable, CaseIterable {
    case basic, digest, ntlm, negotiate

    package init?(name: String) { self.init(rawValue: HTTPFieldSyntax.lowercased(name)) }

    /// The name of the scheme in URLProtectionSpace.
    package var method: String {
        switch self {
        case .basic: NSURLAuthenticationMethodHTTPBasic
        case .digest: NSURLAuthenticationMethodHTTPDigest
        case .ntlm: NSURLAuthenticationMethodNTLM
        case .negotiate: NSURLAuthenticationMethodNegotiate
        }
    }

    /// The name of the scheme in the Authorization field.
    package var fieldName: String {
        switch self {
        case .basic: "Basic"
        case .digest: "Digest"
        case .ntlm: "NTLM"
        case .negotiate: "Negotiate"
        }
    }

    /// True if the credentials authenticate a connection rather than a request (RFC 4559 §6).
    package var isOfConnection: Bool {
        switch self {
        case .basic, .digest: false
        case .ntlm, .negotiate: true
        }
    }
}
