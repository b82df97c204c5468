/// The outcome of a failed attempt, with the facts that decide about a retry.
package struct RequestFailure: Equatable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The connection ended: FIN, RST, a broken TLS record, or an HTTP/2 connection error.
        case connectionLost
        /// RST_STREAM with REFUSED_STREAM.
        case streamRefused
        /// GOAWAY with a last stream number below this stream. `served`: the connection has processed other streams.
        case goneAway(served: Bool)
        /// A pipelined request whose connection ended in an earlier exchange (RFC 9112 §9.3.2).
        case unanswered
        /// A status that may concern the connection rather than the request: 408, 421 or 425. Other statuses never
        /// cause a retry.
        case status(Int)
        /// A timeout, a trust failure, a cancellation, or RST_STREAM with another code. Never retried.
        case final
    }

    package var kind: Kind
    package var connectionWasReused: Bool
    /// Bytes of this request, including its head, that were handed to the kernel or to TLS.
    package var sentBytes: Int64
    /// Bytes of its response, including informational responses.
    package var receivedBytes: Int64
    /// True once the head of the final response was received.
    package var responseHasBegun = false
}

/// The decision about a failed attempt.
package enum RetryDecision: Equatable, Sendable {
    /// The failure (or the status) is the task's result.
    case fail
    /// Send the request again with its body; a stream body must be requested again from the delegate.
    case `repeat`(onFreshConnection: Bool)
}
