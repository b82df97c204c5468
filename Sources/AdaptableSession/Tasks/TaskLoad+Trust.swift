import Foundation
import FoundationNetworking
import OpenSSLTLS

/// What a connection's handshake asks of the client: session level first (AUTH-01, AUTH-02).
extension TaskLoad {
    /// nil where there is nobody to ask: then verification alone decides, and there is no client certificate.
    var handshakeQuestions: HandshakeQuestions? {
        guard session.delegate != nil || task.delegate != nil else { return nil }
        return HandshakeQuestions(
            judge: { [weak self] peer, answer in
                guard let self, !isEnded else { return answer(.gone) }
                judge(peer, answer)
            },
            identify: { [weak self] answer in
                guard let self, !isEnded else { return answer(.gone) }
                identify(answer)
            })
    }

    private func judge(_ peer: TLSPeer, _ answer: @escaping (HandshakeQuestions.Answer<Bool>) -> Void) {
        let verdict = peer.failure == nil
        pendingVerdict = answer
        var challenge = handshakeChallenge(AdaptableSessionAuthenticationChallenge.serverTrustMethod)
        challenge.serverTrust = AdaptableServerTrust(
            certificates: peer.chain.map { Data($0) }, isTrusted: verdict, problem: peer.failure.map { "\($0)" })
        askOfHandshake(challenge) { load, disposition, credential in
            let answer = load.pendingVerdict
            load.pendingVerdict = nil
            switch disposition {
            case .useCredential: answer?(.given(credential is AdaptableTrustCredential || verdict))
            case .performDefaultHandling: answer?(.given(verdict))
            case .rejectProtectionSpace: answer?(.given(false))
            case .cancelAuthenticationChallenge:
                answer?(.given(false))
                load.finish(URLError.made(.cancelled, "The challenge of the server's certificate was cancelled.", load.request.url))
            }
        }
    }

    private func identify(_ answer: @escaping (HandshakeQuestions.Answer<ServerIdentity?>) -> Void) {
        pendingIdentity = answer
        askOfHandshake(handshakeChallenge(AdaptableSessionAuthenticationChallenge.clientCertificateMethod)) { load, disposition, credential in
            let answer = load.pendingIdentity
            load.pendingIdentity = nil
            switch disposition {
            case .useCredential: answer?(.given((credential as? AdaptableIdentityCredential)?.identity))
            case .performDefaultHandling, .rejectProtectionSpace: answer?(.given(nil))
            case .cancelAuthenticationChallenge:
                answer?(.given(nil))
                load.finish(URLError.made(.cancelled, "The challenge for a client certificate was cancelled.", load.request.url))
            }
        }
    }

    /// The load is over, but its handshake may go on for another's.
    func leaveHandshake() {
        let (verdict, identity) = (pendingVerdict, pendingIdentity)
        pendingVerdict = nil
        pendingIdentity = nil
        verdict?(.gone)
        identity?(.gone)
    }

    private func handshakeChallenge(_ method: String) -> AdaptableSessionAuthenticationChallenge {
        let origin = request.url.flatMap { WebOrigin($0) }
        return AdaptableSessionAuthenticationChallenge(
            protectionSpace: URLProtectionSpace(
                host: origin?.host ?? "", port: origin?.port ?? 443, protocol: "https", realm: nil, authenticationMethod: method),
            proposedCredential: nil, previousFailureCount: 0, failureResponse: nil, error: nil)
    }

    private struct Answered: Sendable {
        var disposition: AdaptableSession.AuthChallengeDisposition
        var credential: URLCredential?
    }

    private func askOfHandshake(
        _ challenge: AdaptableSessionAuthenticationChallenge,
        then goOn: @escaping @Sendable (TaskLoad, AdaptableSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        ask(
            Answered(disposition: .performDefaultHandling),
            { caller, answer in
                if caller.tellSession({
                    $0.urlSession(caller.session, didReceive: challenge) { answer(Answered(disposition: $0, credential: $1)) }
                }) {
                    return true
                }
                return caller.tell {
                    $0.urlSession(caller.session, task: caller.task, didReceive: challenge) {
                        answer(Answered(disposition: $0, credential: $1))
                    }
                }
            }
        ) { goOn($0, $1.disposition, $1.credential) }
    }
}
