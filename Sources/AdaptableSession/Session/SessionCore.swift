import Foundation
import FoundationNetworking
import NIOCore

/// The state of one session: its loads and connections. Lives on the session's event loop.
final class SessionCore {
    var settings: SessionSettings
    let eventLoop: any EventLoop
    let connections: ConnectionDriver
    private(set) lazy var alarms = LoadAlarms(on: eventLoop) { [unowned self] in loads[$0]?.alarmRings() }
    var authentication: SessionAuthentication
    private(set) var loads: [Int: TaskLoad] = [:]
    private(set) var streams: [Int: StreamLoad] = [:]
    private let network: NetworkView
    private var waiting: ConnectivityWaitQueue
    private var waitingAlarm: Scheduled<Void>?
    private var isInvalid = false
    private var hasReportedInvalid = false

    init(settings: SessionSettings, monitor: PathMonitor?, eventLoop: any EventLoop) {
        let network = NetworkView(monitor, policy: settings.policies.path)
        self.network = network
        waiting = ConnectivityWaitQueue(policy: settings.policies.waiting)
        self.settings = settings
        self.eventLoop = eventLoop
        connections = ConnectionDriver(settings: settings, network: network, eventLoop: eventLoop)
        authentication = SessionAuthentication(policy: settings.policies.authentication) { count in
            var generator = SystemRandomNumberGenerator()
            return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        }
        connections.whenClosed = { [unowned self] in authentication.closed(connection: $0.number) }
    }

    var tasks: [AdaptableSessionTask] {
        let listsEnded = !settings.policies.tasks.listsOutstandingOnly
        let all =
            loads.values.filter { listsEnded || !$0.isEnded }.map(\.task)
            + streams.values.filter { listsEnded || !$0.isEnded }.map { $0.task }
        return all.sorted { $0.taskIdentifier < $1.taskIdentifier }
    }

    func add(_ stream: StreamLoad) {
        streams[stream.number] = stream
        stream.notifyCreated()
        if isInvalid { stream.cancel() }
    }

    func add(_ load: TaskLoad, isInvalid: Bool) {
        loads[load.number] = load
        load.notifyCreated()
        // The session may have been invalidated after the task was created.
        if isInvalid || self.isInvalid { load.cancel() }
    }

    /// Removes a load after its last callback has returned.
    func finished(_ number: Int, _ session: AdaptableSession) {
        loads[number] = nil
        streams[number] = nil
        notifyInvalid(session)
    }

    func invalidate(_ session: AdaptableSession, cancelling: Bool) {
        isInvalid = true
        if cancelling ? settings.policies.invalidation.cancelsTasks : !settings.policies.invalidation.finishesTasks {
            for load in loads.values.sorted(by: { $0.number < $1.number }) { load.cancel() }
            for stream in streams.values.sorted(by: { $0.number < $1.number }) { stream.cancel() }
        }
        notifyInvalid(session)
    }

    /// Reports the invalidation once, after all other callbacks (INVL-04), and then releases the delegate (INVL-05).
    private func notifyInvalid(_ session: AdaptableSession) {
        let isQuiet = loads.isEmpty && streams.isEmpty
        guard isInvalid, !hasReportedInvalid, isQuiet || !settings.policies.invalidation.comesLast else { return }
        hasReportedInvalid = true
        connections.closeIdle(andRetires: true)
        let releases = settings.policies.invalidation.releasesDelegate
        session.delegateQueue.addOperation {
            if let delegate = session.delegate {
                _ = OptionalMethodProbe.isImplemented(by: delegate) {
                    delegate.urlSession(session, didBecomeInvalidWithError: nil)
                }
            }
            if releases { session.releaseDelegate() }
        }
    }

    /// Closes the connections when the session object is released.
    func abandon() { connections.abandon() }

    // MARK: Connectivity

    func begin(_ load: TaskLoad, _ pendingTask: ConnectivityWaitQueue.PendingTask) {
        load.pendingTask = pendingTask
        perform(
            waiting.begin(
                pendingTask,
                path: network.path(to: pendingTask.host, forbidding: pendingTask.forbids, since: load.resumedAt)))
        pauseTimersWhileWaiting(load)
    }

    /// Returns the reason why a request cannot use the network now; nil when it can.
    func obstacle(to host: String, forbidding traits: PathTraits) -> NetworkPath.Obstacle? {
        network.path(to: host, forbidding: traits, since: MonotonicTime.now()).obstacle
    }

    func attemptFailed(_ load: TaskLoad, _ cause: ConnectivityWaitQueue.Cause) {
        guard let pendingTask = load.pendingTask else { return }
        perform(
            waiting.attemptFailed(
                pendingTask, cause,
                path: network.pathAfterFailure(to: pendingTask.host, forbidding: pendingTask.forbids),
                now: MonotonicTime.now()))
        pauseTimersWhileWaiting(load)
    }

    /// Stops the request timer while the task waits. The delegate is notified once, but a task may wait several times.
    private func pauseTimersWhileWaiting(_ load: TaskLoad) { load.setHold(.waiting, waiting.isWaiting(load.number)) }

    /// Lets a task that waits for a path look again after its permissions have changed.
    func pathsChanged(_ load: TaskLoad) {
        guard waiting.isWaiting(load.number), let pendingTask = load.pendingTask else { return }
        perform(waiting.remove(load.number, now: MonotonicTime.now()))
        begin(
            load,
            ConnectivityWaitQueue.PendingTask(
                task: pendingTask.task, host: pendingTask.host, waits: pendingTask.waits, forbids: load.forbids))
    }

    func connected(_ load: TaskLoad) {
        guard let pendingTask = load.pendingTask else { return }
        perform(waiting.connected(pendingTask))
    }

    /// Returns a connection on which nothing of this load was sent: the load may wait for connectivity as if it had
    /// never been connected.
    func returnedConnection(_ load: TaskLoad) { waiting.returnedConnection(load.number) }

    func leave(_ number: Int) {
        connections.unpin(number)
        perform(waiting.remove(number, now: MonotonicTime.now()))
    }

    func networkChanged(_ state: NetworkState) {
        let lost = (network.state?.interfaces ?? []).filter { old in
            guard let new = state.interface(named: old.name) else { return true }
            return old.isRunning && !new.isRunning || !Set(old.addresses).isSubset(of: new.addresses)
        }
        network.received(state)
        connections.networkChanged(state, lost: Set(lost.map(\.name)))
        perform(
            waiting.pathChanged(now: MonotonicTime.now()) { [network] in
                network.path(to: $0.host, forbidding: $0.forbids, since: 0)
            })
    }

    private func perform(_ actions: [ConnectivityWaitQueue.Action]) {
        for action in actions {
            switch action {
            case .start(let task): loads[task]?.seek()
            case .notify(let task): loads[task]?.notifyWaiting()
            case .fail(let task, let cause): loads[task]?.cannotStart(cause)
            }
        }
        waitingAlarm?.cancel()
        waitingAlarm = waiting.nextDeadline.map { deadline in
            eventLoop.assumeIsolated().scheduleTask(deadline: .uptimeNanoseconds(UInt64(max(0, deadline)))) {
                [weak self] in
                guard let self else { return }
                perform(waiting.timer(at: MonotonicTime.now()))
            }
        }
    }
}
