import Foundation
import FoundationNetworking
import HTTPFields
import NIOCore
import Synchronization

/// Loads of protocol classes: a protocol object takes the place of a connection and an exchange.
extension TaskLoad {
    private struct Choice: Sendable {
        var type: AdaptableURLProtocol.Type
        var request: URLRequest
    }

    // MARK: Choosing the class

    /// The classes in the order in which they are queried: the session's own, then those registered for the process
    /// (PROT-06).
    private var classes: [AdaptableURLProtocol.Type] {
        // The requests that resume an upload are internal to the session and its server.
        if case .resumedUpload = kind { return [] }
        let policy = policies.protocols
        let own = policy.queriesOwnClasses ? core.settings.protocolClasses ?? [] : []
        let all = own + (policy.queriesRegisteredClasses ? RegisteredProtocols.all : [])
        if all.isEmpty { return all }
        let origin = request.url.flatMap { WebOrigin($0) }
        if origin == nil, !policy.servesNewSchemes { return [] }
        if let origin,
            !policy.comesBeforeBuiltIn || origin.isSecure && policies.http2.isOffered && !policy.queriesDespiteHTTP2
        {
            return []
        }
        return all
    }

    /// Continues with `builtIn` when no class takes the request.
    func queryProtocolClasses(then builtIn: @escaping @Sendable (TaskLoad) -> Void) {
        let classes = current.isLeftByClasses ? [] : classes
        if classes.isEmpty { return builtIn(self) }
        let offered = offeredRequest
        task.facts.withLock { $0.currentRequest = offered }
        let task = task
        let decision = awaitDecision(of: .store) { (load, choice: Choice?) in
            guard load.machine.isBetween else { return }
            if let choice { return load.lookUpForClass(choice) }
            load.current.isLeftByClasses = true
            load.task.facts.withLock { $0.currentRequest = load.request }
            builtIn(load)
        }
        protocolLine.post {
            guard let type = classes.first(where: { $0.canInit(with: task) }) else { return decision(nil) }
            decision(Choice(type: type, request: type.canonicalRequest(for: offered)))
        }
    }

    /// The request for protocol classes, with the session's fields (CONF-08) and those that resume a download;
    /// connection-related HTTP fields are left to the class.
    private var offeredRequest: URLRequest {
        var offered = request
        let fields = applicationFields()
        for name in (offered.allHTTPHeaderFields ?? [:]).keys where !fields.has(name) {
            offered.setValue(nil, forHTTPHeaderField: name)
        }
        for field in fields.fields { offered.setValue(field.value, forHTTPHeaderField: field.name) }
        switch body {
        case .memory(let data): offered.httpBody = data
        case .none: offered.httpBody = nil
        case .file, .filePart, .stream: break
        }
        return offered
    }

    // MARK: The input of the class

    private func lookUpForClass(_ choice: Choice) {
        let cachePolicy = CacheEvaluator.effective(request, session: core.settings.requestCachePolicy)
        let isIgnored =
            cachePolicy == .reloadIgnoringLocalCacheData || cachePolicy == .reloadIgnoringLocalAndRemoteCacheData
        guard !isIgnored, let cache, let task = task as? AdaptableSessionDataTask else {
            return prepareBody(choice, nil)
        }
        look({ decision in cache.getCachedResponse(for: task) { decision($0) } }) { $0.prepareBody(choice, $1) }
    }

    private func prepareBody(_ choice: Choice, _ cached: AdaptableCachedURLResponse?) {
        guard machine.isBetween else { return }
        var given = choice.request
        switch body {
        case .none, .memory: serve(choice.type, given, cached: cached)
        case .file(let url):
            guard let stream = InputStream(url: url) else {
                return finish(.fileDoesNotExist, "The file to upload, \(url.path), cannot be read.")
            }
            given.httpBodyStream = stream
            serve(choice.type, given, cached: cached)
        case .filePart:
            finish(.unsupportedURL, "A protocol class cannot receive part of a file as its body.")
        case .stream:
            let taken = choice.request
            callDelegate(
                nil as URLRequest?,
                { caller, decision in
                    caller.callTaskDelegate {
                        $0.urlSession(caller.session, task: caller.task) { stream in
                            var given = taken
                            given.httpBodyStream = stream
                            decision(stream == nil ? nil : given)
                        }
                    }
                }
            ) { load, given in
                guard let given else {
                    return load.finish(
                        .requestBodyStreamExhausted, "The delegate did not supply a stream for the body.")
                }
                load.serve(choice.type, given, cached: cached)
            }
        }
    }

