public import Foundation

/// What a server presented to prove who it is, and what the session thinks of it.
public struct AdaptableServerTrust: Hashable, Sendable {
    /// DER, the server's own first, then what it sent along.
    public let certificates: [Data]
    /// Whether the chain leads to an authority of the machine, is in force, and is for this host.
    public let isTrusted: Bool
    /// What is wrong with it, in words; nil where it is trusted.
    public let problem: String?
}
