import OpenSSLTLS

/// A handshake's questions go to the task that wants the connection when they come up, which need not be the one it was begun for: that
/// one may have been cancelled, and another taken over. Nobody is given a connection that their delegate was not asked about, and
/// nobody's fails because somebody else went.
extension ConnectAttempt {
    var asking: HandshakeHandler.Asking {
        HandshakeHandler.Asking(
            judge: { [self] peer, answer in
                put({ $0.judge(peer, $1) }, unasked: peer.failure == nil, unwanted: false, answer)
            },
            identify: { [self] answer in put({ $0.identify($1) }, unasked: nil, unwanted: nil, answer) })
    }

    /// `unasked` where there is nobody to ask, `unwanted` where nobody is left who wants the connection.
    private func put<Value>(
        _ question: @escaping (HandshakeQuestions, @escaping (HandshakeQuestions.Answer<Value>) -> Void) -> Void, unasked: Value,
        unwanted: Value, _ answer: @escaping (Value) -> Void
    ) {
        guard isWanted else { return answer(unwanted) }
        let asked: HandshakeQuestions
        if let current = asker() {
            guard let questions = current.questions else { return answer(unasked) }
            asked = questions
        } else if !isFirstAskerGone, let questions = demand.questions {
            // Served by another connection meanwhile; the session may use this one later.
            isFirstAskerGone = true
            asked = questions
        } else {
            return answer(unwanted)
        }
        question(asked) { [self] in
            switch $0 {
            case .given(let value): answer(value)
            case .gone where !connector.settings.policies.authentication.handshakeAsksNext: answer(unwanted)
            case .gone: put(question, unasked: unasked, unwanted: unwanted, answer)
            }
        }
    }
}
