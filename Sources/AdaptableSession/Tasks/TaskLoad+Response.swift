import Foundation
import FoundationNetworking
import NIOCore
import NIOHTTP1
import Synchronization

/// Received heads, body bytes and the end of an exchange.
extension TaskLoad: ExchangeReceiver {
    func exchange(informational head: HTTPResponseHead) {
        timers?.received(now: MonotonicTime.now())
        current.resumable?.informational(Int(head.status.code), HeaderFields(head.headers))
        guard hasDelegateForRest, let response = made(head) else { return }
        let size = head.headers.reduce(64) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        count(size) { caller in
            caller.callTaskDelegate {
                $0.urlSession(caller.session, task: caller.task, didReceiveInformationalResponse: response)
            }
        }
        updateReading()
    }

    /// Posts a callback whose content counts towards the backlog until the callback has returned.
    private func count(_ size: Int, _ callback: @escaping @Sendable (DelegateCaller) -> Void) {
        backlog.add(size)
        let (backlog, continues) = (backlog, policies.delivery.continuesAfterBlock)
        let number = number
        post { caller in
            callback(caller)
            if backlog.remove(size), continues { caller.session.perform(number) { $0.updateReading() } }
        }
    }

    func exchange(head: HTTPResponseHead) {
        timers?.received(now: MonotonicTime.now())
        guard let response = made(head) else { return }
        // The decoder of an earlier response of the same task does not apply to this one.
        decoder = nil
        fields = HeaderFields(head.headers)
        record.responseBegins(response)
        if let exchange = machine.exchange { record.receivedHead(exchange.response.receivedHeadBytes) }
        storeCookies()
        switch machine.dispose(status: response.statusCode, isForwarded: isForwarded) {
        case .challenge(let source): refused(response, fields, by: source)
        case .repeatWithBody: discardBody(then: .attempt)
        case .evaluate:
            accepted()
            evaluate(response)
        }
    }

    /// Continues after a response that is not a challenge, or a challenge that was not resolved.
    func evaluate(_ response: HTTPURLResponse) {
        removeOutdated(response)
        let status = response.statusCode
        let exchange = machine.exchange
        switch current.evaluate(
            status: status, fields: fields, exchange: exchange?.failure(.status(status)), now: Date())
        {
        case .deliver: deliver(response)
        case .repeat(let onFreshConnection):
            newerThan = onFreshConnection ? exchange.map { core.connections.newest(atEndOf: $0.connection) } : nil
            discardBody(then: .attempt)
        case .propose(let step): propose(step, response)
        case .continueUpload: discardBody(then: .continueUpload)
        case .serve(let renewed):
            if let cache { store(renewed, cache) }
            discardBody(then: .serveStored)
        case .fail(let code, let reason): finish(code, reason)
        }
    }

    /// Reads and discards a body, then continues. If the body is long or the request is still being sent, closes the
    /// connection instead.
    func discardBody(then next: Continuation) {
        let limit = 64 * 1024
        // A 304 and a response to HEAD announce the length of a body that they do not have (RFC 9110 §8.6).
        let length = next == .serveStored || request.httpMethod == "HEAD" ? nil : fields["Content-Length"]
        let isShort = pump == nil && (length.flatMap { Int($0) } ?? 0) <= limit
        handle(.discarded(limit: isShort ? limit : nil, then: next))
    }

    /// Limits the time for discarding a body: after it, the connection is closed.
    func limitDiscarding() {
        discardAlarm?.cancel()
        discardAlarm = core.eventLoop.assumeIsolated().scheduleTask(in: .seconds(1)) {
            [weak self] in self?.handle(.discardingTimedOut)
        }
    }

    private func made(_ head: HTTPResponseHead) -> HTTPURLResponse? {
        guard let url = request.url else { return nil }
        let fields = HeaderFields(head.headers)
        return HTTPURLResponse(
            url: url, statusCode: Int(head.status.code),
            httpVersion: "HTTP/\(head.version.major).\(head.version.minor)",
            headerFields: fields.dictionary)
    }

