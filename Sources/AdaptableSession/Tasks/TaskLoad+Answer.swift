import Foundation
import FoundationNetworking
import NIOCore
import NIOHTTP1
import Synchronization

/// Received heads, body bytes and the end of an exchange.
extension TaskLoad: ExchangeReceiver {
    func exchange(informational head: HTTPResponseHead) {
        timers?.received(now: MonotonicTime.now())
        resumable?.informational(Int(head.status.code), HeaderFields(head.headers.map { ($0.name, $0.value) }))
        guard hasDelegateForRest, policies.tasks.deliversInformational, let response = made(head) else { return }
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
        fields = HeaderFields(head.headers.map { ($0.name, $0.value) })
        record.responseBegins(response)
        storeCookies()
        if response.statusCode == 401 {
            refused(response)
        } else if response.statusCode == 407, isForwarded {
            refusedByProxy(response)
        } else if withholdsBody {
            negotiatesWithBody = true
            drain { $0.attempt() }
        } else {
            acceptedByProxy()
            accepted()
            evaluate(response)
        }
    }

    /// Evaluates a response that is not a challenge, or a challenge that was not resolved.
    func evaluate(_ response: HTTPURLResponse) {
        removeOutdated(response)
        if repeats(response.statusCode) || continues(after: response) || confirms(response) { return }
        if response.statusCode >= 400, !policies.tasks.acceptsEveryStatus {
            return finish(
                URLError.made(
                    .badServerResponse, "The server answered with status \(response.statusCode).", request.url))
        }
        switch redirects.evaluate(status: response.statusCode, fields: fields, answering: request) {
        case .deliver: deliver(response)
        case .propose(let step): propose(step, response)
        case .fail(let code, let reason): finish(URLError.made(code, reason, request.url))
        }
    }

    /// Retries after a status that concerns the connection rather than the request (421, 425).
    private func repeats(_ status: Int) -> Bool {
        guard case .exchanging(let exchange) = phase else { return false }
        let decision = retry.decide(
            RequestFailure(
                .status(status), connectionWasReused: exchange.isReused, sentBytes: exchange.sentBytes,
                receivedBytes: exchange.receivedBytes))
        guard case .repeat(let onFreshConnection) = decision else { return false }
        newerThan = onFreshConnection ? core.connections.newest(atEndOf: exchange.connection) : nil
        drain { $0.attempt() }
        return true
    }

    /// Reads and discards a body, then continues. If the body is long, closes the connection instead.
    func drain(then next: @escaping (TaskLoad) -> Void) {
        let length = fields["Content-Length"].flatMap { Int($0) } ?? 0
        guard pump == nil, length <= policies.delivery.drained else {
            leaveExchange()
            return next(self)
        }
        sink = .drain(policies.delivery.drained)
        afterBody = { [unowned self] in next(self) }
        limitDraining()
        updateReading()
    }

