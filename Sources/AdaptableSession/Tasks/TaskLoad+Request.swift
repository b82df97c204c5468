import Foundation
import FoundationNetworking
import HTTPFields
import NIOCore
import Synchronization

/// Sent requests: the connection, the head and the body.
extension TaskLoad {
    /// Sends or repeats the current request, through a protocol class that takes it or by the session itself.
    func attempt() { handle(.attempted) }

    func attemptBuiltIn() {
        if let builtIn = BuiltInProtocols.type(for: request, kind, policies.protocols) {
            return serve(builtIn, request, cached: nil)
        }
        guard let url = request.url, let origin = WebOrigin(url) else {
            let scheme = request.url?.scheme?.lowercased()
            let isWeb = scheme == "http" || scheme == "https"
            return finish(
                isWeb || scheme == nil ? .badURL : .unsupportedURL,
                "'\(request.url?.absoluteString ?? "")' cannot be loaded: use http or https, with a host and a port up to 65535, or a protocol class for the scheme."
            )
        }
        if let fault = RequestHead.fault(method: request.httpMethod ?? "GET", fields: callersFields()) {
            return finish(TransportFailure.unusable(FailureReason(fault)).urlError(url))
        }
        if policies.stores.showsCurrentRequest { task.facts.withLock { $0.currentRequest = request } }
        record.begin(request)
        chooseRoute(origin)
        if let server = route.server, !server.hasUsablePort {
            return finish(TransportFailure.unusable(FailureReason(server.portFault)).urlError(url))
        }
        lookUpCache { load in
            load.core.begin(
                load,
                ConnectivityWaitQueue.PendingTask(
                    task: load.number, host: load.route.server?.host ?? origin.host,
                    waits: load.core.settings.waitsForConnectivity, forbids: load.forbids))
        }
    }

    /// Requests a connection once a network path exists.
    func seek() {
        guard machine.isBetween else { return }
        setHold(.waiting, false)
        lookUpCookies { load in
            guard load.machine.isBetween, let url = load.request.url, let origin = WebOrigin(url) else { return }
            load.obtain(origin)
        }
    }

    private func obtain(_ origin: WebOrigin) {
        var demand = ConnectionDemand(
            key: route.key(
                host: origin.host, port: origin.port, isSecure: origin.isSecure, partition: usesHTTP1 ? "http/1.1" : ""),
            host: isForwarded ? route.server?.host ?? origin.host : origin.host, owner: number, priority: task.priority,
            newerThan: newerThan, forbids: forbids, route: route, tunnelFields: tunnelFields(origin),
            deliver: { [weak self] result in self?.connected(result) ?? false })
        demand.isHTTP1Only = usesHTTP1
        demand.mayPipeline = mayPipeline
        if origin.isSecure { demand.questions = handshakeQuestions }
        demand.refusedBy = { [weak self] in self?.refuser = $0 }
        lastFailure = nil
        refuser = nil
        handle(.requestedConnection)
        handle(.queued(core.connections.obtain(demand)))
    }

    /// True if the request may be sent before earlier responses on its connection have arrived. It must be safe and have
    /// no body; a request that was lost with a connection is not pipelined immediately again (RFC 9112 §9.3.2).
    private var mayPipeline: Bool {
        // URLRequest's default is true on Linux, so it can only exclude a request.
        (core.settings.usesPipelining && request.allowsPipelining || !policies.pool.pipelinesOnRequest)
            && newerThan == nil && !isForwarded
            && ["GET", "HEAD", "OPTIONS"].contains(request.httpMethod ?? "GET") && !body.isThere
            && !authentication.isNegotiating
    }

    /// The interfaces that the request or the session forbids (CONF-12, CONF-13), or the task for the present.
    var forbids: PathTraits {
        if task.avoidsCostlyPaths { return [.cellular, .expensive, .constrained] }
        var traits: PathTraits = []
        if !core.settings.allowsCellularAccess || !request.allowsCellularAccess { traits.insert(.cellular) }
        if !core.settings.allowsExpensiveNetworkAccess { traits.insert(.expensive) }
        if !core.settings.allowsConstrainedNetworkAccess { traits.insert(.constrained) }
        return traits
    }

