import OpenSSLTLS

/// A handshake's questions go to the task that wants the connection when they come up, which need not be the one it was begun for: that
/// one may have been cancelled, and another taken over. Nobody is given a connection that their delegate was not asked about, and
/// nobody's fails because somebody else went.
extension ConnectAttempt {
    var handshakeDelegate: HandshakeHandler.Delegate {
        HandshakeHandler.Delegate(
            evaluatePeer: { [self] peer, completion in
                put({ $0.evaluatePeer(peer, $1) }, unasked: peer.failure == nil, unwanted: false, completion)
            },
            identify: { [self] completion in put({ $0.identify($1) }, unasked: nil, unwanted: nil, completion) })
    }

    /// `unasked` where there is nobody to ask, `unwanted` where nobody is left who wants the connection.
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
            // Served by another connection meanwhile; the session may use this one later.
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
