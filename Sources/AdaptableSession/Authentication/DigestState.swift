/// A nonce in use, counted for all requests of the session: a count that came twice is a replay (RFC 7616 §3.4).
struct DigestState: Hashable, Sendable {
    var challenge: DigestChallenge
    var count: UInt32
    /// The same for all requests of the nonce, so that the secret of a `-sess` algorithm is one whichever way the server reads §3.4.2.
    var clientNonce: String
}
