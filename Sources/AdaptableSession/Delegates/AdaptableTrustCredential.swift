public import Foundation
public import FoundationNetworking

/// Accepts a server trust challenge: the server is trusted regardless of the session's own evaluation.
public final class AdaptableTrustCredential: URLCredential, @unchecked Sendable {
    // `@unchecked` is safe: the class does not add state to URLCredential's, which is constant.
    /// Creates the credential for a challenge with this trust.
    public init(trust: AdaptableServerTrust) { super.init(user: "", password: "", persistence: .none) }

    /// Returns nil: the credential cannot be archived.
    public required init?(coder: NSCoder) { nil }
}
