import Foundation
import FoundationNetworking
import LinuxNet
import NIOCore

/// The state of one session: its loads, its connections. Lives on the session's event loop.
final class SessionCore {
    var settings: SessionSettings
    let eventLoop: any EventLoop
    let connections: ConnectionDriver
    var authentication: SessionAuthentication
    private(set) var loads: [Int: TaskLoad] = [:]
    private(set) var streams: [Int: StreamLoad] = [:]
    private let network: NetworkView
    private var waiting: WaitingRoom
    private var waitingAlarm: Scheduled<Void>?
    private var isInvalid = false
    private var hasToldInvalid = false

    init(settings: SessionSettings, network: NetworkState?, eventLoop: any EventLoop) {
        let network = NetworkView.ofMachine(network, policy: settings.policies.path)
        self.network = network
        waiting = WaitingRoom(policy: settings.policies.waiting)
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
        let all = loads.values.filter { !$0.isEnded }.map(\.task) + streams.values.filter { !$0.isEnded }.map { $0.task }
        return all.sorted { $0.taskIdentifier < $1.taskIdentifier }
    }

    func add(_ stream: StreamLoad) {
        streams[stream.number] = stream
        stream.tellCreated()
        if isInvalid { stream.cancel() }
    }

    func add(_ load: TaskLoad, isInvalid: Bool) {
        loads[load.number] = load
        load.tellCreated()
        // The session may have been invalidated between the task's making and this moment.
        if isInvalid || self.isInvalid { load.cancel() }
    }

    /// The last callback of a load has returned.
    func finished(_ number: Int, _ session: AdaptableSession) {
        loads[number] = nil
        streams[number] = nil
        tellInvalid(session)
    }

    func invalidate(_ session: AdaptableSession, cancelling: Bool) {
        isInvalid = true
        if cancelling ? settings.policies.invalidation.cancelsTasks : !settings.policies.invalidation.letsTasksFinish {
            for load in loads.values.sorted(by: { $0.number < $1.number }) { load.cancel() }
            for stream in streams.values.sorted(by: { $0.number < $1.number }) { stream.cancel() }
        }
        tellInvalid(session)
    }

    /// Once, after everything else (INVL-04); then the delegate is let go (INVL-05).
    private func tellInvalid(_ session: AdaptableSession) {
        let isQuiet = loads.isEmpty && streams.isEmpty
        guard isInvalid, !hasToldInvalid, isQuiet || !settings.policies.invalidation.comesLast else { return }
        hasToldInvalid = true
        connections.closeIdle(andRetires: true)
        let releases = settings.policies.invalidation.releasesDelegate
        session.delegateQueue.addOperation {
            if let delegate = session.delegate {
                _ = DelegateWitness.isImplemented(by: delegate) { delegate.urlSession(session, didBecomeInvalidWithError: nil) }
            }
            if releases { session.releaseDelegate() }
        }
    }

    /// Nobody can use the session any more.
    func abandon() { connections.abandon() }

    // MARK: Connectivity

    func begin(_ load: TaskLoad, _ guest: WaitingRoom.Guest) {
        load.guest = guest
        perform(waiting.begin(guest, path: network.path(to: guest.host, forbidding: guest.forbids, since: load.resumedAt)))
        holdWhileWaiting(load)
    }

    /// What keeps a request from the network now.
    func obstacle(to host: String, forbidding traits: PathTraits) -> NetworkPath.Obstacle? {
        network.path(to: host, forbidding: traits, since: MonotonicTime.now()).obstacle
    }

    func attemptFailed(_ load: TaskLoad, _ cause: WaitingRoom.Cause) {
        guard let guest = load.guest else { return }
        perform(
            waiting.attemptFailed(
                guest, cause, path: network.path(to: guest.host, forbidding: guest.forbids, since: load.resumedAt), now: MonotonicTime.now()))
        holdWhileWaiting(load)
    }

    /// It is told of its waiting once, but may wait more than once.
    private func holdWhileWaiting(_ load: TaskLoad) { load.hold(.waiting, waiting.isWaiting(load.number)) }

    func connected(_ load: TaskLoad) {
        guard let guest = load.guest else { return }
        perform(waiting.connected(guest))
    }

    /// Nothing of it has been sent: it may wait for connectivity as if it had never been connected.
    func gaveBack(_ load: TaskLoad) { waiting.gaveBack(load.number) }

    func leave(_ number: Int) {
        connections.unpin(number)
        perform(waiting.leave(number, now: MonotonicTime.now()))
    }

    func networkChanged(_ state: NetworkState) {
        let lost = (network.state?.interfaces ?? []).filter { old in
            guard let new = state.interface(named: old.name) else { return true }
            return old.isRunning && !new.isRunning || !Set(old.addresses).isSubset(of: new.addresses)
        }
        network.told(state)
        connections.networkChanged(state, lost: Set(lost.map(\.name)))
        perform(waiting.pathChanged(now: MonotonicTime.now()) { [network] in network.path(to: $0.host, forbidding: $0.forbids, since: 0) })
    }

    private func perform(_ actions: [WaitingRoom.Action]) {
        for action in actions {
            switch action {
            case .start(let task): loads[task]?.seek()
            case .tell(let task): loads[task]?.tellWaiting()
            case .fail(let task, let cause): loads[task]?.cannotStart(cause)
            }
        }
        waitingAlarm?.cancel()
        waitingAlarm = waiting.nextDeadline.map { deadline in
            eventLoop.assumeIsolated().scheduleTask(deadline: .uptimeNanoseconds(UInt64(max(0, deadline)))) { [weak self] in
                guard let self else { return }
                perform(waiting.timer(at: MonotonicTime.now()))
            }
        }
    }
}
