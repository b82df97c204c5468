/// The rules for retrying a failed request automatically (RFC 9110 §9.2.2, RFC 9113 §8.7, and URLSession's behaviour
/// for error -1005).
package struct RetryPolicy: Sendable, Equatable {
    /// The methods that may be repeated.
    package var idempotentMethods: Set<String> = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]
    /// Retry requests whose connection was lost.
    package var repeatsLost = true
    /// The number of retries after lost connections: "SHOULD NOT automatically retry a failed automatic retry" (RFC
    /// 9110 §9.2.2).
    package var lostLimit = 1
    /// Retry only on reused connections: the reason is the race between reuse and the server's idle close. A failure of
    /// a new connection is a real error (CONN-20).
    package var onlyOnReusedConnections = true
    /// Do not retry after the response has started: a retry could deliver it twice (CONN-20).
    package var onlyBeforeResponse = true
    /// Retry requests with any method when no byte was handed to the kernel: the server cannot have processed them.
    package var repeatsUnsent = true
    /// Retry lost requests on a new connection.
    package var usesFreshConnection = true
    /// Retry any method after REFUSED_STREAM or a GOAWAY below the stream: both prove that the request was not
    /// processed.
    package var repeatsRefused = true
    /// The number of retries after refusals, so that a server that refuses every stream does not cause endless
    /// requests.
    package var refusedLimit = 3

    package init() {}
}
