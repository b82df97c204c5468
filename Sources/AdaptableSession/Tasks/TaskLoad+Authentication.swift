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

    /// Handles a response that is not a challenge: the credentials for the proxy and for the server were accepted and
    /// may be stored.
    func accepted() {
        guard let exchange = machine.exchange else { return }
        let connection = exchange.connection.id.number
        if route != .direct { accepted(&proxyAuthentication, connection: isForwarded ? connection : 0) }
        if accepted(&authentication, connection: connection) {
            core.connections.unpin(connection: exchange.connection.id)
        }
    }

    /// Returns true if other tasks may use the connection from now on.
    @discardableResult
    private func accepted(_ side: inout RequestAuthentication, connection: Int) -> Bool {
        guard let url = request.url else { return false }
        let acceptance = core.authentication.accepted(&side, fields: fields, url: url, connection: connection)
        if let storing = acceptance.store {
            let storage = core.settings.credentialStorage
            if policies.stores.passesTaskToStore {
                storage?.setDefaultCredential(storing.credential, for: storing.space, task: task)
            } else {
                storage?.setDefaultCredential(storing.credential, for: storing.space)
            }
        }
        return acceptance.opensConnection
    }

    /// The authentication state of the side that sent a challenge.
    private subscript(source: ChallengeSource) -> RequestAuthentication {
        get { source == .server ? authentication : proxyAuthentication }
        set { if source == .server { authentication = newValue } else { proxyAuthentication = newValue } }
    }

    func refused(_ response: HTTPURLResponse, _ fields: HeaderFields, by source: ChallengeSource) {
        guard let url = request.url else { return }
        // A tunnel is requested without the body.
        let connection = source == .tunnel ? 0 : machine.exchange?.connection.id.number ?? 0
        let action = core.authentication.refused(
            &self[source], fields: fields, url: url, connection: connection,
            canDigestBody: source == .tunnel || body.bytes != nil)
        act(action, response, source)
    }

    private func act(_ action: AuthenticationAction, _ response: HTTPURLResponse, _ source: ChallengeSource) {
        guard let url = request.url else { return }
        switch action {
        case .deliver where source == .tunnel:
            finish(.userAuthenticationRequired, "The proxy requires credentials before it opens a tunnel.")
        case .deliver: evaluate(response)
        case .lookUp(let space): lookUp(space, response, url, source)
        case .callDelegate(let question): callDelegate(question, response, url, source)
        case .send(let connection):
            if let connection { core.connections.pin(ConnectionID(connection), to: number) }
            discardBody(then: .attempt)
        case .cancel: finish(.cancelled, "The challenge was cancelled.")
        }
    }

    private func lookUp(
        _ space: URLProtectionSpace, _ response: HTTPURLResponse, _ url: URL, _ source: ChallengeSource
    ) {
        guard let storage = core.settings.credentialStorage else {
            return act(core.authentication.stored(&self[source], nil, url: url), response, source)
        }
        let task = task
        look({ decision in
            if policies.stores.passesTaskToStore {
                return storage.getDefaultCredential(for: space, task: task) { decision($0) }
            }
            decision(storage.defaultCredential(for: space))
        }) { load, credential in
            load.act(load.core.authentication.stored(&load[source], credential, url: url), response, source)
        }
    }

    private func callDelegate(
        _ asked: ChallengeRequest, _ response: HTTPURLResponse, _ url: URL, _ source: ChallengeSource
    ) {
        let challenge = AdaptableSessionAuthenticationChallenge(
            protectionSpace: asked.space, proposedCredential: asked.proposed,
            previousFailureCount: asked.previousFailures,
            failureResponse: response, error: nil)
        callDelegate(
            ChallengeDecision.performDefaultHandling,
            { caller, decision in caller.callOptionalMethod(isSessionWide: asked.isSessionWide, challenge, decision) }
        ) { load, decision in
            load.act(load.core.authentication.didDecide(&load[source], decision, url: url), response, source)
        }
    }
}

extension DelegateCaller {
    /// Returns false when no delegate implements the method.
    func callOptionalMethod(
        isSessionWide: Bool, _ challenge: AdaptableSessionAuthenticationChallenge,
        _ decision: OneShotCompletion<ChallengeDecision>
    ) -> Bool {
        if isSessionWide,
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
