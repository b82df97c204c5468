package import Foundation
package import FoundationNetworking

/// The sender of a challenge: the origin server or a proxy.
package enum AuthenticationSide: Hashable, Sendable {
    case server
    /// `type` is one of the proxy types of URLProtectionSpace, such as NSURLProtectionSpaceHTTPProxy.
    case proxy(host: String, port: Int, type: String)

    package var status: Int {
        switch self {
        case .server: 401
        case .proxy: 407
        }
    }

    package var challengeField: String {
        switch self {
        case .server: "WWW-Authenticate"
        case .proxy: "Proxy-Authenticate"
        }
    }

    package var credentialField: String {
        switch self {
        case .server: "Authorization"
        case .proxy: "Proxy-Authorization"
        }
    }

    package var informationField: String {
        switch self {
        case .server: "Authentication-Info"
        case .proxy: "Proxy-Authentication-Info"
        }
    }

    /// Returns the protection space; nil if the scheme of the URL is neither http nor https.
    package func space(_ url: URL, realm: String?, method: String) -> URLProtectionSpace? {
        switch self {
        case .server:
            guard let origin = WebOrigin(url) else { return nil }
            return URLProtectionSpace(
                host: origin.host, port: origin.port, protocol: origin.scheme, realm: realm,
                authenticationMethod: method)
        case .proxy(let host, let port, let type):
            return URLProtectionSpace(
                proxyHost: host, port: port, type: type, realm: realm, authenticationMethod: method)
        }
    }
}
