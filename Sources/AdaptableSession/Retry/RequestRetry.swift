/// The retry decisions for one request (one hop of a task). A redirect or a challenge starts a new request with a new
/// value.
package struct RequestRetry: Sendable {
    private let policy: RetryPolicy
    private let isIdempotent: Bool
    private var lost = 0
    private var refused = 0
    private var misdirected = 0
    private var tooEarly = 0

    package init(method: String, policy: RetryPolicy = RetryPolicy()) {
        self.policy = policy
        // Methods are case-sensitive (RFC 9110 §9.1).
        isIdempotent = policy.idempotentMethods.contains(method)
    }

    package mutating func decide(_ failure: RequestFailure) -> RetryDecision {
        switch failure.kind {
        case .final: return .fail
        case .streamRefused, .goneAway:
            // A server that has sent a response contradicts itself here, and the response has been delivered already.
            if policy.onlyBeforeResponse, failure.responseHasBegun { return .fail }
            guard policy.repeatsRefused else { return .fail }
            // A server that limits the requests of a connection, as nginx does, refuses those above the limit. Each of
            // its connections serves some, so the retries end.
            if failure.kind == .goneAway(served: true) { return .repeat(onFreshConnection: true) }
            guard refused < policy.refusedLimit else { return .fail }
            refused += 1
            if case .goneAway = failure.kind { return .repeat(onFreshConnection: true) }
            return .repeat(onFreshConnection: false)
        // Only idempotent requests are pipelined. This does not count as their own retry: an earlier exchange failed.
        case .unanswered:
            guard policy.repeatsUnanswered, isIdempotent, refused < policy.refusedLimit else { return .fail }
            refused += 1
            return .repeat(onFreshConnection: true)
        // Any method, on another connection.
        case .status(421):
            guard misdirected == 0 else { return .fail }
            misdirected += 1
            return .repeat(onFreshConnection: true)
        // Early data, which 425 concerns, is never used by this session.
        case .status(425):
            guard tooEarly == 0 else { return .fail }
            tooEarly += 1
            return .repeat(onFreshConnection: false)
        case .status: return .fail
        case .connectionLost: return decideLost(failure)
        }
    }

    private mutating func decideLost(_ failure: RequestFailure) -> RetryDecision {
        guard policy.repeatsLost else { return .fail }
        if policy.onlyBeforeResponse, failure.receivedBytes > 0 { return .fail }
        if policy.onlyOnReusedConnections, !failure.connectionWasReused { return .fail }
        guard isIdempotent || policy.repeatsUnsent && failure.sentBytes == 0 else { return .fail }
        guard lost < policy.lostLimit else { return .fail }
        lost += 1
        return .repeat(onFreshConnection: policy.usesFreshConnection)
    }
}

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
    /// Retry pipelined requests whose connection ended in an earlier exchange (RFC 9112 §9.3.2).
    package var repeatsUnanswered = true
    /// The number of retries after refusals and unanswered requests, so that a server that refuses every stream does not cause endless
    /// requests.
    package var refusedLimit = 3
}
