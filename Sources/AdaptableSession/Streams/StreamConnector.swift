import Foundation
import FoundationNetworking
import NIOCore

/// Opens the connection of a stream task: directly, or through a tunnel of the session's proxy (PRXY-01), which may
/// require credentials (PRXY-04, AUTH-07). Lives on the session's event loop.
final class StreamConnector {
    private let host: String
    private let port: Int
    private let forbids: PathTraits
    private unowned let core: SessionCore
    private let line: SerialCallbackQueue
    private let caller: DelegateCaller
    private var done: ((Result<any Channel, URLError>) -> Void)?
    private var dialer: Dialer?
    private var channel: (any Channel)?
    private let proxy: ProxyServer?
    private var authentication: RequestAuthentication
    /// The URL for credential lookups; a stream task has only a host and a port.
    private let url: URL

    init(
        host: String, port: Int, forbids: PathTraits, core: SessionCore, line: SerialCallbackQueue,
        caller: DelegateCaller,
        done: @escaping (Result<any Channel, URLError>) -> Void
    ) {
        self.host = host
        self.port = port
        self.forbids = forbids
        self.core = core
        self.line = line
        self.caller = caller
        self.done = done
        proxy = Self.proxy(to: host, core.settings)
        let side = proxy.map {
            AuthenticationSide.proxy(
                host: $0.host, port: $0.port,
                type: $0.kind == .socks5 ? NSURLProtectionSpaceSOCKSProxy : NSURLProtectionSpaceHTTPSProxy)
        }
        authentication = RequestAuthentication(side: side ?? .server)
        url = URL(string: "https://\(host.contains(":") ? "[\(host)]" : host):\(port)/") ?? URL(fileURLWithPath: "/")
    }

    /// Returns the proxy for a stream. Arbitrary bytes require a tunnel: through the proxy for https, else through the
    /// one for http, which supports CONNECT too.
    private static func proxy(to host: String, _ settings: SessionSettings) -> ProxyServer? {
        for isSecure in [true, false] {
            let route = ProxyConfiguration.route(
                host: host, isSecure: isSecure, own: settings.proxies, system: settings.systemProxies,
                policy: settings.policies.proxies)
            if let server = route.server { return server }
        }
        return nil
    }

    func start() {
        if let proxy, !proxy.hasUsablePort {
            return finish(.failure(TransportFailure.unusable(FailureReason(proxy.portFault)).urlError(nil)))
        }
        let dialer = core.connections.connector.dialer(
            proxy?.host ?? host, port: proxy?.port ?? port, forbidding: forbids
        ) { [weak self] result in
            guard let self else { return }
            self.dialer = nil
            switch result {
            case .success(let connected): transported(connected.channel)
            case .failure(let failure): finish(.failure(TransportFailure(failure).urlError(nil)))
            }
        }
        self.dialer = dialer
        dialer.start()
    }

    func cancel() {
        done = nil
        dialer?.cancel()
        dialer = nil
        channel?.close(promise: nil)
        channel = nil
    }

    private func transported(_ channel: any Channel) {
        guard done != nil else { return channel.close(promise: nil) }
        SocketSettings.apply(to: channel)
        guard let proxy else { return finish(.success(channel)) }
        self.channel = channel
        TunnelOpening(
            proxy: proxy, host: host, port: port, fields: fields(for: proxy),
            contexts: core.connections.connector.contexts
        )
        .open(on: channel) { [weak self] result in
            guard let self else { return }
            self.channel = nil
            switch result {
            case .success:
                accepted()
                finish(.success(channel))
            case .failure(let error):
                channel.close(promise: nil)
                refused(TransportFailure(onConnection: error))
            }
        }
    }

    private func finish(_ result: Result<any Channel, URLError>) {
        let notify = done
        done = nil
        notify?(result)
    }

    // MARK: The proxy's challenge

    private func fields(for proxy: ProxyServer) -> HeaderFields {
        guard proxy.kind != .socks5 else { return HeaderFields() }
        var fields: HeaderFields = ["User-Agent": RequestHead.userAgent]
        let asked = AuthenticatedRequest(
            url: url, method: "CONNECT", target: TunnelRequest(host: host, port: port).target)
        if let field = core.authentication.field(&authentication, asked, connection: 0, now: Date()) {
            fields[field.name] = field.value
        } else if let user = proxy.user,
            let text = BasicCredentials.text(user: user, password: proxy.password ?? "")
        {
            fields["Proxy-Authorization"] = "Basic \(text)"
        }
        return fields
    }

    private func accepted() {
        let acceptance = core.authentication.accepted(&authentication, fields: HeaderFields(), url: url, connection: 0)
        if let storing = acceptance.store {
            core.settings.credentialStorage?.setDefaultCredential(
                storing.credential, for: storing.space, task: caller.task)
        }
    }

    private func refused(_ failure: TransportFailure) {
        guard done != nil else { return }
        guard case .proxy(.refused(407, let fields)) = failure,
            let response = HTTPURLResponse(
                url: url, statusCode: 407, httpVersion: "HTTP/1.1", headerFields: fields.dictionary)
        else { return finish(.failure(failure.urlError(nil))) }
        act(core.authentication.refused(&authentication, fields: fields, url: url, connection: 0), response)
    }

    private func act(_ action: AuthenticationAction, _ response: HTTPURLResponse) {
        switch action {
        case .deliver:
            finish(
                .failure(
                    URLError.made(
                        .userAuthenticationRequired, "The proxy requires credentials before it opens a tunnel.", nil)))
        case .lookUp(let space):
            guard let storage = core.settings.credentialStorage else { return stored(nil, response) }
            let way = NIOLoopBound(self, eventLoop: core.eventLoop)
            let decision = OneShotCompletion<URLCredential?> { [loop = core.eventLoop] credential in
                loop.execute { way.value.stored(credential, response) }
            }
            storage.getDefaultCredential(for: space, task: caller.task) { decision($0) }
        case .callDelegate(let question): requestDecision(question, response)
        case .send: start()
        case .cancel: finish(.failure(URLError.made(.cancelled, "The challenge was cancelled.", nil)))
        }
    }

    private func stored(_ credential: URLCredential?, _ response: HTTPURLResponse) {
        guard done != nil else { return }
        act(core.authentication.stored(&authentication, credential, url: url), response)
    }

    private func requestDecision(_ question: ChallengeRequest, _ response: HTTPURLResponse) {
        let challenge = AdaptableSessionAuthenticationChallenge(
            protectionSpace: question.space, proposedCredential: question.proposed,
            previousFailureCount: question.previousFailures,
            failureResponse: response, error: nil)
        let way = NIOLoopBound(self, eventLoop: core.eventLoop)
        let decision = OneShotCompletion<ChallengeDecision> { [loop = core.eventLoop] decision in
            loop.execute { way.value.didDecide(decision, response) }
        }
        line.post { [caller] in
            if !caller.callOptionalMethod(isSessionWide: question.isSessionWide, challenge, decision) {
                decision(.performDefaultHandling)
            }
        }
    }

    private func didDecide(_ decision: ChallengeDecision, _ response: HTTPURLResponse) {
        guard done != nil else { return }
        act(core.authentication.didDecide(&authentication, decision, url: url), response)
    }
}
