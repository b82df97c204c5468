public import Foundation
import FoundationNetworking
import NIOCore
import NIOPosix
import Synchronization

/// Loads URLs as the documents of URLSession describe it: configurations, tasks, delegates, resumable downloads and waiting for
/// connectivity.
///
/// All mutable state of a session lives on one event loop. Calls from any thread go there in order; callbacks leave through a line for
/// each task onto the delegate queue.
public final class AdaptableSession: Sendable {
    /// The length of a body that was not announced.
    public static let transferSizeUnknown: Int64 = -1

    /// With the default configuration and without a delegate (CONF-18).
    public static let shared: AdaptableSession = {
        let configuration = AdaptableSessionConfiguration.default
        configuration.policies = policiesOfShared.withLock { $0 }
        return AdaptableSession(configuration: configuration, delegate: nil, delegateQueue: nil, isShared: true)
    }()

    private static let policiesOfShared = Mutex(SessionPolicies())

    /// Without effect when the shared session has been used.
    package static func decideShared(by policies: SessionPolicies) { policiesOfShared.withLock { $0 = policies } }

    private struct Shown: Sendable {
        var delegate: (any AdaptableSessionDelegate)?
        /// Takes the delegate's place where a session does not hold it.
        weak var looseDelegate: (any AdaptableSessionDelegate)?
        var description: String?
        var lastTask = 0
        var isInvalid = false
    }

    let settings: SessionSettings
    /// It belongs to nobody, so nobody can end it.
    private let isShared: Bool
    public let delegateQueue: OperationQueue
    /// Where the callbacks of tasks run.
    let callbackQueue: OperationQueue
    let eventLoop: any EventLoop
    private let shown: Mutex<Shown>
    private let core: NIOLoopBoundBox<SessionCore>
    /// nil where the machine does not let its network be seen.
    private let monitor: PathMonitor?

    public convenience init(configuration: AdaptableSessionConfiguration) {
        self.init(configuration: configuration, delegate: nil, delegateQueue: nil)
    }

    /// The session holds its delegate until it is invalidated (INVL-01). Without a queue it makes a serial one.
    public convenience init(
        configuration: AdaptableSessionConfiguration, delegate: (any AdaptableSessionDelegate)?,
        delegateQueue: OperationQueue?
    ) {
        self.init(configuration: configuration, delegate: delegate, delegateQueue: delegateQueue, isShared: false)
    }

    private init(
        configuration: AdaptableSessionConfiguration, delegate: (any AdaptableSessionDelegate)?,
        delegateQueue: OperationQueue?,
        isShared: Bool
    ) {
        self.isShared = isShared
        var settings = configuration.settings
        if !settings.policies.stores.usesConfigured {
            settings.cookieStorage = .shared
            settings.urlCache = .shared
            settings.credentialStorage = .shared
        }
        settings.applyStorePolicies()
        if !settings.policies.protocols.areBoundToSession {
            settings.protocolClasses?.forEach { RegisteredProtocols.add($0) }
        }
        self.settings = settings
        if let delegateQueue {
            self.delegateQueue = delegateQueue
        } else {
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 1
            queue.name = "AdaptableSession"
            self.delegateQueue = queue
        }
        let delivery = settings.policies.delivery
        callbackQueue = delivery.usesCallerQueue ? self.delegateQueue : OperationQueue()
        if let width = delivery.queueWidth { callbackQueue.maxConcurrentOperationCount = width }
        shown = Mutex(
            settings.policies.invalidation.holdsDelegate
                ? Shown(delegate: delegate) : Shown(delegate: nil, looseDelegate: delegate))
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        eventLoop = loop
        let reference = WeakCoreReference()
        monitor = try? PathMonitor(policy: settings.policies.path) { state in
            loop.execute { reference.core?.value.networkChanged(state) }
        }
        core = NIOLoopBoundBox.makeBoxSendingValue(
            SessionCore(settings: settings, network: monitor?.current, eventLoop: loop), eventLoop: loop)
        reference.listen(core)
        if !settings.policies.configuration.isCopied { follow(configuration) }
    }

    deinit {
        let core = core
        eventLoop.execute { core.value.abandon() }
    }

    /// A copy; writing to it changes nothing (CONF-02).
    public var configuration: AdaptableSessionConfiguration {
        let configuration = AdaptableSessionConfiguration(settings: settings)
        if !settings.policies.configuration.returnsCopy { follow(configuration) }
        return configuration
    }

