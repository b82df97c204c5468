/// Where the tasks of a session wait for connectivity; it decides who is told, who starts, and who fails.
///
/// `begin` before a task looks up its name, `attemptFailed` when no connection could be made, `connected` when one was, `leave` when
/// the task is over. All times are nanoseconds; call `timer(at:)` at `nextDeadline`. After `.start` the task tries again from the name on.
package struct WaitingRoom: Sendable {
    package struct Guest: Hashable, Sendable {
        package let task: Int
        /// Origin or proxy, as text: attempts are counted for each.
        package let host: String
        package let waits: Bool
        package var forbids: PathTraits

        package init(task: Int, host: String, waits: Bool, forbids: PathTraits = []) {
            self.task = task
            self.host = host
            self.waits = waits
            self.forbids = forbids
        }
    }

    package enum Cause: Equatable, Sendable {
        case path(NetworkPath.Obstacle)
        case attempt
        /// The name server says that there is no such name.
        case lookup
        /// No name server answered.
        case unanswered
    }

    package enum Action: Equatable, Sendable {
        /// Look the name up and connect.
        case start(task: Int)
        /// `taskIsWaitingForConnectivity`
        case tell(task: Int)
        /// The task fails; for all but `.path` with the error that the caller has.
        case fail(task: Int, Cause)
    }

    private struct Waiter {
        var guest: Guest
        var cause: Cause
        var order: Int
    }

    private struct Host {
        var pause: Int64
        var nextAttempt: Int64
        /// The task that tries at this moment.
        var trying: Int?
    }

    private let policy: WaitingPolicy
    private var waiters: [Int: Waiter] = [:]
    private var told: Set<Int> = []
    private var past: Set<Int> = []
    private var hosts: [String: Host] = [:]
    private var arrivals = 0

    package init(policy: WaitingPolicy = WaitingPolicy()) { self.policy = policy }

    package func isWaiting(_ task: Int) -> Bool { waiters[task] != nil }
    package var waitingTasks: Int { waiters.count }

    package mutating func begin(_ guest: Guest, path: NetworkPath) -> [Action] {
        guard let obstacle = path.obstacle else { return [.start(task: guest.task)] }
        return hold(guest, .path(obstacle))
    }

    /// No connection could be made. `path` is that of this moment: if it closed meanwhile, that is the reason.
    package mutating func attemptFailed(_ guest: Guest, _ cause: Cause, path: NetworkPath, now: Int64) -> [Action] {
        if let obstacle = path.obstacle {
            release(guest)
            return hold(guest, .path(obstacle))
        }
        let isWaitable =
            switch cause {
            case .attempt: policy.waitsAfterFailedAttempt
            case .lookup: policy.waitsAfterFailedLookup
            case .unanswered: policy.waitsAfterUnansweredLookup
            case .path: true
            }
        guard isWaitable else {
            release(guest)
            return [.fail(task: guest.task, cause)] + probe(guest.host, now)
        }
        // Several attempts that were under way at the same time are one failure.
        if hosts[guest.host].map({ $0.trying == guest.task }) ?? true || !policy.triesHostOnce {
            let pause = hosts[guest.host].map { min($0.pause * 2, policy.longestPause) } ?? policy.firstPause
            hosts[guest.host] = Host(pause: pause, nextAttempt: now &+ pause, trying: nil)
        }
        return hold(guest, cause)
    }

    /// The task has a connection: from here on failures are errors. Others that wait for the same host have nothing to wait for.
    package mutating func connected(_ guest: Guest) -> [Action] {
        past.insert(guest.task)
        waiters[guest.task] = nil
        guard hosts.removeValue(forKey: guest.host) != nil else { return [] }
        return startAll { waiter in
            guard waiter.guest.host == guest.host else { return false }
            if case .path = waiter.cause { return false }
            return true
        }
    }

    /// The task has given its connection back unused: the next failure to make one is no loss.
    package mutating func gaveBack(_ task: Int) { past.remove(task) }

    /// Completed, cancelled, suspended for good: nothing will be said of it any more.
    package mutating func leave(_ task: Int, now: Int64) -> [Action] {
        let host = waiters.removeValue(forKey: task)?.guest.host ?? hosts.first { $0.value.trying == task }?.key
        told.remove(task)
        past.remove(task)
        guard let host, hosts[host]?.trying == task else { return [] }
        hosts[host]?.trying = nil
        return probe(host, now)
    }

    /// Something about the network changed. `path` says what it offers a task now.
    package mutating func pathChanged(now: Int64, path: (Guest) -> NetworkPath) -> [Action] {
        guard policy.startsWhenPathOpens else { return [] }
        var open: Set<Int> = []
        for (task, waiter) in waiters {
            var guest = waiter.guest
            if !policy.heedsForbidden { guest.forbids = [] }
            if let obstacle = path(guest).obstacle {
                waiters[task]?.cause = .path(obstacle)
            } else {
                open.insert(task)
            }
        }
        // Attempts of before say nothing about the network of now.
        for host in Set(waiters.values.map(\.guest.host)) { hosts[host] = nil }
        return startAll { open.contains($0.guest.task) }
    }

    package var nextDeadline: Int64? {
        let wanting = Set(waiters.values.filter { isTimed($0) }.map(\.guest.host))
        return hosts.filter { $0.value.trying == nil && wanting.contains($0.key) }.map(\.value.nextAttempt).min()
    }

    package mutating func timer(at now: Int64) -> [Action] {
        hosts.keys.sorted().filter { (hosts[$0]?.nextAttempt ?? .max) <= now }.flatMap { probe($0, now) }
    }

    // MARK: -

    private func isTimed(_ waiter: Waiter) -> Bool {
        switch waiter.cause {
        case .attempt, .lookup, .unanswered: true
        case .path: !policy.staysQuietWithoutPath
        }
    }

    private mutating func release(_ guest: Guest) {
        if hosts[guest.host]?.trying == guest.task { hosts[guest.host]?.trying = nil }
    }

    private mutating func hold(_ guest: Guest, _ cause: Cause) -> [Action] {
        if policy.waitsOnlyBeforeFirstConnection, past.contains(guest.task) { return [.fail(task: guest.task, cause)] }
        guard guest.waits || !policy.waitsOnlyIfAsked else { return [.fail(task: guest.task, cause)] }
        arrivals += 1
        waiters[guest.task] = Waiter(guest: guest, cause: cause, order: arrivals)
        let isNews = told.insert(guest.task).inserted
        return isNews || !policy.tellsOnce ? [.tell(task: guest.task)] : []
    }

    /// Lets one task try a host again, if its time has come.
    private mutating func probe(_ name: String, _ now: Int64) -> [Action] {
        guard let host = hosts[name], host.trying == nil, host.nextAttempt <= now else { return [] }
        guard policy.triesHostOnce else { return startAll { $0.guest.host == name } }
        let next = waiters.values.filter { $0.guest.host == name && isTimed($0) }.min { $0.order < $1.order }
        guard let next else {
            hosts[name] = nil
            return []
        }
        waiters[next.guest.task] = nil
        hosts[name]?.trying = next.guest.task
        return [.start(task: next.guest.task)]
    }

    private mutating func startAll(where isMeant: (Waiter) -> Bool) -> [Action] {
        let starting = waiters.values.filter(isMeant).sorted { $0.order < $1.order }.map(\.guest.task)
        for task in starting { waiters[task] = nil }
        return starting.map { .start(task: $0) }
    }
}
