/// The queue of a session's tasks that wait for connectivity; it decides which tasks notify their delegate, start or
/// fail.
///
/// Call `begin` before a task looks up its name, `attemptFailed` if no connection could be made, `connected` if one was
/// made, and `remove` when the task is over. All times are in nanoseconds; call `timer(at:)` at `nextDeadline`. After
/// `.start` the task tries again, beginning with the lookup.
package struct ConnectivityWaitQueue: Sendable {
    package struct PendingTask: Hashable, Sendable {
        package let task: Int
        /// The origin or the proxy, as text; attempts are counted for each.
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
        /// A name server replied that the name does not exist.
        case lookup
        /// No name server replied.
        case unanswered
    }

    package enum Action: Equatable, Sendable {
        /// Look up the name and connect.
        case start(task: Int)
        /// Call the delegate's `taskIsWaitingForConnectivity`.
        case notify(task: Int)
        /// Complete the task with an error; for all causes but `.path`, the caller has the error.
        case fail(task: Int, Cause)
    }

    private struct Waiter {
        var pendingTask: PendingTask
        var cause: Cause
        var order: Int
    }

    private struct Host {
        var pause: Int64
        var nextAttempt: Int64
        /// The task that currently tries to connect.
        var trying: Int?
    }

    private let policy: ConnectivityWaitPolicy
    private var waiters: [Int: Waiter] = [:]
    private var notified: Set<Int> = []
    private var past: Set<Int> = []
    private var hosts: [String: Host] = [:]
    private var arrivals = 0

    package init(policy: ConnectivityWaitPolicy = ConnectivityWaitPolicy()) { self.policy = policy }

    package func isWaiting(_ task: Int) -> Bool { waiters[task] != nil }

    package mutating func begin(_ pendingTask: PendingTask, path: NetworkPath) -> [Action] {
        guard let obstacle = path.obstacle else { return [.start(task: pendingTask.task)] }
        return enqueue(pendingTask, .path(obstacle))
    }

    /// Handles a failed attempt. `path` is the current one: if it closed meanwhile, that is the cause.
    package mutating func attemptFailed(_ pendingTask: PendingTask, _ cause: Cause, path: NetworkPath, now: Int64)
        -> [Action]
    {
        if let obstacle = path.obstacle {
            release(pendingTask)
            return enqueue(pendingTask, .path(obstacle))
        }
        let isWaitable =
            switch cause {
            case .attempt: policy.waitsAfterFailedAttempt
            // The documentation leaves open what happens if the host name does not exist; a name server that cannot be
            // reached counts as missing connectivity (CONN-30).
            case .lookup: false
            case .unanswered, .path: true
            }
        guard isWaitable else {
            release(pendingTask)
            return [.fail(task: pendingTask.task, cause)] + probe(pendingTask.host, now)
        }
        // Several attempts that ran at the same time count as one failure.
        if hosts[pendingTask.host].map({ $0.trying == pendingTask.task }) ?? true || !policy.triesHostOnce {
            let pause = hosts[pendingTask.host].map { min($0.pause * 2, policy.longestPause) } ?? policy.firstPause
            hosts[pendingTask.host] = Host(pause: pause, nextAttempt: now &+ pause, trying: nil)
        }
        return enqueue(pendingTask, cause)
    }

    /// Handles a new connection: later failures of the task are errors. Other tasks that wait for the same host start.
    package mutating func connected(_ pendingTask: PendingTask) -> [Action] {
        past.insert(pendingTask.task)
        waiters[pendingTask.task] = nil
        guard hosts.removeValue(forKey: pendingTask.host) != nil else { return [] }
        return startAll { waiter in
            guard waiter.pendingTask.host == pendingTask.host else { return false }
            if case .path = waiter.cause { return false }
            return true
        }
    }

    /// Handles a connection that the task gave back unused: the next failure to connect counts as one before the first
    /// connection.
    package mutating func returnedConnection(_ task: Int) { past.remove(task) }

    /// Removes a task that completed, was cancelled or stays suspended; no further action concerns it.
    package mutating func remove(_ task: Int, now: Int64) -> [Action] {
        let host = waiters.removeValue(forKey: task)?.pendingTask.host ?? hosts.first { $0.value.trying == task }?.key
        notified.remove(task)
        past.remove(task)
        guard let host, hosts[host]?.trying == task else { return [] }
        hosts[host]?.trying = nil
        return probe(host, now)
    }

    /// Handles a change of the network. `path` returns the current path for a task.
    package mutating func pathChanged(now: Int64, path: (PendingTask) -> NetworkPath) -> [Action] {
        guard policy.startsWhenPathOpens else { return [] }
        var open: Set<Int> = []
        for (task, waiter) in waiters {
            var pendingTask = waiter.pendingTask
            if !policy.honoursForbidden { pendingTask.forbids = [] }
            if let obstacle = path(pendingTask).obstacle {
                waiters[task]?.cause = .path(obstacle)
            } else {
                open.insert(task)
            }
        }
        // Earlier attempts do not count on the changed network.
        for host in Set(waiters.values.map(\.pendingTask.host)) { hosts[host] = nil }
        return startAll { open.contains($0.pendingTask.task) }
    }

    package var nextDeadline: Int64? {
        let wanting = Set(waiters.values.filter { isTimed($0) }.map(\.pendingTask.host))
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

    private mutating func release(_ pendingTask: PendingTask) {
        if hosts[pendingTask.host]?.trying == pendingTask.task { hosts[pendingTask.host]?.trying = nil }
    }

    private mutating func enqueue(_ pendingTask: PendingTask, _ cause: Cause) -> [Action] {
        if policy.waitsOnlyBeforeFirstConnection, past.contains(pendingTask.task) {
            return [.fail(task: pendingTask.task, cause)]
        }
        guard policy.waitsIfRequested, pendingTask.waits || !policy.waitsOnlyIfRequested else {
            return [.fail(task: pendingTask.task, cause)]
        }
        arrivals += 1
        waiters[pendingTask.task] = Waiter(pendingTask: pendingTask, cause: cause, order: arrivals)
        let isNew = notified.insert(pendingTask.task).inserted
        return policy.notifies && (isNew || !policy.notifiesOnce) ? [.notify(task: pendingTask.task)] : []
    }

    /// Lets one task try a host again, if its pause is over.
    private mutating func probe(_ name: String, _ now: Int64) -> [Action] {
        guard let host = hosts[name], host.trying == nil, host.nextAttempt <= now else { return [] }
        guard policy.triesHostOnce else { return startAll { $0.pendingTask.host == name } }
        let next = waiters.values.filter { $0.pendingTask.host == name && isTimed($0) }.min { $0.order < $1.order }
        guard let next else {
            hosts[name] = nil
            return []
        }
        waiters[next.pendingTask.task] = nil
        hosts[name]?.trying = next.pendingTask.task
        return [.start(task: next.pendingTask.task)]
    }

    private mutating func startAll(where isMeant: (Waiter) -> Bool) -> [Action] {
        let starting = waiters.values.filter(isMeant).sorted { $0.order < $1.order }.map(\.pendingTask.task)
        for task in starting { waiters[task] = nil }
        return starting.map { .start(task: $0) }
    }
}

/// The rules for tasks that wait for connectivity.
package struct ConnectivityWaitPolicy: Sendable, Equatable {
    /// A task of a session without `waitsForConnectivity` fails immediately (CONN-01, CONN-29).
    package var waitsOnlyIfRequested = true
    /// A task of a session with `waitsForConnectivity` waits (CONN-05).
    package var waitsIfRequested = true
    /// The delegate is called when a task has to wait (CONN-07).
    package var notifies = true
    /// The delegate is called at most once for each task, regardless of how often the network comes and goes (CONN-08).
    package var notifiesOnce = true
    /// If a connection cannot be made, the task waits as it does without a network (CONN-17).
    package var waitsAfterFailedAttempt = true
    /// A task that had a connection does not wait again (CONN-18).
    package var waitsOnlyBeforeFirstConnection = true
    /// Waiting tasks start when a path opens (CONN-06); false leaves them to a timer.
    package var startsWhenPathOpens = true
    /// Paths that the request forbids do not start waiting tasks when they come and go (CONN-31).
    package var honoursForbidden = true
    /// Nanoseconds from a failed attempt to the next one to the same host; doubled after each failure, up to
    /// `longestPause` (CONN-26).
    package var firstPause: Int64 = 1_000_000_000
    package var longestPause: Int64 = 5_000_000_000
    /// Only one task at a time tries a host that does not respond (CONN-26).
    package var triesHostOnce = true
    /// Does not try any host while a path is missing.
    package var staysQuietWithoutPath = true
}
