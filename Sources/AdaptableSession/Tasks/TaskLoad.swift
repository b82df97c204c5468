import Foundation
import FoundationNetworking
import HTTPFields
import NIOCore
import OpenSSLTLS

/// The work of a task, from its first `resume()` to its last callback. Lives on the session's event loop.
final class TaskLoad {
    let number: Int
    private(set) var task: AdaptableSessionTask
    let kind: TaskKind
    let ending: TaskEnding
    let session: AdaptableSession
    unowned let core: SessionCore
    let line: SerialCallbackQueue
    let backlog: DeliveryBacklog
    var caller: DelegateCaller

    var machine: Machine
    var current: CurrentRequest
    var pump: BodyPump?
    /// True once a body stream was requested from the delegate or taken from the request.
    var hasRequestedStream = false
    /// The Cookie field of the next request.
    var cookies: String?
    /// The serial queue on which the code of protocol classes runs for this load.
    private(set) lazy var protocolLine = SerialCallbackQueue(queue: ProtocolRun.threads)
    /// The decoder of the body; nil when the body is not encoded.
    var decoder: ContentDecoder?
    var record = TransactionRecord()
    /// The failure of the last connection attempt or exchange.
    var lastFailure: TransportFailure?
    /// The task's entry in the connectivity wait queue.
    var pendingTask: ConnectivityWaitQueue.PendingTask?
    /// Only connections newer than this one may be used.
    var newerThan: ConnectionID?
    /// The connection that refused the exchange.
    var refuser: Connection?
    /// True when the server accepts the request over HTTP/1.1 only.
    var usesHTTP1 = false
    /// The body for a completion handler.
    var collected = Data()
    var transfer: DownloadTransfer?
    /// True when the resume data that the task was created with cannot be used.
    var isOfNoUse = false
    var response: URLResponse?
    /// The header fields of `response`.
    var fields = HeaderFields()
    var discardAlarm: Scheduled<Void>?
    var authentication: RequestAuthentication {
        get { serverAuthentication ?? RequestAuthentication() }
        set { serverAuthentication = newValue }
    }
    var proxyAuthentication: RequestAuthentication {
        get { knownProxyAuthentication ?? RequestAuthentication() }
        set { knownProxyAuthentication = newValue }
    }
    // Set once a request is about to be sent: queued tasks have none.
    @Boxed private var serverAuthentication: RequestAuthentication?
    @Boxed private var knownProxyAuthentication: RequestAuthentication?
    var route = ProxyRoute.direct
    /// The proxy that the application's own Proxy-Authorization field is meant for.
    @Boxed var firstProxy: ProxyServer?
    var timers: LoadTimers?
    /// The completions that TLS handshakes wait for, by the number of the question to the delegate.
    var pendingVerdicts: [Int: (HandshakeChallenges.Decision<Bool>) -> Void] = [:]
    var pendingIdentities: [Int: (HandshakeChallenges.Decision<ServerIdentity?>) -> Void] = [:]
    var handshakeQuestion = 0
    /// The time at which the alarm rings; nil when none is set.
    private var alarmTime: Int64?
    /// The time of the last `resume()`: a network that existed then is not considered missing.
    private(set) var resumedAt: Int64 = 0

    init(_ task: AdaptableSessionTask, kind: TaskKind, ending: TaskEnding, core: SessionCore) {
        number = task.load
        self.task = task
        self.kind = kind
        self.ending = ending
        self.core = core
        machine = Machine(suspensionStops: core.settings.policies.tasks.suspensionStops)
        session = task.session
        line = SerialCallbackQueue(
            queue: task.session.callbackQueue, keepsOrder: core.settings.policies.delivery.keepsTaskOrder)
        backlog = DeliveryBacklog(limit: core.settings.policies.delivery.backlog)
        caller = DelegateCaller(session: task.session, task: task)
        let request = task.originalRequest ?? URLRequest(url: URL(fileURLWithPath: "/"))
        // The request's own stream can be sent once; later the delegate provides another one.
        let body =
            switch kind {
            case .data, .download: request.ownBody
            case .upload(let source): source
            case .resumedDownload, .resumedUpload: BodySource.none
            }
        current = CurrentRequest(request, body: body, policies: core.settings.policies)
    }

    var request: URLRequest { current.request }
    var body: BodySource { current.body }
    var policies: SessionPolicies { core.settings.policies }
    var isEnded: Bool { machine.isEnded }
    /// True when the request's own stream may be used; uploads ignore it (UPLD-04).
    var mayProvideStream: Bool {
        switch kind {
        case .data, .download: true
        case .upload, .resumedDownload, .resumedUpload: false
        }
    }
    var isDownload: Bool { task is AdaptableSessionDownloadTask }
    /// True when the delegate receives the callbacks that a completion handler does not replace.
    var hasDelegateForRest: Bool { ending.isDelegate || policies.tasks.handlerTakesDeliveryOnly }

    /// Continues a data task as a download (DATA-05).
    func become(_ download: AdaptableSessionDownloadTask) {
        task = download
        caller = DelegateCaller(session: session, task: download)
    }

    // MARK: Calls of the application

    func resume(at moment: Int64) {
        resumedAt = moment
        handle(.resumed)
    }

    func suspend() { handle(.suspended) }

    func cancel() {
        finish(
            policies.tasks.cancellationIsAnError
                ? URLError.made(.cancelled, "The task was cancelled.", request.url) : nil)
    }

