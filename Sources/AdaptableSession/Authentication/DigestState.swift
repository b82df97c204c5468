/// A nonce in use. The count covers all requests of the session, because servers treat a repeated count as a replay
/// (RFC 7616 §3.4).
struct DigestState: Hashable, Sendable {
    var challenge: DigestChallenge
    var count: UInt32
    /// The same value for all requests with the nonce, so that the secret of a `-sess` algorithm is correct under both
    /// readings of §3.4.2.
    var clientNonce: String
}