    // MARK: Redirects

    func propose(_ step: RedirectStep, _ response: URLResponse) {
        guard let http = response as? HTTPURLResponse, hasDelegateForRest, policies.tasks.reportsRedirects else {
            return follow(step, step.request)
        }
        callDelegate(
            step.request as URLRequest?,
            { caller, answer in
                caller.callTaskDelegate {
                    $0.urlSession(
                        caller.session, task: caller.task, willPerformHTTPRedirection: http, newRequest: step.request,
                        completionHandler: { answer($0) })
                }
            }
        ) { load, chosen in
            if let chosen { return load.follow(step, chosen) }
            // A protocol class has ended with its redirect.
            if load.machine.exchange == nil { load.deliver(http, Data()) } else { load.deliver(http) }
        }
    }

    private func follow(_ step: RedirectStep, _ next: URLRequest) {
        current.redirectCount += 1
        discardBody(then: .follow(step, next))
    }

    func go(_ step: RedirectStep, _ next: URLRequest) {
        current.follow(step, next)
        attempt()
    }

    // MARK: The final response

    /// Delivers the final response, with a stored body or with the body from the network.
    func deliver(_ raw: HTTPURLResponse, stored: Data? = nil) {
        let response = stored == nil ? decode(raw) : raw
        if stored == nil { prepareStoring(response) }
        forward(response, stored: stored)
    }

    /// Delivers a response from any source: network, cache or protocol class.
    func forward(_ response: URLResponse, stored: Data? = nil) {
        self.response = response
        let expected = stored.map { Int64($0.count) } ?? expectedLength(response)
        task.facts.withLock { facts in
            if policies.tasks.showsResponse { facts.response = response }
            facts.received = 0
            facts.expectedToReceive = expected
        }
        if isDownload { return download(response, fields) }
        guard ending.isDelegate else {
            return receiveBody(.handler, stored)
        }
        let notify: @Sendable (DelegateCaller, OneShotCompletion<AdaptableSession.ResponseDisposition>) -> Bool = {
            caller, answer in
            caller.callDataDelegate { delegate, task in
                delegate.urlSession(
                    caller.session, dataTask: task, didReceive: response, completionHandler: { answer($0) })
            }
        }
        guard policies.tasks.waitsForDisposition else {
            post { caller in _ = notify(caller, OneShotCompletion { _ in }) }
            return receiveBody(.delegate, stored)
        }
        callDelegate(AdaptableSession.ResponseDisposition.allow, notify) { load, disposition in
            switch disposition {
            case .allow: load.receiveBody(.delegate, stored)
            case .cancel:
                load.finish(.cancelled, "The delegate cancelled the task at its response.")
            case .becomeDownload:
                load.becomeDownload()
                if let stored { load.handle(.receivedStored(stored)) }
            }
        }
    }

    /// Passes the body to its destination: a stored body, or the one from the network or a protocol class.
    private func receiveBody(_ destination: Destination, _ stored: Data?) {
        collected = Data()
        handle(.accepted(destination))
        if let stored { handle(.receivedStored(stored)) }
    }

    private func expectedLength(_ response: URLResponse) -> Int64 {
        if decoder != nil { return AdaptableSession.transferSizeUnknown }
        if let status = (response as? HTTPURLResponse)?.statusCode,
            request.httpMethod == "HEAD" || status == 204 || status == 304
        {
            return 0
        }
        let unknown = policies.tasks.admitsUnknownLength ? AdaptableSession.transferSizeUnknown : 0
        return response.expectedContentLength < 0 ? unknown : response.expectedContentLength
    }

