import OpenSSLTLS

/// Passes the challenges of a TLS handshake to the task that currently needs the connection. That may not be the task
/// for which the attempt was started: it may have been cancelled, and another one may have taken over the attempt. A
/// task never receives a connection without a decision by its delegate, and an attempt does not fail because another
/// task was cancelled.
extension ConnectAttempt {
    var handshakeDelegate: HandshakeHandler.Delegate {
        HandshakeHandler.Delegate(
            evaluatePeer: { [self] peer, completion in
                put({ $0.evaluatePeer(peer, $1) }, unasked: peer.failure == nil, unwanted: false, completion)
            },
            identify: { [self] completion in put({ $0.identify($1) }, unasked: nil, unwanted: nil, completion) })
    }

    /// Passes one challenge on. `unasked` is the result if the task does not handle challenges, `unwanted` the result
    /// if no task needs the connection.
    private func put<Value>(
        _ question: @escaping (HandshakeChallenges, @escaping (HandshakeChallenges.Decision<Value>) -> Void) -> Void,
        unasked: Value,
        unwanted: Value, _ completion: @escaping (Value) -> Void
    ) {
        guard isNeeded else { return completion(unwanted) }
        let asked: HandshakeChallenges
        if let current = requester() {
            guard let questions = current.questions else { return completion(unasked) }
            asked = questions
        } else if !isFirstRequesterGone, let questions = demand.questions {
            // Another connection serves the task meanwhile; the session may use this one later.
            isFirstRequesterGone = true
            asked = questions
        } else {
            return completion(unwanted)
        }
        question(asked) { [self] in
            switch $0 {
            case .decided(let value): completion(value)
            case .withdrawn where !connector.settings.policies.authentication.handshakeQueriesNext: completion(unwanted)
            case .withdrawn: put(question, unasked: unasked, unwanted: unwanted, completion)
            }
        }
    }
}