    /// Limits the time for discarding a body: after it, the connection is closed.
    private func limitDraining() {
        drainAlarm?.cancel()
        drainAlarm = core.eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(policies.delivery.drainedFor)) {
            [weak self] in
            guard let self, afterBody != nil else { return }
            if isSuspended { return limitDraining() }
            leaveExchange()
            _ = drained()
        }
    }

    private func drained() -> Bool {
        guard let next = afterBody else { return false }
        afterBody = nil
        drainAlarm?.cancel()
        drainAlarm = nil
        next()
        return true
    }

    private func made(_ head: HTTPResponseHead) -> HTTPURLResponse? {
        guard let url = request.url else { return nil }
        let fields = HeaderFields(head.headers.map { ($0.name, $0.value) })
        return HTTPURLResponse(
            url: url, statusCode: Int(head.status.code),
            httpVersion: "HTTP/\(head.version.major).\(head.version.minor)",
            headerFields: fields.dictionary)
    }

    // MARK: Redirects

    private func propose(_ step: RedirectStep, _ response: HTTPURLResponse) {
        guard hasDelegateForRest, policies.tasks.reportsRedirects else { return follow(step, step.request) }
        let proposed = step.request
        callDelegate(
            proposed as URLRequest?,
            { caller, answer in
                caller.callTaskDelegate {
                    $0.urlSession(
                        caller.session, task: caller.task, willPerformHTTPRedirection: response, newRequest: proposed,
                        completionHandler: { answer($0) })
                }
            }
        ) { load, chosen in
            if let chosen { load.follow(step, chosen) } else { load.deliver(response) }
        }
    }

    private func follow(_ step: RedirectStep, _ next: URLRequest) {
        redirectCount += 1
        drain { $0.go(step, next) }
    }

    func go(_ step: RedirectStep, _ next: URLRequest) {
        withheldFields.formUnion(step.withheldFields)
        if next.changes(otherThan: step.request) {
            // The delegate's own request; the task's body belongs to the proposed request only.
            body = next.ownBody
        } else if !step.sendsBody {
            body = .none
        }
        resumable = nil
        request = next
        caching = TaskCaching()
        isLeftByClasses = false
        retry = RequestRetry(method: next.httpMethod ?? "GET", policy: policies.retry)
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
            sink = .collect(Data())
            if let stored { deliver(stored) } else { updateReading() }
            return
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
            sink = .data
            if let stored { deliver(stored) } else { updateReading() }
            return
        }
        callDelegate(AdaptableSession.ResponseDisposition.allow, notify) { load, disposition in
            switch disposition {
            case .allow:
                load.sink = .data
                if let stored { load.deliver(stored) } else { load.updateReading() }
            case .cancel:
                load.finish(URLError.made(.cancelled, "The delegate wants no body of this response.", load.request.url))
            case .becomeDownload:
                load.becomeDownload()
                if let stored { load.deliver(stored) }
            }
        }
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
        let facts = old.facts.withLock { $0 }
        let download = AdaptableSessionDownloadTask(
            session: session, identifier: session.nextIdentifier(), load: number, facts: facts)
        post { caller in
            caller.callDataDelegate { delegate, task in
                delegate.urlSession(caller.session, dataTask: task, didBecome: download)
            }
            old.facts.withLock { $0.state = .completed }
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
        receive(body)
    }

    func consume(_ data: Data) {
        if data.isEmpty { return }
        defer { updateProgress() }
        caching.gather(data)
        switch sink {
        case .none: break
        case .data:
            task.facts.withLock { $0.received += Int64(data.count) }
            // Before the callback, so that the delegate sees progress that includes these bytes (PROG-02).
            updateProgress()
            count(data.count) { caller in
                caller.callDataDelegate { delegate, task in
                    delegate.urlSession(caller.session, dataTask: task, didReceive: data)
                }
            }
            updateReading()
        case .collect(var collected):
            task.facts.withLock { $0.received += Int64(data.count) }
            // Avoids a copy on write: the enum case holds the only other reference.
            sink = .none
            collected.append(data)
            sink = .collect(collected)
        case .file: receiveForFile(data)
        case .drain(let left):
            sink = .drain(left - data.count)
            if left < data.count {
                leaveExchange()
                _ = drained()
            }
        }
    }

    /// Pauses or continues reading from the socket, which is read only while the received bytes are consumed.
    func updateReading() {
        if case .served(let run) = phase { run.isPaused = needsPause }
        // Every decoded piece calls this function inside the decoding loop; only the loop's caller knows whether the
        // decoder is empty.
        guard case .exchanging = phase, !isDecoding else { return }
        processDecoded()
        guard case .exchanging(let exchange) = phase else { return }
        // The handler delivers the end of the exchange as soon as it is not paused, and the end must follow the
        // decoder's last piece. `needsPause` alone is not enough: the delegate queue may empty the backlog at any
        // moment, and its request to continue arrives later.
        let isPaused = needsPause || decoder?.mayHoldOutput == true
        pauseWhileFull(hasBacklog)
        if exchange.handler.isPaused != isPaused { exchange.handler.isPaused = isPaused }
    }

    var needsPause: Bool {
        isSuspended || awaitsDecision || hasBacklog
    }

    private var hasBacklog: Bool {
        backlog.isFull || transfer?.file.map { $0.backlog > policies.delivery.backlog } ?? false
    }

    private func pauseWhileFull(_ isFull: Bool) {
        guard isFull != isPausedByBacklog else { return }
        isPausedByBacklog = isFull
        setHold(.delivering, isFull)
    }

    func exchangeEnded(trailers: HTTPHeaders?) {
        leaveExchange()
        if drained() { return }
        guard finishDecoding() else { return }
        bodyEnded()
    }

    func bodyEnded() {
        switch sink {
        case .none, .data, .collect, .drain: storeAndFinish()
        case .file: downloadEnded()
        }
    }

    func exchangeFailed(_ failure: TransportFailure) {
        guard case .exchanging(let exchange) = phase else { return }
        let decision = retry.decide(
            RequestFailure(
                failure.retryKind, connectionWasReused: exchange.isReused, sentBytes: exchange.sentBytes,
                receivedBytes: exchange.receivedBytes, responseHasBegun: exchange.responseHasBegun))
        leaveExchange()
        if drained() || resumesUpload(after: failure) { return }
        switch decision {
        case .fail: if !waitsAgain(after: failure) { finish(failure.urlError(request.url)) }
        case .repeat(let onFreshConnection):
            newerThan = onFreshConnection ? core.connections.newest(atEndOf: exchange.connection) : nil
            if case .needsHTTP1 = failure { usesHTTP1 = true }
            attempt()
        }
    }

    /// Ends this task's use of the exchange; its connection is reused or closed.
    func leaveExchange() {
        pump?.stop()
        pump = nil
        pauseWhileFull(false)
        record.end()
        switch phase {
        case .exchanging(let exchange):
            phase = .between
            core.connections.finish(exchange, keepAlive: KeepAliveField.time(fields))
        case .served(let run):
            phase = .between
            run.stop()
        case .created, .seeking, .parked, .between, .ended: break
        }
    }
}

extension URLRequest {
    fileprivate func changes(otherThan proposed: URLRequest) -> Bool {
        httpMethod != proposed.httpMethod || httpBody != proposed.httpBody || httpBodyStream !== proposed.httpBodyStream
    }
}

extension TransportFailure {
    var retryKind: RequestFailure.Kind {
        switch self {
        case .lost: .connectionLost
        case .streamRefused, .needsHTTP1: .streamRefused
        case .goneAway: .goneAway
        case .reset, .malformed, .tls, .handshakeLost, .hostNotFound, .nameServerSilent, .cannotConnect, .noNetwork,
            .timedOut, .proxy, .unusable:
            .final
        }
    }
}
