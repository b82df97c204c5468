import Foundation
import FoundationNetworking
import NIOCore
import OpenSSLTLS

/// What a task does, from its first `resume()` to its last callback. Lives on the session's event loop.
final class TaskLoad {
    enum Phase {
        /// Not resumed yet.
        case created
        /// Wants a connection.
        case seeking(PoolRequestID)
        /// A connection came while the task was suspended, and went to others: it will want one again.
        case parked
        case exchanging(Exchange)
        /// A protocol class loads.
        case served(ProtocolRun)
        /// Between two exchanges, or the whole answer is here and must be handed on.
        case between
        case ended
    }

    /// What becomes of the bytes of an answer.
    enum Sink {
        /// The head has not been judged, or the body is of no interest.
        case none
        case data
        case collect(Data)
        case file
        /// Of a redirect or a challenge: read to its end, so that the connection can be used again.
        case drain(Int)
    }

    let number: Int
    private(set) var task: AdaptableSessionTask
    let kind: TaskKind
    let ending: TaskEnding
    let session: AdaptableSession
    unowned let core: SessionCore
    let line: SerialCallbackQueue
    let backlog: DeliveryBacklog
    var caller: DelegateCaller

    var phase = Phase.created
    var request: URLRequest
    var body: BodySource
    var pump: BodyPump?
    /// The delegate has been asked for a stream.
    var hasRequestedStream = false
    var redirects: RedirectChain
    var retry: RequestRetry
    var withheldFields: Set<String> = []
    var redirectCount = 0
    /// The Cookie field of the next request.
    var cookies: String?
    var caching = TaskCaching()
    /// No class takes the current request.
    var isLeftByClasses = false
    /// Where the code of protocol classes runs for this load.
    private(set) lazy var protocolLine = SerialCallbackQueue(queue: ProtocolRun.threads)
    /// Takes the codings off the body; nil where it has none.
    var decoder: ContentDecoder?
    var isDecoding = false
    var record = TransactionRecord()
    /// What was asked for last has come, or has failed.
    var hasConnection = false
    /// Why the last connection could not be made.
    var lastFailure: TransportFailure?
    /// How the task is known where it may have to wait.
    var pendingTask: ConnectivityWaitQueue.PendingTask?
    /// Connections up to this one will not do.
    var newerThan: ConnectionID?
    /// A connection that was there and did not take the exchange.
    var refuser: Connection?
    /// The server has said that it takes the request over HTTP/1.1 only.
    var usesHTTP1 = false
    var sink = Sink.none
    var transfer: DownloadTransfer?
    var resumable: UploadResume?
    /// The resume data that the task was made with leads nowhere.
    var isOfNoUse = false
    var response: URLResponse?
    /// Of `response`.
    var fields = HeaderFields()
    /// What follows when the body that nobody wants is through.
    var afterBody: (() -> Void)?
    var drainAlarm: Scheduled<Void>?
    var authentication = RequestAuthentication()
    var proxyAuthentication = RequestAuthentication()
    /// The request went out without its body, since a connection that is not let in yet would refuse it.
    var withholdsBody = false
    /// The server took such a request for the whole one.
    var negotiatesWithBody = false
    /// The challenge in hand is the proxy's.
    var isProxyChallenge = false
    var route = ProxyRoute.direct
    /// The one that the caller's own Proxy-Authorization is for.
    var firstProxy: ProxyServer?
    var timers: LoadTimers?
    var isSuspended = false
    /// Hands on a body that is here as a whole and would otherwise come while the task is suspended.
    var whenResumed: (() -> Void)?
    /// The delegate has a question to answer; an answer to an older one is not heard.
    var question = 0
    var awaitsDecision = false
    /// The request timer is held because what has come is not taken.
    var isPausedByBacklog = false
    /// What a handshake waits for.
    var pendingVerdict: ((HandshakeChallenges.Decision<Bool>) -> Void)?
    var pendingIdentity: ((HandshakeChallenges.Decision<ServerIdentity?>) -> Void)?
    private var alarm: Scheduled<Void>?
    private var alarmTime = Int64.max
    let createdAt = MonotonicTime.now()
    /// When it was resumed last: a network that was there by then is not missed.
    private(set) var resumedAt: Int64 = 0

    init(_ task: AdaptableSessionTask, kind: TaskKind, ending: TaskEnding, core: SessionCore) {
        number = task.load
        self.task = task
        self.kind = kind
        self.ending = ending
        self.core = core
        session = task.session
        line = SerialCallbackQueue(
            queue: task.session.callbackQueue, keepsOrder: core.settings.policies.delivery.keepsTaskOrder)
        backlog = DeliveryBacklog(limit: core.settings.policies.delivery.backlog)
        caller = DelegateCaller(session: task.session, task: task)
        let request = task.originalRequest ?? URLRequest(url: URL(fileURLWithPath: "/"))
        self.request = request
        redirects = RedirectChain(policy: core.settings.policies.redirects)
        retry = RequestRetry(method: request.httpMethod ?? "GET", policy: core.settings.policies.retry)
        switch kind {
        // A stream that the request brings can be sent once; then the delegate is asked for another.
        case .data, .download: body = request.ownBody
        case .upload(let source): body = source
        case .resumedDownload, .resumedUpload: body = .none
        }
    }