    /// Takes a connection or its failure. Returns false when the task has ended or is suspended and does not use the
    /// connection.
    private func connected(_ result: Result<Exchange, TransportFailure>) -> Bool {
        if isEnded { return false }
        setHold(.handshake, false)
        switch result {
        case .success(let exchange):
            core.connected(self)
            handle(.connected(exchange))
            if case .parked = machine.phase { return false }
        case .failure(let failure):
            handle(.connectionFailed)
            lastFailure = failure
            if case .proxy(.refused(407, let fields)) = failure { return tunnelRefused(fields) }
            if let cause = failure.waitingCause {
                core.attemptFailed(self, cause)
            } else {
                // The connection refused the exchange before any byte of it was sent.
                retry(
                    after: failure,
                    current.evaluate(
                        RequestFailure(
                            kind: failure.retryKind, connectionWasReused: true, sentBytes: 0, receivedBytes: 0)))
            }
        }
        return true
    }

    func send(on exchange: Exchange) {
        guard let url = request.url else { return }
        newerThan = nil
        let length = BodyLength.length(of: body, request)
        if case .file(let file) = body, length == nil {
            return finish(.fileDoesNotExist, "The file to upload, \(file.path), cannot be read.")
        }
        let takesBody =
            policies.tasks.sendsBodyWithEveryMethod || !["GET", "HEAD"].contains(request.httpMethod ?? "GET")
        var hasBody = body.isThere && takesBody
        task.facts.withLock { facts in
            if policies.stores.showsCurrentRequest { facts.currentRequest = request }
            facts.sent = current.resumable?.start ?? 0
            facts.expectedToSend = current.resumable?.length ?? length ?? AdaptableSession.transferSizeUnknown
        }
        exchange.response.begin(self)
        // A connection that failed in the meantime has reported the failure already.
        guard machine.exchange != nil else { return }
        record.requestBegins(exchange)
        var fields = outgoingFields(url)
        authenticate(&fields, url, exchange)
        authenticateForward(&fields, url, exchange)
        let isNegotiating = authentication.isNegotiating || isForwarded && proxyAuthentication.isNegotiating
        handle(.began(hasBody: hasBody, isNegotiating: isNegotiating))
        if machine.bodyUse == .withheld { hasBody = false }
        recordSent(fields)
        if exchange.stream != nil, let priority = StreamPriority.field(task.priority, policy: policies.http2),
            !fields.has("Priority")
        {
            fields["Priority"] = priority
        }
        // A field that the application's cookie storage added.
        if let fault = RequestHead.fault(method: request.httpMethod ?? "GET", fields: fields) {
            return finish(TransportFailure.unusable(FailureReason(fault)).urlError(url))
        }
        exchange.handler.send(
            RequestHead.make(
                request, url: url, fields: fields, bodyLength: length, hasBody: hasBody, isAbsolute: isForwarded))
        record.sentHead(exchange.response.sentBytes)
        // Without a body the end goes into the same frame of HTTP/2.
        guard hasBody else { return endRequest(exchange) }
        exchange.handler.flush()
        // The write may have failed.
        guard machine.exchange != nil else { return }
        sendBody(exchange, length)
    }

    /// Returns the header fields of the request and of the session.
    func callersFields() -> HeaderFields { current.fields(adding: core.settings.additionalHeaders) }

    /// Returns those fields, with the ones that resume a download.
    func applicationFields() -> HeaderFields {
        var fields = callersFields()
        guard let resumption = transfer?.resumption, resumption.isRanged else { return fields }
        for name in DownloadResumption.contradictingFields { fields.remove(name) }
        for field in resumption.request.fields { fields[field.name] = field.value }
        return fields
    }

    func outgoingFields(_ url: URL) -> HeaderFields {
        var fields = applicationFields()
        keepProxyFieldFromOrigin(&fields)
        if let cookies { fields["Cookie"] = cookies }
        for field in current.resumable?.fields.fields ?? [] { fields[field.name] = field.value }
        offerEncodings(&fields, url)
        for field in current.caching.conditions.fields { fields[field.name] = field.value }
        return fields
    }

    private func endRequest(_ exchange: Exchange) {
        exchange.handler.sendEnd()
        // The write may have failed.
        guard machine.exchange != nil else { return }
        record.requestEnds()
    }

    func updateProgress() { task.progressBox.update(task.facts.withLock { $0 }) }

    // MARK: The body

    private func sendBody(_ exchange: Exchange, _ length: Int64?) {
        switch body {
        case .none: endRequest(exchange)
        case .memory(let data): pumpOut(BodyReader(memory: data, eventLoop: core.eventLoop), exchange, length)
        case .file(let url):
            do {
                pumpOut(
                    BodyReader(file: try FileHandle(forReadingFrom: url), eventLoop: core.eventLoop), exchange, length)
            } catch {
                finish(.fileDoesNotExist, "The file to upload, \(url.path), cannot be read", because: error)
            }
        case .filePart(let url, let range):
            guard current.resumable?.hasSameFile ?? true else { return hasOtherFile() }
            do {
                pumpOut(BodyReader(part: try FilePart(url, range), eventLoop: core.eventLoop), exchange, length)
            } catch {
                finish(.fileDoesNotExist, "The file to upload, \(url.path), cannot be read", because: error)
            }
        case .stream: requestBodyStream(exchange, length)
        }
    }