    // MARK: The load

    /// Starts the load of a class. `given` is the request that the class loads.
    func serve(_ type: AdaptableURLProtocol.Type, _ given: URLRequest, cached: AdaptableCachedURLResponse?) {
        if !policies.protocols.needsNoPath, let obstacle = core.obstacle(to: given.url?.host ?? "", forbidding: forbids)
        {
            return cannotStart(.path(obstacle))
        }
        record.begin(given)
        decoder = nil
        current.caching = TaskCaching()
        recordSent(HeaderFields(dictionary: given.allHTTPHeaderFields ?? [:]))
        task.facts.withLock { $0.currentRequest = given }
        let (task, session, number) = (task, session, number)
        let client = ProtocolClient(limit: policies.delivery.backlog) { client, message in
            session.perform(number) { $0.receive(message, of: client) }
        }
        let passesTask = policies.protocols.passesTask
        let run = ProtocolRun(
            client: client, line: protocolLine,
            make: { client in
                passesTask
                    ? type.init(task: task, cachedResponse: cached, client: client)
                    : type.init(request: given, cachedResponse: cached, client: client)
            },
            receive: { [unowned self] in receive($0) })
        handle(.served(run))
    }

    private func receive(_ message: ProtocolMessage, of client: ProtocolClient) {
        guard let run = machine.run, run.client === client else { return }
        timers?.received(now: MonotonicTime.now())
        // A cancellation must not wait behind events that wait for the cancelled decision.
        if case .challengeCancelled = message { unchallenged(run) } else { run.handle(message) }
    }

    private func receive(_ message: ProtocolMessage) {
        guard let run = machine.run else { return }
        switch message {
        case .response(let response, let policy): didDecide(response, policy, run)
        case .data(let data): loaded(data, run)
        case .redirected(let next, let response): redirected(next, response)
        case .cachedIsValid(let cached):
            leaveExchange()
            record.cached(cached.response)
            deliver(cached.response, cached.data)
        case .challenge(let challenge): self.challenged(challenge, run)
        case .challengeCancelled: break
        case .finished:
            leaveExchange()
            bodyEnded()
        case .failed(let error):
            leaveExchange()
            fail(with: error)
        }
    }

    private func didDecide(_ response: URLResponse, _ policy: URLCache.StoragePolicy, _ run: ProtocolRun) {
        guard !run.hasDecided else { return }
        run.hasDecided = true
        record.responseBegins(response)
        fields = HeaderFields(of: response)
        if policy != .notAllowed, let http = response as? HTTPURLResponse {
            prepareStoring(http)
            current.caching.staysInMemory = policy == .allowedInMemoryOnly
        }
        forward(response)
    }

    private func loaded(_ data: Data, _ run: ProtocolRun) {
        guard run.hasDecided else {
            return finish(.badServerResponse, "A protocol class reported data before a response.")
        }
        record.received(data.count)
        if policies.protocols.deliversWholeBody { consume(data) }
        updateReading()
    }

    /// Delivers a complete response.
    func deliver(_ response: URLResponse, _ data: Data) {
        fields = HeaderFields(of: response)
        forward(response, stored: data)
        if machine.destination == .file, isDownload { handle(.receivedStored(data)) }
    }

    // MARK: Redirects

    private func redirected(_ next: URLRequest, _ response: URLResponse) {
        leaveExchange()
        record.responseBegins(response)
        switch current.evaluate(redirectTo: next) {
        case .deliver, .repeat, .continueUpload, .serve: deliver(response, Data())
        case .fail(let code, let reason): finish(code, reason)
        case .propose(let step): propose(step, response)
        }
    }