    var policies: SessionPolicies { core.settings.policies }
    var isEnded: Bool { if case .ended = phase { true } else { false } }
    /// Uploads disregard the stream that their request brings (UPLD-04).
    var mayProvideStream: Bool {
        switch kind {
        case .data, .download: true
        case .upload, .resumedDownload, .resumedUpload: false
        }
    }
    var isDownload: Bool { task is AdaptableSessionDownloadTask }
    /// The delegate receives what no completion handler takes the place of.
    var hasDelegateForRest: Bool { ending.isDelegate || policies.tasks.handlerTakesDeliveryOnly }

    /// A data task goes on as a download (DATA-05).
    func become(_ download: AdaptableSessionDownloadTask) {
        task = download
        caller = DelegateCaller(session: session, task: download)
    }

    // MARK: The caller's words

    func resume(at moment: Int64) {
        resumedAt = moment
        isSuspended = false
        switch phase {
        case .created: begin()
        case .parked:
            setHold(.suspended, false)
            phase = .between
            if let pendingTask { core.begin(self, pendingTask) }
        case .served(let run):
            setHold(.suspended, false)
            run.start()
            updateReading()
        case .seeking, .exchanging, .between:
            setHold(.suspended, false)
            pump?.isPaused = false
            updateReading()
            let act = whenResumed
            whenResumed = nil
            act?()
        case .ended: break
        }
    }

    func suspend() {
        if isEnded || !policies.tasks.suspensionStops { return }
        isSuspended = true
        setHold(.suspended, true)
        pump?.isPaused = true
        updateReading()
    }

    func cancel() {
        finish(
            policies.tasks.cancellationIsAnError
                ? URLError.made(.cancelled, "The task was cancelled.", request.url) : nil)
    }

    private func begin() {
        let now = MonotonicTime.now()
        let own = policies.timers.requestGoesBeforeSession ? Self.explicitTimeout(of: request) : nil
        let usual = SessionSettings()
        timers = LoadTimers(
            request: MonotonicTime.nanoseconds(
                own ?? Self.limit(core.settings.requestTimeout, otherwise: usual.requestTimeout)),
            resource: MonotonicTime.nanoseconds(
                Self.limit(core.settings.resourceTimeout, otherwise: usual.resourceTimeout)),
            policy: policies.timers, now: now)
        setAlarm()
        phase = .between
        switch kind {
        case .resumedDownload(let data): resumeDownload(data)
        case .resumedUpload(let data): resumeUpload(data)
        case .upload: offerResumption()
        case .data, .download: attempt()
        }
    }

    /// A request that was given no timeout of its own has URLRequest's 60 s.
    private static func explicitTimeout(of request: URLRequest) -> TimeInterval? {
        request.timeoutInterval == 60 || !(request.timeoutInterval > 0) ? nil : request.timeoutInterval
    }

    /// No time at all is no limit that anybody can keep: 0, less, and what is no number stand for the usual.
    private static func limit(_ seconds: TimeInterval, otherwise usual: TimeInterval) -> TimeInterval {
        seconds > 0 ? seconds : usual
    }

    // MARK: Time

    func setHold(_ hold: LoadTimers.Hold, _ isOn: Bool) {
        timers?.setHold(hold, isOn, now: MonotonicTime.now())
        setAlarm()
    }

    /// Deadlines mostly move into the future: the alarm stays where it is and is set anew when it rings.
    func setAlarm() {
        guard let deadline = timers?.nextDeadline else { return }
        if alarm != nil, alarmTime <= deadline { return }
        alarm?.cancel()
        alarmTime = deadline
        alarm = core.eventLoop.assumeIsolated().scheduleTask(deadline: .uptimeNanoseconds(UInt64(max(0, deadline)))) {
            [weak self] in
            self?.alarmRings()
        }
    }

    private func alarmRings() {
        alarm = nil
        alarmTime = .max
        guard !isEnded else { return }
        switch timers?.expired(at: MonotonicTime.now()) {
        case .request: finish(URLError.made(.timedOut, "Nothing was heard for the whole request timeout.", request.url))
        case .resource: finish(URLError.made(.timedOut, "The load took longer than the resource timeout.", request.url))
        case nil: setAlarm()
        }
    }

    func stopAlarm() {
        alarm?.cancel()
        alarm = nil
        timers = nil
    }
}

extension URLRequest {
    /// A stream that the request brings could be sent once; the delegate is asked for one that can be sent again.
    var ownBody: BodySource { httpBody.map { .memory($0) } ?? (httpBodyStream == nil ? .none : .stream) }
}