    private func requestBodyStream(_ exchange: Exchange, _ length: Int64?) {
        if hasRequestedStream, !policies.tasks.requestsFreshStream { return endRequest(exchange) }
        if !hasRequestedStream, mayProvideStream, let stream = task.originalRequest?.httpBodyStream {
            hasRequestedStream = true
            return pumpOut(BodyReader(stream: StreamBox(stream), eventLoop: core.eventLoop), exchange, length)
        }
        hasRequestedStream = true
        callDelegate(
            nil as StreamBox?,
            { caller, answer in
                caller.callTaskDelegate {
                    $0.urlSession(caller.session, task: caller.task) { stream in
                        guard let stream else { return answer(nil) }
                        // The delegate gives up the stream; URLSession's signature cannot express this (`sending`).
                        nonisolated(unsafe) let given = stream
                        unsafe answer(StreamBox(given))
                    }
                }
            }
        ) { load, box in
            guard let exchange = load.machine.exchange else { return }
            guard let box else {
                guard load.policies.tasks.needsStream else { return load.endRequest(exchange) }
                return load.finish(.requestBodyStreamExhausted, "The delegate did not supply a stream for the body.")
            }
            load.pumpOut(BodyReader(stream: box, eventLoop: load.core.eventLoop), exchange, length)
        }
    }

    private func pumpOut(_ reader: BodyReader, _ exchange: Exchange, _ length: Int64?) {
        let pump = BodyPump(reader: reader, length: length, handler: exchange.handler, eventLoop: core.eventLoop) {
            [weak self] event in
            self?.pumped(event, length)
        }
        self.pump = pump
        pump.isPaused = machine.isSuspended
        pump.run()
    }

    private func pumped(_ event: BodyPump.Event, _ length: Int64?) {
        switch event {
        case .sent(let count):
            timers?.sent(now: MonotonicTime.now())
            let total = task.facts.withLock { facts in
                facts.sent += Int64(count)
                return facts.sent
            }
            record.sent(count)
            current.resumable?.didSend(total)
            updateProgress()
            guard hasDelegateForRest else { return }
            let expected = current.resumable?.length ?? length
            post { caller in
                caller.callTaskDelegate {
                    $0.urlSession(
                        caller.session, task: caller.task, didSendBodyData: Int64(count), totalBytesSent: total,
                        totalBytesExpectedToSend: expected ?? AdaptableSession.transferSizeUnknown)
                }
            }
        case .ended:
            pump = nil
            record.requestEnds()
        case .unreadable(let error):
            pump = nil
            finish(.requestBodyStreamExhausted, "The body cannot be read", because: error)
        case .wrongLength(let isLonger):
            pump = nil
            let notified = length.map { "\($0)" } ?? "no"
            finish(
                isLonger ? .dataLengthExceedsMaximum : .requestBodyStreamExhausted,
                "The body is \(isLonger ? "longer" : "shorter") than the \(notified) bytes that the request announces.")
        }
    }
}

/// The property is deprecated on Linux, in favour of HTTP/2; a use through a protocol compiles without a warning.
private protocol PipeliningRequest {
    var httpShouldUsePipelining: Bool { get }
}

extension URLRequest: PipeliningRequest {
    fileprivate var allowsPipelining: Bool { (self as any PipeliningRequest).httpShouldUsePipelining }
}

extension BodySource {
    var isThere: Bool {
        switch self {
        case .none: false
        case .memory(let data): !data.isEmpty
        case .file, .filePart, .stream: true
        }
    }
}

/// Encodes a task's priority as the field `Priority` (RFC 9218 §4.1): urgency 0 is the highest, 7 the lowest, 3 the
/// default.
package enum StreamPriority {
    /// Returns nil for the default urgency. `priority` is the task's, from 0 to 1.
    package static func field(_ priority: Float, policy: HTTP2Policy) -> String? {
        guard policy.sendsPriority, priority.isFinite else { return nil }
        let urgency = Int((7 * (1 - min(max(priority, 0), 1))).rounded(.down))
        return urgency == 3 ? nil : "u=\(urgency)"
    }
}
