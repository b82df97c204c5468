public import FoundationNetworking

/// A server or a proxy that asks who the client is, or a connection whose other end must be judged.
public struct AdaptableSessionAuthenticationChallenge: Sendable {
    /// The authentication methods whose names FoundationNetworking withholds on this platform.
    public static let serverTrustMethod = "NSURLAuthenticationMethodServerTrust"
    public static let clientCertificateMethod = "NSURLAuthenticationMethodClientCertificate"

    /// Who asks, and how.
    public let protectionSpace: URLProtectionSpace
    /// What would be used by default; after a failure the credential that was refused.
    public let proposedCredential: URLCredential?
    /// How many credentials were refused for this request.
    public let previousFailureCount: Int
    /// The 401 or 407 that asked.
    public let failureResponse: URLResponse?
    public let error: (any Error)?
    /// What the server presented, where its certificate is what is asked about.
    public internal(set) var serverTrust: AdaptableServerTrust?
}
