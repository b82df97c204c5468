import Foundation
import FoundationNetworking
import OpenSSLTLS

/// A session's private copy of its configuration (CONF-01).
struct SessionSettings: Sendable {
    var isEphemeral = false
    var requestTimeout: TimeInterval = 60
    var resourceTimeout: TimeInterval = 7 * 24 * 60 * 60
    var waitsForConnectivity = false
    var allowsCellularAccess = true
    var allowsExpensiveNetworkAccess = true
    var allowsConstrainedNetworkAccess = true
    var additionalHeaders = HeaderFields()
    var maximumConnectionsPerHost = 6
    var requestCachePolicy = NSURLRequest.CachePolicy.useProtocolCachePolicy
    var networkServiceType = NSURLRequest.NetworkServiceType.default
    var setsCookies = true
    var cookieAcceptPolicy = HTTPCookie.AcceptPolicy.onlyFromMainDocumentDomain
    var credentialStorage: AdaptableCredentialStorage? = .shared
    var cookieStorage: AdaptableCookieStorage? = .shared
    var urlCache: AdaptableURLCache? = .shared
    /// The session's proxies; nil for the system's, empty for none.
    var proxies: ProxyConfiguration?
    var systemProxies = ProxyConfiguration(environment: ProcessInfo.processInfo.environment)
    var tlsVersions = TLSVersionRange()
    var protocolClasses: [AdaptableURLProtocol.Type]?
    var policies = SessionPolicies()
}
