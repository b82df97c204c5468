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
        pendingVerdict = completion
        var challenge = handshakeChallenge(AdaptableSessionAuthenticationChallenge.serverTrustMethod)
        challenge.serverTrust = AdaptableServerTrust(
            certificates: peer.chain.map { Data($0) }, isTrusted: verdict, problem: peer.failure.map { "\($0)" })
        queryHandshakeDelegate(challenge, "of the server's certificate") { load, decision in
            let completion = load.pendingVerdict
            load.pendingVerdict = nil
            switch decision {
            case .use(let credential): completion?(.decided(credential is AdaptableTrustCredential || verdict))
            case .performDefaultHandling: completion?(.decided(verdict))
            case .rejectProtectionSpace, .cancel: completion?(.decided(false))
            }
        }
    }

    private func identify(_ completion: @escaping (HandshakeChallenges.Decision<ServerIdentity?>) -> Void) {
        pendingIdentity = completion
        let challenge = handshakeChallenge(AdaptableSessionAuthenticationChallenge.clientCertificateMethod)
        queryHandshakeDelegate(challenge, "for a client certificate") { load, decision in
            let completion = load.pendingIdentity
            load.pendingIdentity = nil
            switch decision {
            case .use(let credential): completion?(.decided((credential as? AdaptableIdentityCredential)?.identity))
            case .performDefaultHandling, .rejectProtectionSpace, .cancel: completion?(.decided(nil))
            }
        }
    }

    /// Withdraws from a handshake when the load ends; the handshake may continue for another load.
    func leaveHandshake() {
        let (verdict, identity) = (pendingVerdict, pendingIdentity)
        pendingVerdict = nil
        pendingIdentity = nil
        verdict?(.withdrawn)
        identity?(.withdrawn)
    }

    private func handshakeChallenge(_ method: String) -> AdaptableSessionAuthenticationChallenge {
        let origin = request.url.flatMap { WebOrigin($0) }
        return AdaptableSessionAuthenticationChallenge(
            protectionSpace: URLProtectionSpace(
                host: origin?.host ?? "", port: origin?.port ?? 443, protocol: "https", realm: nil,
                authenticationMethod: method),
            proposedCredential: nil, previousFailureCount: 0, failureResponse: nil, error: nil)
    }

    private func queryHandshakeDelegate(
        _ challenge: AdaptableSessionAuthenticationChallenge, _ subject: String,
        then continuation: @escaping @Sendable (TaskLoad, ChallengeDecision) -> Void
    ) {
        callDelegate(
            ChallengeDecision.performDefaultHandling,
            { caller, decision in caller.callOptionalMethod(isSessionWide: true, challenge, decision) }
        ) { load, decision in
            continuation(load, decision)
            if case .cancel = decision { load.finish(.cancelled, "The challenge \(subject) was cancelled.") }
        }
    }
}
