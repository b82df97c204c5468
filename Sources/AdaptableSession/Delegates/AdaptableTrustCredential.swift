public import Foundation
public import FoundationNetworking

/// Answers a challenge of server trust: the server is believed whatever the session thinks of it.
public final class AdaptableTrustCredential: URLCredential, @unchecked Sendable {
    // No state beyond what URLCredential has, which is constant.
    public init(trust: AdaptableServerTrust) { super.init(user: "", password: "", persistence: .none) }

    public required init?(coder: NSCoder) { nil }
}
