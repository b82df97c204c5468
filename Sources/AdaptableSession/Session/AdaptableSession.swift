public import Foundation
import FoundationNetworking
import NIOCore
import NIOPosix
import Synchronization

/// A URL loading session with the documented behaviour of URLSession: configurations, tasks, delegates, resumable
/// downloads and waiting for connectivity.
///
/// All mutable state of a session lives on one event loop. Calls from any thread are forwarded to it in order;
/// callbacks run on the delegate queue, in order for each task.
public final class AdaptableSession: Sendable {
    /// The length of a body whose length is unknown: -1.
    public static let transferSizeUnknown: Int64 = -1

    /// The shared session, with the default configuration and without a delegate (CONF-18). It cannot be invalidated.
    public static let shared = AdaptableSession(
        configuration: .default, delegate: nil, delegateQueue: nil, isShared: true)

    private struct Shown: Sendable {
        var delegate: (any AdaptableSessionDelegate)?
        /// The delegate under a policy that does not retain it.
        weak var looseDelegate: (any AdaptableSessionDelegate)?
        var description: String?
        var lastTask = 0
        var isInvalid = false
    }

    let settings: SessionSettings
    /// True for the shared session, which cannot be invalidated.
    private let isShared: Bool
    /// The queue on which delegate methods and completion handlers are called.
    public let delegateQueue: OperationQueue
    /// The queue on which the callbacks of tasks run.
    let callbackQueue: OperationQueue
    let eventLoop: any EventLoop
    private let shown: Mutex<Shown>
    private let core: NIOLoopBoundBox<SessionCore>
    /// The connection to the daemon; nil for a session of another kind.
    let background: BackgroundLink?
    /// The network monitor; nil when the network state cannot be read.
    private let monitor: PathMonitor?

    /// Creates a session without a delegate.
    public convenience init(configuration: AdaptableSessionConfiguration) {
        self.init(configuration: configuration, delegate: nil, delegateQueue: nil)
    }

