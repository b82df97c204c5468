public import FoundationNetworking

/// A request by a server or a proxy for credentials, or a TLS handshake that needs a decision about a certificate.
public struct AdaptableSessionAuthenticationChallenge: Sendable {
    /// The name of NSURLAuthenticationMethodServerTrust, which FoundationNetworking does not provide on this platform.
    public static let serverTrustMethod = "NSURLAuthenticationMethodServerTrust"
    /// The name of NSURLAuthenticationMethodClientCertificate, which FoundationNetworking does not provide on this
    /// platform.
    public static let clientCertificateMethod = "NSURLAuthenticationMethodClientCertificate"

    /// The server or proxy that sent the challenge, its realm and the authentication method.
    public let protectionSpace: URLProtectionSpace
    /// The credential that is used by default; after a failure, the credential that was refused.
    public let proposedCredential: URLCredential?
    /// The number of credentials that were refused for this request so far.
    public let previousFailureCount: Int
    /// The response with status 401 or 407 that carried the challenge; nil for challenges of a TLS handshake.
    public let failureResponse: URLResponse?
    /// The error that led to the challenge; nil for challenges of the session itself.
    public let error: (any Error)?
    /// The server's certificates, for a server trust challenge; nil for other methods.
    public internal(set) var serverTrust: AdaptableServerTrust?
    /// The object that receives the decision about a challenge of a protocol class; nil for a challenge of the session
    /// itself.
    public let sender: (any AdaptableSessionAuthenticationChallengeSender)?

    /// Creates a challenge of a protocol class; the decision is sent to `sender`.
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

/// Receives the decision on a challenge that a protocol class sent. Exactly one method is called, once, on one of the
/// session's threads.
public protocol AdaptableSessionAuthenticationChallengeSender: AnyObject, Sendable {
    /// Receives the credential to use.
    func use(_ credential: URLCredential, for challenge: AdaptableSessionAuthenticationChallenge)
    /// Receives the decision to continue without a credential.
    func continueWithoutCredential(for challenge: AdaptableSessionAuthenticationChallenge)
    /// Receives the decision to cancel the load.
    func cancel(_ challenge: AdaptableSessionAuthenticationChallenge)
    /// Receives the decision to handle the challenge as without a delegate. Default: continues without a credential.
    func performDefaultHandling(for challenge: AdaptableSessionAuthenticationChallenge)
    /// Receives the decision to reject this challenge and to try the next one. Default: continues without a credential.
    func rejectProtectionSpaceAndContinue(with challenge: AdaptableSessionAuthenticationChallenge)
}

extension AdaptableSessionAuthenticationChallengeSender {
    public func performDefaultHandling(for challenge: AdaptableSessionAuthenticationChallenge) {
        continueWithoutCredential(for: challenge)
    }

    public func rejectProtectionSpaceAndContinue(with challenge: AdaptableSessionAuthenticationChallenge) {
        continueWithoutCredential(for: challenge)
    }
}
