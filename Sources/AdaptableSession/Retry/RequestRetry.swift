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
            guard policy.repeatsRefused, refused < policy.refusedLimit else { return .fail }
            refused += 1
            return .repeat(onFreshConnection: failure.kind == .goneAway)
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
