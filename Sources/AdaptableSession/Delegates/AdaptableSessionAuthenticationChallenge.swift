public import Foundation
public import FoundationNetworking
import OpenSSLTLS

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

/// The certificates that a server presented, and the session's evaluation of them.
public struct AdaptableServerTrust: Hashable, Sendable {
    /// The certificates in DER format: the server's own first, then the others in the order in which it sent them.
    public let certificates: [Data]
    /// True if the chain leads to a certificate authority that this machine trusts, is within its validity period and
    /// matches the host.
    public let isTrusted: Bool
    /// The reason why the server is not trusted; nil if it is trusted.
    public let problem: String?
}

/// Accepts a server trust challenge: the server is trusted regardless of the session's own evaluation.
public final class AdaptableTrustCredential: URLCredential, @unchecked Sendable {
    // `@unchecked` is safe: the class does not add state to URLCredential's, which is constant.
    /// Creates the credential for a challenge with this trust.
    public init(trust: AdaptableServerTrust) { super.init(user: "", password: "", persistence: .none) }

    /// Returns nil: the credential cannot be archived.
    public required init?(coder: NSCoder) { nil }
}

/// A client certificate and its private key, as the credential for a client-certificate challenge.
public final class AdaptableIdentityCredential: URLCredential, @unchecked Sendable {
    // `@unchecked` is safe: the only state beyond URLCredential's is this constant.
    let identity: ServerIdentity

    /// Reads the certificate, optionally followed by its intermediate certificates, and its unencrypted private key,
    /// both in PEM format. Throws if either cannot be read.
    public init(certificatePEM: String, privateKeyPEM: String) throws {
        identity = try ServerIdentity.read(certificatePEM: certificatePEM, privateKeyPEM: privateKeyPEM)
        super.init(user: "", password: "", persistence: .none)
    }

    /// Returns nil: the credential cannot be archived.
    public required init?(coder: NSCoder) { nil }
}
