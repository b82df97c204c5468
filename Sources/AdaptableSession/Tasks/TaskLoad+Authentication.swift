import Foundation
import FoundationNetworking
import OpenSSLTLS

/// Challenges of the server and the credentials for them.
extension TaskLoad {
    /// Adds credentials to the request.
    func authenticate(_ fields: inout HeaderFields, _ url: URL, _ exchange: Exchange) {
        let body = body
        let asked = AuthenticatedRequest(
            url: url, method: request.httpMethod ?? "GET", target: RequestHead.target(of: url),
            hasOwnField: fields.has("Authorization"),
            bodyDigest: { algorithm in body.bytes.map { Digests.digest($0, algorithm) } })
        if let field = core.authentication.field(
            &authentication, asked, connection: exchange.connection.id.number, now: Date())
        {
            fields[field.name] = field.value
        }
    }

    /// Handles a response that is not a challenge: its credentials were accepted and may be stored.
    func accepted() {
        guard case .exchanging(let exchange) = phase, let url = request.url else { return }
        let acceptance = core.authentication.accepted(
            &authentication, fields: fields, url: url, connection: exchange.connection.id.number)
        if acceptance.opensConnection { core.connections.unpin(connection: exchange.connection.id) }
        if let storing = acceptance.store {
            let storage = core.settings.credentialStorage
            if policies.stores.passesTaskToStore {
                storage?.setDefaultCredential(storing.credential, for: storing.space, task: task)
            } else {
                storage?.setDefaultCredential(storing.credential, for: storing.space)
            }
        }
    }

    func refused(_ response: HTTPURLResponse) {
        isProxyChallenge = false
        guard case .exchanging(let exchange) = phase, let url = request.url else { return }
        act(
            core.authentication.refused(
                &authentication, fields: fields, url: url, connection: exchange.connection.id.number,
                canDigestBody: body.bytes != nil),
            response)
    }

    func act(_ action: AuthenticationAction, _ response: HTTPURLResponse) {
        guard let url = request.url else { return }
        switch action {
        case .deliver: if isTunnelChallenge { tunnelDenied() } else { evaluate(response) }
        case .lookUp(let space): lookUp(space, response, url)
        case .callDelegate(let question): callDelegate(question, response, url)
        case .send(let connection):
            if let connection { core.connections.pin(ConnectionID(connection), to: number) }
            if isTunnelChallenge { attempt() } else { drain { $0.attempt() } }
        case .cancel: finish(URLError.made(.cancelled, "The challenge was cancelled.", url))
        }
    }

    private func lookUp(_ space: URLProtectionSpace, _ response: HTTPURLResponse, _ url: URL) {
        guard let storage = core.settings.credentialStorage else {
            return act(core.authentication.stored(&challenged, nil, url: url), response)
        }
        let task = task
        look({ decision in
            if policies.stores.passesTaskToStore {
                return storage.getDefaultCredential(for: space, task: task) { decision($0) }
            }
            decision(storage.defaultCredential(for: space))
        }) { load, credential in
            load.act(load.core.authentication.stored(&load.challenged, credential, url: url), response)
        }
    }

    private func callDelegate(_ asked: ChallengeRequest, _ response: HTTPURLResponse, _ url: URL) {
        let challenge = AdaptableSessionAuthenticationChallenge(
            protectionSpace: asked.space, proposedCredential: asked.proposed,
            previousFailureCount: asked.previousFailures,
            failureResponse: response, error: nil)
        callDelegate(
            ChallengeDecision.performDefaultHandling,
            { caller, decision in caller.callOptionalMethod(asked, challenge, decision) }
        ) { load, decision in
            load.act(load.core.authentication.didDecide(&load.challenged, decision, url: url), response)
        }
    }
}

extension DelegateCaller {
    /// Returns false when no delegate implements the method.
    func callOptionalMethod(
        _ asked: ChallengeRequest, _ challenge: AdaptableSessionAuthenticationChallenge,
        _ decision: OneShotCompletion<ChallengeDecision>
    ) -> Bool {
        if asked.isSessionWide,
            callSessionDelegate({
                $0.urlSession(session, didReceive: challenge) { decision(ChallengeDecision($0, $1)) }
            })
        {
            return true
        }
        return callTaskDelegate {
            $0.urlSession(session, task: task, didReceive: challenge) { decision(ChallengeDecision($0, $1)) }
        }
    }
}

extension ChallengeDecision {
    fileprivate init(_ disposition: AdaptableSession.AuthChallengeDisposition, _ credential: URLCredential?) {
        switch disposition {
        case .useCredential: self = .use(credential)
        case .performDefaultHandling: self = .performDefaultHandling
        case .cancelAuthenticationChallenge: self = .cancel
        case .rejectProtectionSpace: self = .rejectProtectionSpace
        }
    }
}

extension BodySource {
    /// The bytes of the body; nil when they are not in memory.
    var bytes: [UInt8]? {
        switch self {
        case .none: []
        case .memory(let data): Array(data)
        case .file, .filePart, .stream: nil
        }
    }
}
