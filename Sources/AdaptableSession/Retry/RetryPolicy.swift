/// When a request that failed is sent again without asking anybody (RFC 9110 §9.2.2, RFC 9113 §8.7, behaviour of -1005).
package struct RetryPolicy: Sendable, Equatable {
    /// The methods that may be applied twice.
    package var idempotentMethods: Set<String> = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]
    /// A request whose connection was lost is repeated at all.
    package var repeatsLost = true
    /// "SHOULD NOT automatically retry a failed automatic retry."
    package var lostLimit = 1
    /// Only the race of reuse against the server's idle close justifies it: a new connection that breaks is news (CONN-20).
    package var onlyOnReusedConnections = true
    /// Once the answer has begun, a repetition could deliver it twice (CONN-20).
    package var onlyBeforeResponse = true
    /// Requests of which no byte was handed to the kernel have not been processed, whatever their method.
    package var repeatsUnsent = true
    /// A repetition after a lost connection goes over a new one.
    package var usesFreshConnection = true
    /// GOAWAY below the stream and REFUSED_STREAM prove that nothing was processed: any method.
    package var repeatsRefused = true
    /// A server that refuses for ever is not asked for ever.
    package var refusedLimit = 3
    /// 421: any method, on another connection.
    package var repeatsMisdirected = true
    /// 425: once, and never in early data, which this session does not use.
    package var repeatsTooEarly = true
    /// A 408 is an answer like another; true repeats an idempotent request that got it on a reused connection.
    package var repeatsRequestTimeout = false

    package init() {}
}
