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
    /// The protocol object that asks, or whoever asks for it; nil where the session itself asks.
    public let sender: (any AdaptableSessionAuthenticationChallengeSender)?

    /// For protocol classes, whose `sender` hears the answer.
    public init(
        protectionSpace: URLProtectionSpace, proposedCredential: URLCredential?, previousFailureCount: Int,
        failureResponse: URLResponse?,
        error: (any Error)?, sender: (any AdaptableSessionAuthenticationChallengeSender)? = nil
    ) {
        self.protectionSpace = protectionSpace
        self.proposedCredential = proposedCredential
        self.previousFailureCount = previousFailureCount
        self.failureResponse = failureResponse
        self.error = error
        self.sender = sender
    }
}
