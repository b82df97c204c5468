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
        queryHandshakeDelegate(challenge) { load, disposition, credential in
            let completion = load.pendingVerdict
            load.pendingVerdict = nil
            switch disposition {
            case .useCredential: completion?(.decided(credential is AdaptableTrustCredential || verdict))
            case .performDefaultHandling: completion?(.decided(verdict))
            case .rejectProtectionSpace: completion?(.decided(false))
            case .cancelAuthenticationChallenge:
                completion?(.decided(false))
                load.finish(.cancelled, "The challenge of the server's certificate was cancelled.")
            }
        }
    }

    private func identify(_ completion: @escaping (HandshakeChallenges.Decision<ServerIdentity?>) -> Void) {
        pendingIdentity = completion
        queryHandshakeDelegate(handshakeChallenge(AdaptableSessionAuthenticationChallenge.clientCertificateMethod)) {
            load, disposition, credential in
            let completion = load.pendingIdentity
            load.pendingIdentity = nil
            switch disposition {
            case .useCredential: completion?(.decided((credential as? AdaptableIdentityCredential)?.identity))
            case .performDefaultHandling, .rejectProtectionSpace: completion?(.decided(nil))
            case .cancelAuthenticationChallenge:
                completion?(.decided(nil))
                load.finish(.cancelled, "The challenge for a client certificate was cancelled.")
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

    private struct Decided: Sendable {
        var disposition: AdaptableSession.AuthChallengeDisposition
        var credential: URLCredential?
    }

    private func queryHandshakeDelegate(
        _ challenge: AdaptableSessionAuthenticationChallenge,
        then goOn: @escaping @Sendable (TaskLoad, AdaptableSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        callDelegate(
            Decided(disposition: .performDefaultHandling),
            { caller, completion in
                if caller.callSessionDelegate({
                    $0.urlSession(caller.session, didReceive: challenge) {
                        completion(Decided(disposition: $0, credential: $1))
                    }
                }) {
                    return true
                }
                return caller.callTaskDelegate {
                    $0.urlSession(caller.session, task: caller.task, didReceive: challenge) {
                        completion(Decided(disposition: $0, credential: $1))
                    }
                }
            }
        ) { goOn($0, $1.disposition, $1.credential) }
    }
}
