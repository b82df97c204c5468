public import Foundation

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