    private func begin() {
        let now = MonotonicTime.now()
        let own = policies.timers.requestGoesBeforeSession ? Self.explicitTimeout(of: request) : nil
        timers = LoadTimers(
            request: MonotonicTime.nanoseconds(
                own ?? Self.limit(core.settings.requestTimeout, otherwise: SessionSettings.usualRequestTimeout)),
            resource: MonotonicTime.nanoseconds(
                Self.limit(core.settings.resourceTimeout, otherwise: SessionSettings.usualResourceTimeout)),
            policy: policies.timers, now: now)
        setAlarm()
        switch kind {
        case .resumedDownload(let data): resumeDownload(data)
        case .resumedUpload(let data): resumeUpload(data)
        case .upload: offerResumption()
        case .data, .download: attempt()
        }
    }

    /// Returns the request's own timeout; nil for 60 s, the default of URLRequest, which cannot be distinguished from a
    /// missing one.
    private static func explicitTimeout(of request: URLRequest) -> TimeInterval? {
        request.timeoutInterval == 60 || !(request.timeoutInterval > 0) ? nil : request.timeoutInterval
    }

    /// Returns the timeout in seconds. Zero, negative and NaN values mean the default.
    private static func limit(_ seconds: TimeInterval, otherwise usual: TimeInterval) -> TimeInterval {
        seconds > 0 ? seconds : usual
    }

    // MARK: Actions

    func handle(_ input: Machine.Input) { for action in machine.handle(input) { perform(action) } }

    private func perform(_ action: Machine.Action) {
        switch action {
        case .begin: begin()
        case .attempt: queryProtocolClasses { $0.attemptBuiltIn() }
        case .waitForConnectivity: if let pendingTask { core.begin(self, pendingTask) }
        case .returnConnection: core.returnedConnection(self)
        case .send(let exchange): send(on: exchange)
        case .start(let run): run.start()
        case .pauseBody(let isPaused): pump?.isPaused = isPaused
        // The handler may deliver the end of the exchange as soon as it is not paused.
        case .pause(let exchange, let isPaused):
            if exchange.response.isPaused != isPaused { exchange.response.isPaused = isPaused }
        case .pauseRun(let run, let isPaused): run.isPaused = isPaused
        case .updateReading: updateReading()
        case .hold(let hold, let isOn): setHold(hold, isOn)
        case .limitDiscarding: limitDiscarding()
        case .proceed(let step): proceed(step)
        case .deliver(let stored): deliver(stored)
        case .completeBody: if finishDecoding() { bodyEnded() }
        case .recover(let decision): recover(decision)
        case .withdraw(let id): core.connections.withdraw(id)
        case .leave(let exchange):
            leaveTransport()
            core.connections.finish(exchange, keepAlive: KeepAliveField.time(fields))
        case .stop(let run):
            leaveTransport()
            run.stop()
        }
    }

    private func leaveTransport() {
        pump?.stop()
        pump = nil
        discardAlarm?.cancel()
        record.end()
    }

    private func proceed(_ step: Continuation) {
        switch step {
        case .attempt: attempt()
        case .follow(let step, let next): go(step, next)
        case .continueUpload: send()
        case .serveStored: if let entry = current.caching.entry { serve(entry, entry.response) }
        }
    }

    // MARK: Time

    func setHold(_ hold: LoadTimers.Hold, _ isOn: Bool) {
        timers?.setHold(hold, isOn, now: MonotonicTime.now())
        setAlarm()
    }

    /// Schedules the alarm for the next deadline. Deadlines mostly move into the future, so an earlier alarm stays and
    /// is rescheduled when it fires.
    func setAlarm() {
        guard let deadline = timers?.nextDeadline else { return }
        if let alarmTime {
            if alarmTime <= deadline { return }
            core.alarms.cancel(number, at: alarmTime)
        }
        alarmTime = core.alarms.set(number, at: deadline)
    }

    func alarmRings() {
        alarmTime = nil
        guard !isEnded else { return }
        let expiry = timers?.expired(at: MonotonicTime.now())
        if let expiry, let exchange = machine.exchange {
            // The resource timer may expire while bytes flow.
            let start = expiry == .request ? timers?.silentSince : nil
            core.connections.timedOut(exchange, silentSince: start ?? exchange.start)
        } else if expiry != nil, case .seeking(let id?) = machine.phase {
            core.connections.withdraw(id, hasTimedOut: true)
        }
        switch expiry {
        case .request: finish(.timedOut, "No data arrived for the duration of the request timeout.")
        case .resource: finish(.timedOut, "The load took longer than the resource timeout.")
        case nil: setAlarm()
        }
    }

    func stopAlarm() {
        if let alarmTime { core.alarms.cancel(number, at: alarmTime) }
        alarmTime = nil
        timers = nil
    }
}

/// The `Keep-Alive: timeout=5` field, in which an HTTP/1.1 server announces how long it keeps an idle connection. RFC
/// 2068 §19.7.1.1 defined the field, and servers still send it.
package enum KeepAliveField {
    /// Returns the timeout in nanoseconds; nil when it is absent, malformed or longer than one day.
    package static func time(_ fields: HeaderFields) -> Int64? {
        for member in fields.list("Keep-Alive") {
            let parts = member.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, HTTPFieldSyntax.equal(HTTPFieldSyntax.trimmed(parts[0]), "timeout"),
                let seconds = Int64(HTTPFieldSyntax.unquoted(HTTPFieldSyntax.trimmed(parts[1]))),
                (0...86_400).contains(seconds)
            else { continue }
            return seconds * 1_000_000_000
        }
        return nil
    }
}