    // MARK: Challenges

    /// Returns true for challenges about a connection, which the session's delegate receives first (AUTH-01).
    private func isSessionWide(_ method: String) -> Bool {
        let ofConnections = [
            AdaptableSessionAuthenticationChallenge.serverTrustMethod,
            AdaptableSessionAuthenticationChallenge.clientCertificateMethod,
        ]
        return ofConnections.contains(method) || policies.authentication.sessionWide.contains { $0.method == method }
    }

    private func challenged(_ challenge: AdaptableSessionAuthenticationChallenge, _ run: ProtocolRun) {
        run.isChallenging = true
        let line = protocolLine
        let isSessionWide = isSessionWide(challenge.protectionSpace.authenticationMethod)
        callDelegate(
            ChallengeDecision.performDefaultHandling,
            { caller, decision in caller.callOptionalMethod(isSessionWide: isSessionWide, challenge, decision) }
        ) { load, decision in
            load.machine.run?.isChallenging = false
            line.post { challenge.notifySender(decision) }
        }
    }

    private func unchallenged(_ run: ProtocolRun) {
        guard run.isChallenging else { return run.dropChallenge() }
        run.isChallenging = false
        handle(.decided)
        updateReading()
    }
}

extension AdaptableSessionAuthenticationChallenge {
    fileprivate func notifySender(_ decision: ChallengeDecision) {
        switch decision {
        case .use(let credential?): sender?.use(credential, for: self)
        case .use(nil): sender?.continueWithoutCredential(for: self)
        case .performDefaultHandling: sender?.performDefaultHandling(for: self)
        case .cancel: sender?.cancel(self)
        case .rejectProtectionSpace: sender?.rejectProtectionSpaceAndContinue(with: self)
        }
    }
}

extension HeaderFields {
    fileprivate init(of response: URLResponse) {
        let fields = (response as? HTTPURLResponse)?.allHeaderFields ?? [:]
        self.init(dictionary: Dictionary(fields.map { ("\($0.key)", "\($0.value)") }) { first, _ in first })
    }
}

/// The protocol classes for the schemes besides http and https that a session supports itself (PROT-08): `file` and
/// `data`.
enum BuiltInProtocols {
    /// Returns the class for a request; nil for uploads, which these schemes cannot receive.
    static func type(for request: URLRequest, _ kind: TaskKind, _ policy: ProtocolPolicy) -> AdaptableURLProtocol.Type?
    {
        switch kind {
        case .data, .download: break
        case .upload, .resumedDownload, .resumedUpload: return nil
        }
        if policy.loadsFiles, FileProtocol.canInit(with: request) { return FileProtocol.self }
        if policy.loadsDataURLs, DataProtocol.canInit(with: request) { return DataProtocol.self }
        return nil
    }
}

/// The rules for choosing protocol classes and delivering what they load.
package struct ProtocolPolicy: Hashable, Sendable {
    /// Query the classes of the session's configuration (PROT-01).
    package var queriesOwnClasses = true
    /// Keep the configuration's classes private to the session (PROT-02).
    package var areBoundToSession = true
    /// Query the classes registered for the process after them (PROT-06).
    package var queriesRegisteredClasses = true
    /// Query classes for every scheme (PROT-03); false: only for http and https.
    package var servesNewSchemes = true
    /// Query classes before the session handles a request itself (PROT-04).
    package var comesBeforeBuiltIn = true
    /// Start loads of protocol classes without a network path (PROT-04).
    package var needsNoPath = true
    /// Query classes also for servers that might use HTTP/2 (PROT-07).
    package var queriesDespiteHTTP2 = true
    /// Pass the task to the protocol object (STOR-06).
    package var passesTask = true
    /// Deliver every body chunk that a class sends (PROT-05).
    package var deliversWholeBody = true
    /// Load `file:` URLs (PROT-08).
    package var loadsFiles = true
    package var loadsDataURLs = true
}
