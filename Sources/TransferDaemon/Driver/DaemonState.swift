import AdaptableSession
import Foundation
import TransferProtocol

/// The daemon's state beside its store. Every change is made under one lock, and an event that must survive is stored
/// before it is sent.
struct DaemonState: Sendable {
    /// A program that is connected as the owner of an identifier.
    struct Client: Sendable {
        var channel: ClientChannel
        var state: TransferClientState
        /// The last durable event that was sent on this connection, and the last that was acknowledged.
        var sent: Int64 = 0
        var acknowledged: Int64 = 0
        /// True if the client waits for `allDelivered` (BKGD-25).
        var isOwedFinish: Bool
    }

    /// The durable events that are sent ahead of their acknowledgement.
    private static let window: Int64 = 64

    let store: TransferStore
    var clock: TransferClock
    let log: DaemonLog
    let policies: DaemonPolicies
    unowned let daemon: Daemon
    var scheduler: TransferScheduler
    var clients: [String: Client] = [:]
    var settings: [String: TransferSettings] = [:]
    var sessions: [String: AdaptableSession] = [:]
    var attempts: [TransferKey: TransferAttempt] = [:]
    var questions: [TransferKey: TransferQuestion] = [:]
    /// The sessions that were invalidated and end with their last task.
    var invalidated: Set<String> = []
    /// The sessions whose client answers no challenges, so that it is not launched for the trust of every server.
    var withoutChallenges: Set<String> = []
    /// The replies to commands that cancel a task and keep its part.
    var cancellations: [TransferKey: @Sendable (Data?) -> Void] = [:]
    /// The number of the launch of each session's client that waits for its turn, or runs and has not connected.
    var launching: [String: Int] = [:]
    var lastLaunch = 0
    /// The ends of tasks that could not be stored and are tried again.
    var unstoredEnds = 0
    /// The time of the last check of the clock.
    var lastCheck = TransferInstant.ofMachine()
    var generator = SystemRandomNumberGenerator()

    init(
        store: TransferStore, clock: TransferClock, log: DaemonLog, policies: DaemonPolicies, daemon: Daemon,
        conditions: TransferConditions
    ) {
        self.store = store
        self.clock = clock
        self.log = log
        self.policies = policies
        self.daemon = daemon
        scheduler = TransferScheduler(policy: policies.scheduling, conditions: conditions)
    }

    var now: TransferInstant { clock.now() }

    /// Takes up the tasks of the store after a start of the daemon.
    mutating func begin() throws(StoreError) {
        // The machine may have restarted, or its clock may have been set while no daemon ran.
        // On a full disk the stored limits serve as they are.
        let instant = now
        _ = stored { () throws(StoreError) in try store.reanchor(at: instant) }
        for session in try store.sessions() {
            settings[session.identifier] = session
            scheduler.setLimitPerHost(session.maximumConnectionsPerHost, ofSession: session.identifier)
        }
        for task in try store.scheduled() where policies.tasks.outliveDaemons {
            if task.state == .canceling {
                // The crash came between the client's cancel and the end of the attempt.
                complete(task.key, .cancelled)
            } else if task.kind == .data, task.state == .running {
                // Its client has lost a part of the body that is not kept (BKGD-12).
                complete(task.key, .disconnected)
            } else {
                scheduler.update(task)
            }
        }
        pump()
        for identifier in settings.keys { considerLaunch(identifier) }
    }

    /// Does what the scheduler finds due, and sets the alarm for the next time.
    mutating func pump() {
        for action in scheduler.next(at: now) {
            switch action {
            case .start(let key): start(key)
            case .stop(let key, let reason): pause(key, reason)
            case .ask(let key): askDelayed(key)
            case .timeOut(let key):
                log.write("\(key): the resource timeout has passed")
                if !stop(key, .timeOut) { complete(key, .timedOut) }
            }
        }
        widenPaths()
        daemon.setAlarm(scheduler.delay(at: now).map { clock.real($0) })
    }

    /// Runs a change of the store. Failures are written to the log and returned, for the client.
    func stored(_ change: () throws(StoreError) -> Void) -> TransferFailure? {
        do throws(StoreError) {
            try change()
            return nil
        } catch {
            log.write("\(error)")
            return TransferFailure(error)
        }
    }

    /// Gives the scheduler the stored properties of a task.
    mutating func reschedule(_ key: TransferKey, hasEnded: Bool = false) {
        guard let task = try? store.scheduled(key), task.state != .completed else { return scheduler.remove(key) }
        if hasEnded { scheduler.ended(task) } else { scheduler.update(task) }
    }