    /// Creates a session, which retains its delegate until it is invalidated (INVL-01). If `delegateQueue` is nil, the
    /// session creates a serial queue.
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
        monitor = try? PathMonitor { state in
            loop.execute { reference.core?.value.networkChanged(state) }
        }
        core = NIOLoopBoundBox.makeBoxSendingValue(
            SessionCore(settings: settings, monitor: monitor, eventLoop: loop), eventLoop: loop)
        let callbacks = callbackQueue
        background = settings.transferSettings.map { BackgroundLink($0, callbackQueue: callbacks) }
        reference.listen(core)
        background?.open(for: self)
        if !settings.policies.configuration.isCopied { follow(configuration) }
    }

    deinit {
        background?.close()
        let core = core
        eventLoop.execute { core.value.abandon() }
    }

    /// A copy of the configuration; changing it does not affect the session (CONF-02).
    public var configuration: AdaptableSessionConfiguration {
        let configuration = AdaptableSessionConfiguration(settings: settings)
        if !settings.policies.configuration.returnsCopy { follow(configuration) }
        return configuration
    }

    /// Applies later changes of the configuration to the session. Used only under policies other than the default.
    private func follow(_ configuration: AdaptableSessionConfiguration) {
        configuration.follow { [eventLoop, core] changed in eventLoop.execute { core.value.settings = changed } }
    }

    /// The session's delegate; nil after the session was invalidated.
    public var delegate: (any AdaptableSessionDelegate)? { shown.withLock { $0.delegate ?? $0.looseDelegate } }

    /// A text for the application's own use.
    public var sessionDescription: String? {
        get { shown.withLock { $0.description } }
        set { shown.withLock { $0.description = newValue } }
    }

    /// Invalidates the session after its tasks have finished (INVL-03). New tasks fail with `URLError.cancelled`. Has
    /// no effect on `shared`.
    public func finishTasksAndInvalidate() {
        if isShared { return }
        shown.withLock { $0.isInvalid = true }
        if let background { return background.invalidate(cancelling: false) }
        perform { [self] in $0.invalidate(self, cancelling: false) }
    }

    /// Cancels all tasks and invalidates the session (INVL-02). Has no effect on `shared`.
    public func invalidateAndCancel() {
        if isShared { return }
        shown.withLock { $0.isInvalid = true }
        if let background { return background.invalidate(cancelling: true) }
        perform { [self] in $0.invalidate(self, cancelling: true) }
    }

    /// Makes later requests use new connections. Calls the handler on the delegate queue.
    public func flush(completionHandler: @escaping @Sendable () -> Void) {
        perform { [delegateQueue] core in
            core.connections.closeIdle(andRetires: true)
            delegateQueue.addOperation(completionHandler)
        }
    }

    /// Removes cookies, cached responses and learned credentials from the session's stores, and makes later requests
    /// use new connections. Calls the handler on the delegate queue.
    public func reset(completionHandler: @escaping @Sendable () -> Void) {
        settings.cookieStorage?.removeAllCookies()
        settings.urlCache?.removeAllCachedResponses()
        perform { [delegateQueue] core in
            core.authentication.forgetAll()
            core.connections.closeIdle(andRetires: true)
            delegateQueue.addOperation(completionHandler)
        }
    }

    /// Makes later requests use new connections.
    public func flush() async { await withCheckedContinuation { done in flush { done.resume() } } }

    /// Removes cookies, cached responses and learned credentials, and makes later requests use new connections.
    public func reset() async { await withCheckedContinuation { done in reset { done.resume() } } }

    /// The tasks that have not completed, in order of creation.
    public var allTasks: [AdaptableSessionTask] {
        get async {
            await withCheckedContinuation { continuation in
                if let background { return background.tasks { continuation.resume(returning: $0) } }
                perform { continuation.resume(returning: $0.tasks) }
            }
        }
    }

    /// Calls the handler on the delegate queue with the tasks that have not completed, in order of creation.
    public func getAllTasks(completionHandler: @escaping @Sendable ([AdaptableSessionTask]) -> Void) {
        if let background {
            return background.tasks { [delegateQueue] tasks in
                delegateQueue.addOperation { completionHandler(tasks) }
            }
        }
        perform { [delegateQueue] core in
            let tasks = core.tasks
            delegateQueue.addOperation { completionHandler(tasks) }
        }
    }

    // MARK: Internal

    func releaseDelegate() {
        // Released outside the lock: deinitializers may call this session.
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

    /// Creates a task and its load. A task of an invalid session ends as cancelled as soon as it is resumed.
    func makeTask<Task: AdaptableSessionTask>(
        _ request: URLRequest, _ kind: TaskKind, _ ending: TaskEnding,
        delegate: (any AdaptableSessionTaskDelegate)? = nil,
        _ make: (AdaptableSession, Int, Int, TaskFacts) -> Task
    ) -> Task {
        var facts = TaskFacts()
        facts.originalRequest = request
        facts.currentRequest = request
        // Set early, so that it receives the callback that the task was created.
        facts.delegate = delegate
        facts.expectedToSend = BodyLength.announced(of: kind, request) ?? Self.transferSizeUnknown
        let isInvalid = shown.withLock { $0.isInvalid }
        if let background {
            return background.create(kind, ending, isInvalid: isInvalid) { make(self, $0, $0, facts) }
        }
        let number = nextIdentifier()
        let task = make(self, number, number, facts)
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

/// A weak reference from the path monitor to the session core; the monitor starts before the core exists and may
/// outlive it.
final class WeakCoreReference: Sendable {
    private struct Held: Sendable {
        weak var core: NIOLoopBoundBox<SessionCore>?
    }

    private let held = Mutex(Held())

    var core: NIOLoopBoundBox<SessionCore>? { held.withLock { $0.core } }

    func listen(_ core: NIOLoopBoundBox<SessionCore>) { held.withLock { $0.core = core } }
}