    private func becomeDownload() {
        guard let old = task as? AdaptableSessionDataTask else { return }
        let identifier = session.nextIdentifier()
        let download = old.facts.withLock { facts in
            let download = AdaptableSessionDownloadTask(
                session: session, identifier: identifier, load: number, facts: facts)
            facts.successor = download
            return download
        }
        post { caller in
            caller.callDataDelegate { delegate, task in
                delegate.urlSession(caller.session, dataTask: task, didBecome: download)
            }
            old.facts.withLock { facts in
                facts.state = .completed
                facts.successor = nil
            }
            old.delegate = nil
        }
        become(download)
        guard let response else { return }
        self.download(response, fields)
    }

    // MARK: Bytes

    func exchange(body: ByteBuffer) {
        timers?.received(now: MonotonicTime.now())
        record.received(body.readableBytes)
        if machine.isDiscarding { handle(.receivedUnwanted(body.readableBytes)) } else { receive(body) }
    }

    func consume(_ data: Data) {
        if data.isEmpty { return }
        defer { updateProgress() }
        record.decoded(data.count)
        current.caching.gather(data)
        switch machine.destination {
        case .none: break
        case .delegate:
            task.facts.withLock { $0.received += Int64(data.count) }
            // Before the callback, so that the delegate sees progress that includes these bytes (PROG-02).
            updateProgress()
            count(data.count) { caller in
                caller.callDataDelegate { delegate, task in
                    delegate.urlSession(caller.session, dataTask: task, didReceive: data)
                }
            }
        case .handler:
            task.facts.withLock { $0.received += Int64(data.count) }
            collected.append(data)
        case .file: receiveForFile(data)
        }
    }

    /// Pauses or continues reading from the socket, which is read only while the received bytes are consumed.
    func updateReading() {
        if machine.exchange != nil { processDecoded() }
        // `needsPause` alone is not enough: the delegate queue may empty the backlog at any moment, and its request to
        // continue arrives later.
        handle(.consumer(isFull: hasBacklog, holdsOutput: decoder?.mayHoldOutput == true))
    }

    var needsPause: Bool { machine.isHeld || hasBacklog }

    private var hasBacklog: Bool {
        backlog.isFull || transfer?.file.map { $0.backlog > policies.delivery.backlog } ?? false
    }

    func exchangeEnded(trailers: HTTPHeaders?) { handle(.exchangeEnded) }

    func bodyEnded() {
        switch machine.destination {
        case .none, .delegate, .handler: storeAndFinish()
        case .file: downloadEnded()
        }
    }

    func exchangeFailed(_ failure: TransportFailure) {
        guard let exchange = machine.exchange else { return }
        let decision = current.evaluate(exchange.failure(failure.retryKind))
        lastFailure = failure
        refuser = exchange.connection
        handle(.exchangeFailed(decision))
    }

    /// Handles the failure of an exchange whose response is needed.
    func recover(_ decision: RetryDecision) {
        guard let failure = lastFailure, !resumesUpload(after: failure) else { return }
        if decision == .fail, waitsAgain(after: failure) { return }
        retry(after: failure, decision)
    }

    /// Fails the task or repeats its request.
    func retry(after failure: TransportFailure, _ decision: RetryDecision) {
        switch decision {
        case .fail: finish(failure.urlError(request.url))
        case .repeat(let onFreshConnection):
            newerThan = onFreshConnection ? refuser.map { core.connections.newest(atEndOf: $0) } : nil
            if case .needsHTTP1 = failure { usesHTTP1 = true }
            attempt()
        }
    }

    /// Ends this task's use of the exchange; its connection is reused or closed.
    func leaveExchange() { handle(.left) }
}

extension TransportFailure {
    var retryKind: RequestFailure.Kind {
        switch self {
        case .lost: .connectionLost
        case .streamRefused, .needsHTTP1: .streamRefused
        case .goneAway(let served): .goneAway(served: served)
        case .unanswered: .unanswered
        case .reset, .malformed, .tls, .handshakeLost, .hostNotFound, .nameServerSilent, .cannotConnect, .noNetwork,
            .timedOut, .proxy, .unusable:
            .final
        }
    }
}