    /// Ends a task and reports it to its client. A store that cannot be written now is tried again.
    mutating func complete(_ key: TransferKey, _ failure: TransferFailure?) {
        let attempt = attempts.removeValue(forKey: key)
        questions[key] = nil
        scheduler.remove(key)
        finish(key, attempt, failure)
        pumpEvents(key.session)
        considerLaunch(key.session)
    }

    private mutating func finish(_ key: TransferKey, _ attempt: TransferAttempt?, _ failure: TransferFailure?) {
        var preceding: [TransferEvent.Content] = []
        if let response = attempt?.response, attempt?.isVisible == false, failure == nil {
            preceding.append(.response(response: response))
        }
        if let body = attempt?.body, !body.isEmpty, failure == nil { preceding.append(.data(bytes: body)) }
        do throws(StoreError) {
            let counts: TransferCounts
            if let attempt { counts = attempt.counts } else { counts = try store.task(key).counts }
            _ = try store.complete(
                key, preceding: preceding, failure: failure, counts: counts, keepsDownload: attempt?.hasFile ?? false)
            log.write("\(key): \(failure.map { "ended: \($0.message) (\($0.code))" } ?? "complete")")
            if !policies.delivery.keepsMissed, clients[key.session] == nil {
                try store.acknowledge(through: .max, ofSession: key.session)
            }
        } catch .unknownTask {
            return
        } catch {
            log.write("\(key): cannot store the end, tries again in 5 s: \(error)")
            unstoredEnds += 1
            daemon.perform(after: .seconds(5)) { state in
                state.unstoredEnds -= 1
                state.finish(key, attempt, failure)
                state.pumpEvents(key.session)
                state.considerLaunch(key.session)
            }
        }
    }

    // MARK: Events

    /// Sends the durable events that the client may have now, and then that all were delivered.
    mutating func pumpEvents(_ identifier: String) {
        guard var client = clients[identifier] else { return }
        if client.isOwedFinish, !policies.delivery.finishesLast {
            client.isOwedFinish = false
            client.channel.send(.event(event: TransferEvent(task: nil, .allDelivered)))
        }
        let room = Self.window - (client.sent - max(client.acknowledged, 0))
        if room > 0, let events = try? store.events(ofSession: identifier, after: client.sent, limit: Int(room)) {
            for event in policies.delivery.keepsOrder ? events : events.reversed() {
                if case .finishedFile = event.content, !policies.delivery.deliversFiles { continue }
                client.channel.send(.event(event: event))
                client.sent = max(client.sent, event.number ?? 0)
            }
        }
        if !policies.delivery.finishes { client.isOwedFinish = false }
        if client.state == .background, client.sent > client.acknowledged { client.isOwedFinish = true }
        if client.isOwedFinish, client.sent == client.acknowledged,
            !questions.keys.contains(where: { $0.session == identifier }),
            (try? store.outstanding(ofSession: identifier).events) == 0
        {
            client.isOwedFinish = false
            client.channel.send(.event(event: TransferEvent(task: nil, .allDelivered)))
        }
        clients[identifier] = client
    }

    /// Reports progress to the client, at most ten times a second and not while it does not read.
    mutating func progressed(_ key: TransferKey) {
        guard let attempt = attempts[key] else { return }
        let expected = attempt.counts.clientExpectsToReceive
        if !policies.tasks.treatCountsAsHints, expected >= 0, attempt.counts.received > expected {
            attempt.task.cancel()
            return complete(key, .cancelled)
        }
        guard policies.delivery.reportsProgress, let channel = clients[key.session]?.channel, !channel.isBusy else {
            return
        }
        let now = DispatchTime.now()
        if let last = attempt.lastProgress, now < last + .milliseconds(100) { return }
        attempts[key]?.lastProgress = now
        channel.send(.event(event: TransferEvent(task: key.number, .progress(counts: attempt.counts))))
    }
}

extension TransferFailure {
    static let cancelled = TransferFailure(code: URLError.Code.cancelled.rawValue, message: "The task was cancelled.")
    static let timedOut = TransferFailure(
        code: URLError.Code.timedOut.rawValue, message: "The load took longer than the resource timeout.")
    static let disconnected = TransferFailure(
        code: URLError.Code.backgroundSessionWasDisconnected.rawValue,
        message: "The data task ended because its program or the transfer daemon did.")

    init(_ error: StoreError) {
        let code: URLError.Code =
            switch error {
            case .full: .cannotWriteToFile
            case .notAFile: .fileDoesNotExist
            case .system(_, _, let number) where number == ENOENT: .fileDoesNotExist
            case .system(_, _, let number) where number == EACCES: .noPermissionsToReadFile
            default: .backgroundSessionWasDisconnected
            }
        self.init(code: code.rawValue, message: "\(error)")
    }
}
