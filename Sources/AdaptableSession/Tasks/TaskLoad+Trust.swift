import Foundation
import FoundationNetworking
import OpenSSLTLS

/// Challenges of a TLS handshake; the session's delegate is called first (AUTH-01, AUTH-02).
extension TaskLoad {
    /// The handlers of handshake challenges; nil without a delegate: verification alone decides then, and no client
    /// certificate is sent.
    var handshakeQuestions: HandshakeChallenges? {
        guard session.delegate != nil || task.delegate != nil else { return nil }
        return HandshakeChallenges(
            evaluatePeer: { [weak self] peer, completion in
                guard let self, !isEnded else { return completion(.withdrawn) }
                evaluate(peer, completion)
            },
            identify: { [weak self] completion in
                guard let self, !isEnded else { return completion(.withdrawn) }
                identify(completion)
            })
    }

    private func evaluate(_ peer: TLSPeer, _ completion: @escaping (HandshakeChallenges.Decision<Bool>) -> Void) {
        let verdict = peer.failure == nil
        let question = nextHandshakeQuestion()
        pendingVerdicts[question] = completion
        var challenge = handshakeChallenge(AdaptableSessionAuthenticationChallenge.serverTrustMethod)
        challenge.serverTrust = AdaptableServerTrust(
            certificates: peer.chain.map { Data($0) }, isTrusted: verdict, problem: peer.failure.map { "\($0)" })
        queryHandshakeDelegate(challenge, "of the server's certificate") { load, decision in
            let completion = load.pendingVerdicts.removeValue(forKey: question)
            switch decision {
            case .use(let credential): completion?(.decided(credential is AdaptableTrustCredential || verdict))
            case .performDefaultHandling: completion?(.decided(verdict))
            case .rejectProtectionSpace, .cancel: completion?(.decided(false))
            }
        }
    }

    private func identify(_ completion: @escaping (HandshakeChallenges.Decision<ServerIdentity?>) -> Void) {
        let question = nextHandshakeQuestion()
        pendingIdentities[question] = completion
        let challenge = handshakeChallenge(AdaptableSessionAuthenticationChallenge.clientCertificateMethod)
        queryHandshakeDelegate(challenge, "for a client certificate") { load, decision in
            let completion = load.pendingIdentities.removeValue(forKey: question)
            switch decision {
            case .use(let credential): completion?(.decided((credential as? AdaptableIdentityCredential)?.identity))
            case .performDefaultHandling, .rejectProtectionSpace, .cancel: completion?(.decided(nil))
            }
        }
    }

    private func nextHandshakeQuestion() -> Int {
        handshakeQuestion += 1
        return handshakeQuestion
    }

    /// Withdraws from the handshakes when the load ends; they may continue for other loads.
    func leaveHandshakes() {
        let (verdicts, identities) = (pendingVerdicts, pendingIdentities)
        pendingVerdicts = [:]
        pendingIdentities = [:]
        for (_, verdict) in verdicts.sorted(by: { $0.key < $1.key }) { verdict(.withdrawn) }
        for (_, identity) in identities.sorted(by: { $0.key < $1.key }) { identity(.withdrawn) }
    }

    private func handshakeChallenge(_ method: String) -> AdaptableSessionAuthenticationChallenge {
        let origin = request.url.flatMap { WebOrigin($0) }
        return AdaptableSessionAuthenticationChallenge(
            protectionSpace: URLProtectionSpace(
                host: origin?.host ?? "", port: origin?.port ?? 443, protocol: "https", realm: nil,
                authenticationMethod: method),
            proposedCredential: nil, previousFailureCount: 0, failureResponse: nil, error: nil)
    }

    /// Calls the delegate about a connection. The task may have another connection by then, so this decision is separate
    /// from those about the task's own exchange, and does not stop its reading.
    private func queryHandshakeDelegate(
        _ challenge: AdaptableSessionAuthenticationChallenge, _ subject: String,
        then continuation: @escaping @Sendable (TaskLoad, ChallengeDecision) -> Void
    ) {
        setHold(.handshake, machine.isSeeking)
        let (number, session) = (number, session)
        post { caller in
            let decision = OneShotCompletion<ChallengeDecision> { decision in
                session.perform(number) { load in
                    guard !load.isEnded else { return }
                    continuation(load, decision)
                    if load.pendingVerdicts.isEmpty, load.pendingIdentities.isEmpty { load.setHold(.handshake, false) }
                    if case .cancel = decision { load.finish(.cancelled, "The challenge \(subject) was cancelled.") }
                }
            }
            if !caller.callOptionalMethod(isSessionWide: true, challenge, decision) {
                decision(.performDefaultHandling)
            }
        }
    }
}
