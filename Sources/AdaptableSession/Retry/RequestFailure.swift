/// How an attempt to have a request answered ended, as far as it matters for another one.
package struct RequestFailure: Equatable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The connection went away: FIN, RST, a broken record, a connection error of HTTP/2.
        case connectionLost
        /// RST_STREAM with REFUSED_STREAM.
        case streamRefused
        /// GOAWAY whose last stream is below this one.
        case goneAway
        /// A status that may speak about the connection rather than the request: 408, 421, 425. Others never lead to a repetition.
        case status(Int)
        /// Time ran out, trust was refused, the task was cancelled, RST_STREAM with any other code: final.
        case final
    }

    package var kind: Kind
    package var connectionWasReused: Bool
    /// Bytes of this request, its head included, that were handed to the kernel or to TLS.
    package var sentBytes: Int64
    /// Bytes of its answer, informational responses included.
    package var receivedBytes: Int64
    /// The head of its answer has come, and not only informational ones.
    package var responseHasBegun: Bool

    package init(
        _ kind: Kind, connectionWasReused: Bool, sentBytes: Int64, receivedBytes: Int64, responseHasBegun: Bool = false
    ) {
        self.kind = kind
        self.connectionWasReused = connectionWasReused
        self.sentBytes = sentBytes
        self.receivedBytes = receivedBytes
        self.responseHasBegun = responseHasBegun
    }
}

/// What becomes of it.
package enum RetryDecision: Equatable, Sendable {
    /// The failure (or the status) is what the task gets.
    case fail
    /// Send it once more, body included; a stream must be asked for anew.
    case `repeat`(onFreshConnection: Bool)
}