    /// What is written to the configuration is the session's from now on.
    private func follow(_ configuration: AdaptableSessionConfiguration) {
        configuration.follower = { [eventLoop, core] changed in eventLoop.execute { core.value.settings = changed } }
    }

    public var delegate: (any AdaptableSessionDelegate)? { shown.withLock { $0.delegate ?? $0.looseDelegate } }

    public var sessionDescription: String? {
        get { shown.withLock { $0.description } }
        set { shown.withLock { $0.description = newValue } }
    }

    /// Lets the tasks finish, then the session becomes invalid (INVL-03). No new task can be started. Without effect on `shared`.
    public func finishTasksAndInvalidate() {
        if isShared { return }
        shown.withLock { $0.isInvalid = true }
        perform { [self] in $0.invalidate(self, cancelling: false) }
    }

    /// Cancels all tasks, then the session becomes invalid (INVL-02). Without effect on `shared`.
    public func invalidateAndCancel() {
        if isShared { return }
        shown.withLock { $0.isInvalid = true }
        perform { [self] in $0.invalidate(self, cancelling: true) }
    }

    /// Later requests go over new connections.
    public func flush(completionHandler: @escaping @Sendable () -> Void) {
        perform { [delegateQueue] core in
            core.connections.closeIdle(andRetires: true)
            delegateQueue.addOperation(completionHandler)
        }
    }

    /// As `flush`, and what the session's stores hold of cookies, cached responses and learnt credentials is forgotten.
    public func reset(completionHandler: @escaping @Sendable () -> Void) {
        settings.cookieStorage?.removeAllCookies()
        settings.urlCache?.removeAllCachedResponses()
        perform { [delegateQueue] core in
            core.authentication.forgetAll()
            core.connections.closeIdle(andRetires: true)
            delegateQueue.addOperation(completionHandler)
        }
    }

    public func flush() async { await withCheckedContinuation { done in flush { done.resume() } } }

    public func reset() async { await withCheckedContinuation { done in reset { done.resume() } } }

    /// The tasks that have not completed, in the order in which they were made.
    public var allTasks: [AdaptableSessionTask] {
        get async {
            await withCheckedContinuation { continuation in
                perform { continuation.resume(returning: $0.tasks) }
            }
        }
    }

    public func getAllTasks(completionHandler: @escaping @Sendable ([AdaptableSessionTask]) -> Void) {
        perform { [delegateQueue] core in
            let tasks = core.tasks
            delegateQueue.addOperation { completionHandler(tasks) }
        }
    }

    // MARK: Inside

    func releaseDelegate() {
        // Let go outside the lock: what goes with it may speak to this session.
        let released = shown.withLock { shown in
            defer { (shown.delegate, shown.looseDelegate) = (nil, nil) }
            return shown.delegate
        }
        withExtendedLifetime(released) {}
    }

    /// Runs `act` on the event loop, in the order of the calls.
    func perform(_ act: @escaping @Sendable (SessionCore) -> Void) {
        let core = core
        eventLoop.execute { act(core.value) }
    }

    func perform(_ load: Int, _ act: @escaping @Sendable (TaskLoad) -> Void) { perform { $0.loads[load].map(act) } }

    /// A task and its load; a task of an invalid session ends as cancelled as soon as it is resumed.
    func makeTask<Task: AdaptableSessionTask>(
        _ request: URLRequest, _ kind: TaskKind, _ ending: TaskEnding,
        delegate: (any AdaptableSessionTaskDelegate)? = nil,
        _ make: (AdaptableSession, Int, Int, TaskFacts) -> Task
    ) -> Task {
        let number = nextIdentifier()
        var facts = TaskFacts()
        facts.originalRequest = request
        facts.currentRequest = request
        // In time for the message that the task was created.
        facts.delegate = delegate
        facts.expectedToSend = BodyLength.announced(of: kind, request) ?? Self.transferSizeUnknown
        let task = make(self, number, number, facts)
        let isInvalid = shown.withLock { $0.isInvalid }
        perform { $0.add(TaskLoad(task, kind: kind, ending: ending, core: $0), isInvalid: isInvalid) }
        if !settings.policies.tasks.startsSuspended { task.resume() }
        return task
    }

    func nextIdentifier() -> Int {
        shown.withLock { shown in
            shown.lastTask += 1
            return shown.lastTask
        }
    }
}
