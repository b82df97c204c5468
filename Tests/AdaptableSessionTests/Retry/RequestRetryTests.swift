import Testing

@testable import AdaptableSession

/// RFC 9110 §9.2.2 names the idempotent methods; RFC 9113 §8.7 names the proofs that nothing was processed.
@Suite struct RequestRetryTests {
    private func lost(reused: Bool = true, sent: Int64 = 100, received: Int64 = 0) -> RequestFailure {
        RequestFailure(kind: .connectionLost, connectionWasReused: reused, sentBytes: sent, receivedBytes: received)
    }

    private func failure(_ kind: RequestFailure.Kind) -> RequestFailure {
        RequestFailure(kind: kind, connectionWasReused: true, sentBytes: 100, receivedBytes: 0)
    }

    @Test(arguments: ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"])
    func `an idempotent request lost on a reused connection before the response is retried once, over a new one`(
        _ method: String
    ) {
        var retry = RequestRetry(method: method)
        #expect(retry.decide(lost()) == .repeat(onFreshConnection: true))
        #expect(retry.decide(lost()) == .fail)
    }

    @Test(arguments: ["POST", "PATCH", "CONNECT", "get"])
    func `another method is never retried when it may have been processed`(_ method: String) {
        var retry = RequestRetry(method: method)
        #expect(retry.decide(lost()) == .fail)
    }

    @Test func `a POST of which no byte was sent is retried, once`() {
        var retry = RequestRetry(method: "POST")
        #expect(retry.decide(lost(sent: 0)) == .repeat(onFreshConnection: true))
        #expect(retry.decide(lost(sent: 0)) == .fail)
    }

    @Test func `a new connection that breaks is an error for the task`() {
        var retry = RequestRetry(method: "GET")
        #expect(retry.decide(lost(reused: false)) == .fail)
    }

    @Test func `nothing is retried once a byte of the response has arrived`() {
        var retry = RequestRetry(method: "GET")
        #expect(retry.decide(lost(received: 1)) == .fail)
    }

    @Test func `a stream that the server refused is retried with any method, but not endlessly`() {
        var retry = RequestRetry(method: "POST")
        for _ in 0..<3 { #expect(retry.decide(failure(.streamRefused)) == .repeat(onFreshConnection: false)) }
        #expect(retry.decide(failure(.streamRefused)) == .fail)
    }

    /// Its own retry is left for the connection on which it is sent alone.
    @Test func `an unanswered pipelined request is sent again, besides its own retry, but not endlessly`() {
        var retry = RequestRetry(method: "GET")
        #expect(retry.decide(failure(.unanswered)) == .repeat(onFreshConnection: true))
        #expect(retry.decide(lost()) == .repeat(onFreshConnection: true))
        for _ in 0..<2 { #expect(retry.decide(failure(.unanswered)) == .repeat(onFreshConnection: true)) }
        #expect(retry.decide(failure(.unanswered)) == .fail)
        var post = RequestRetry(method: "POST")
        #expect(post.decide(failure(.unanswered)) == .fail)
    }

    @Test func `a stream whose response has started is not retried, whatever the server reports later`() {
        for kind in [RequestFailure.Kind.streamRefused, .goneAway(served: true)] {
            let late = RequestFailure(
                kind: kind, connectionWasReused: true, sentBytes: 100, receivedBytes: 900, responseHasBegun: true)
            var retry = RequestRetry(method: "GET")
            #expect(retry.decide(late) == .fail)
            // Early hints are not a response.
            let hinted = RequestFailure(kind: kind, connectionWasReused: true, sentBytes: 100, receivedBytes: 90)
            #expect(retry.decide(hinted) != .fail)
        }
    }

    @Test func `a stream above the last one of a GOAWAY is retried on another connection`() {
        var retry = RequestRetry(method: "POST")
        #expect(retry.decide(failure(.goneAway(served: false))) == .repeat(onFreshConnection: true))
    }

    /// A server may limit the requests of each connection, and answer as many on every one.
    @Test func `connections that serve other requests first use up no retry`() {
        var retry = RequestRetry(method: "POST")
        for _ in 0..<50 { #expect(retry.decide(failure(.goneAway(served: true))) == .repeat(onFreshConnection: true)) }
        for _ in 0..<3 { #expect(retry.decide(failure(.goneAway(served: false))) == .repeat(onFreshConnection: true)) }
        #expect(retry.decide(failure(.goneAway(served: false))) == .fail)
    }

    @Test func `421 is retried on another connection once, with any method`() {
        var retry = RequestRetry(method: "POST")
        #expect(retry.decide(failure(.status(421))) == .repeat(onFreshConnection: true))
        #expect(retry.decide(failure(.status(421))) == .fail)
    }

    @Test func `425 is retried once`() {
        var retry = RequestRetry(method: "POST")
        #expect(retry.decide(failure(.status(425))) == .repeat(onFreshConnection: false))
        #expect(retry.decide(failure(.status(425))) == .fail)
    }

    @Test(arguments: [408, 429, 500, 502, 503, 504])
    func `an error status is a response for the application`(_ status: Int) {
        var retry = RequestRetry(method: "GET")
        #expect(retry.decide(failure(.status(status))) == .fail)
    }

    @Test func `a final failure is not retried`() {
        var retry = RequestRetry(method: "GET")
        #expect(retry.decide(failure(.final)) == .fail)
    }

    @Test func `each policy changes the behaviour that it describes`() {
        func decide(_ method: String, _ failure: RequestFailure, _ change: (inout RetryPolicy) -> Void) -> RetryDecision
        {
            var policy = RetryPolicy()
            change(&policy)
            var retry = RequestRetry(method: method, policy: policy)
            return retry.decide(failure)
        }
        #expect(decide("POST", lost()) { $0.idempotentMethods.insert("POST") } == .repeat(onFreshConnection: true))
        #expect(decide("GET", lost()) { $0.repeatsLost = false } == .fail)
        #expect(decide("GET", lost()) { $0.lostLimit = 0 } == .fail)
        #expect(
            decide("GET", lost(reused: false)) { $0.onlyOnReusedConnections = false }
                == .repeat(onFreshConnection: true))
        #expect(decide("GET", lost(received: 9)) { $0.onlyBeforeResponse = false } == .repeat(onFreshConnection: true))
        #expect(decide("POST", lost(sent: 0)) { $0.repeatsUnsent = false } == .fail)
        #expect(decide("GET", lost()) { $0.usesFreshConnection = false } == .repeat(onFreshConnection: false))
        #expect(decide("GET", failure(.streamRefused)) { $0.repeatsRefused = false } == .fail)
        #expect(decide("GET", failure(.streamRefused)) { $0.refusedLimit = 0 } == .fail)
    }
}
