package import TransferProtocol

/// Decides which tasks run now. Time is an input; the driver performs the actions.
///
/// A change of one task costs O(log n), so that 10,000 queued tasks are not looked at for every one that ends. Only a
/// change of conditions or of a client looks at all of them.
package struct TransferScheduler: Sendable {
    package enum Action: Hashable, Sendable {
        case start(TransferKey)
        /// Stop the attempt and keep what was received. The task no longer counts as running.
        case stop(TransferKey, StopReason)
        /// Send `willBeginDelayedRequest`, then call `update` with the answered task.
        case ask(TransferKey)
        /// End the task with `URLError.timedOut`. The scheduler has removed it.
        case timeOut(TransferKey)
    }

    package enum StopReason: Hashable, Sendable {
        case obstacle(TransferVerdict.Obstacle)
        /// A more urgent task needs the place of a discretionary one.
        case displaced
    }

    private enum Phase: Hashable {
        case idle, ready, asking
        /// With the place that the task has taken, because an update may change its host.
        case running(Lane)

        var isRunning: Bool {
            switch self {
            case .running: true
            case .idle, .ready, .asking: false
            }
        }
    }

    private struct Entry {
        var task: ScheduledTask
        var phase = Phase.idle
        var urgency = TransferUrgency.background
        /// Elements of the heaps with another number are out of date.
        var version = 0
    }

    private struct Due: Comparable {
        let uptime: Duration
        let key: TransferKey
        let version: Int
        static func < (left: Self, right: Self) -> Bool { left.uptime < right.uptime }
    }

    private struct Candidate: Comparable {
        let urgency: TransferUrgency
        let priority: Double
        let order: Int64
        let key: TransferKey
        let version: Int
        static func < (left: Self, right: Self) -> Bool {
            (right.urgency.rawValue, right.priority, left.order) < (left.urgency.rawValue, left.priority, right.order)
        }
    }

    private struct Lane: Hashable {
        let session: String
        let origin: String
    }

    package let policy: SchedulingPolicy
    package private(set) var conditions: TransferConditions
    private var clients: [String: TransferClientState] = [:]
    private var limits: [String: Int] = [:]
    private var entries: [TransferKey: Entry] = [:]
    private var due = OrderedHeap<Due>()
    private var ready = OrderedHeap<Candidate>()
    /// Candidates whose host lacks a free place.
    private var blocked: [Lane: OrderedHeap<Candidate>] = [:]
    private var running: [Lane: Int] = [:]
    private var runningTasks: Set<TransferKey> = []
    private var changed: Set<TransferKey> = []
    private var versions = 0

    package init(policy: SchedulingPolicy = SchedulingPolicy(), conditions: TransferConditions) {
        self.policy = policy
        self.conditions = conditions
    }

    package var runningCount: Int { runningTasks.count }
    package var count: Int { entries.count }

    // Inputs. Each takes effect at the next call of `next`.

    /// Adds a task, or replaces one after a change of its properties. A running task keeps running if it may.
    package mutating func update(_ task: ScheduledTask) {
        if entries[task.key] == nil { entries[task.key] = Entry(task: task) }
        entries[task.key]?.task = task
        if entries[task.key]?.phase == .asking { entries[task.key]?.phase = .idle }
        changed.insert(task.key)
    }

    /// Removes a task that has completed.
    package mutating func remove(_ key: TransferKey) {
        leave(key)
        entries[key] = nil
        changed.remove(key)
    }

    /// Frees the place of a task whose attempt has ended, with the properties for its next attempt.
    package mutating func ended(_ task: ScheduledTask) {
        leave(task.key)
        update(task)
    }

    /// Frees the place of a task that waits for a decision of the client, for example to a challenge. Its resource timeout
    /// runs on; `update` releases it.
    package mutating func hold(_ key: TransferKey) {
        leave(key)
        entries[key]?.phase = .asking
        changed.insert(key)
    }

    /// Stores changed conditions. Another path ends the waiting for a retry, because the earlier failures concern the
    /// path before.
    package mutating func setConditions(_ new: TransferConditions, at now: TransferInstant) {
        guard new != conditions else { return }
        if new.path != conditions.path, new.path != .none {
            for key in Array(entries.keys) where entries[key]?.task.timers.retry != nil {
                entries[key]?.task.timers.setRetry(after: nil, at: now)
            }
        }
        conditions = new
        // Every task is looked at again and returns to the heaps.
        ready.removeAll()
        blocked.removeAll()
        due.removeAll()
        changed.formUnion(entries.keys)
    }

    /// Stores the state of a client. The foreground makes the tasks that it created in the background ordinary ones
    /// (DISC-04).
    package mutating func setClient(_ state: TransferClientState, ofSession session: String) {
        guard clients[session] != state else { return }
        clients[session] = state
        for lane in Array(blocked.keys) where lane.session == session { blocked[lane] = nil }
        for key in Array(entries.keys) where key.session == session {
            if state == .foreground, policy.liftsInForeground { entries[key]?.task.wasCreatedInBackground = false }
            changed.insert(key)
        }
    }

    /// Sets the number of transfers of a session to one host, which the policy limits further.
    package mutating func setLimitPerHost(_ limit: Int, ofSession session: String) {
        limits[session] = max(1, limit)
        for (lane, heap) in blocked where lane.session == session {
            var heap = heap
            while let candidate = heap.popFirst() { ready.insert(candidate) }
            blocked[lane] = nil
        }
    }

    // Output

    /// Returns the actions that are due, in order.
    package mutating func next(at now: TransferInstant) -> [Action] {
        var actions: [Action] = []
        while let first = due.first, first.uptime <= now.uptime {
            _ = due.popFirst()
            if entries[first.key]?.version == first.version { changed.insert(first.key) }
        }
        let looked = changed.compactMap { key in entries[key].map { ($0.task.order, key) } }.sorted { $0.0 < $1.0 }
        changed.removeAll()
        for (_, key) in looked { look(at: key, now, &actions) }
        startReady(&actions)
        return actions
    }

    /// Returns the time until `next` has to be called without any other input; nil means never.
    package mutating func delay(at now: TransferInstant) -> Duration? {
        guard changed.isEmpty else { return .zero }
        while let first = due.first, entries[first.key]?.version != first.version { _ = due.popFirst() }
        return due.first.map { max(.zero, $0.uptime - now.uptime) }
    }

    /// Returns the decision about a task, for display.
    package func verdict(of key: TransferKey, at now: TransferInstant) -> TransferVerdict? {
        entries[key].map { policy.decide($0.task, conditions, client(of: key), at: now).verdict }
    }

    /// Returns true if a task may use nothing but Wi-Fi or a wire for the present (DISC-01).
    package func needsWifi(_ key: TransferKey, at now: TransferInstant) -> Bool {
        entries[key].map { policy.needsWifi($0.task, client(of: key), at: now) } ?? false
    }

    /// Returns the running tasks that wait for good conditions and may be deferred again (DISC-08).
    package var runningDiscretionary: [TransferKey] {
        runningTasks.filter { entries[$0]?.urgency == .discretionary }
    }

    /// Returns the number of transfers that run in the session of a task to its host.
    func placesTaken(inLaneOf task: ScheduledTask) -> Int {
        running[Lane(session: task.key.session, origin: task.origin), default: 0]
    }

    private func client(of key: TransferKey) -> TransferClientState { clients[key.session] ?? .absent }

    private mutating func look(at key: TransferKey, _ now: TransferInstant, _ actions: inout [Action]) {
        guard var entry = entries[key] else { return }
        let (verdict, next) = policy.decide(entry.task, conditions, client(of: key), at: now)
        versions += 1
        entry.version = versions
        entries[key] = entry
        if let next { insert(Due(uptime: now.uptime + next, key: key, version: entry.version)) }
        switch verdict {
        case .timedOut:
            remove(key)
            actions.append(.timeOut(key))
        case .wait(let obstacle):
            if entry.phase.isRunning {
                leave(key)
                actions.append(.stop(key, .obstacle(obstacle)))
            } else if entry.phase == .ready {
                entries[key]?.phase = .idle
            }
        case .ask(let urgency):
            guard entry.phase == .idle || entry.phase == .ready else { return }
            entries[key]?.phase = .asking
            entries[key]?.urgency = urgency
            actions.append(.ask(key))
        case .run(let urgency):
            entries[key]?.urgency = urgency
            guard entry.phase == .idle || entry.phase == .ready else { return }
            entries[key]?.phase = .ready
            ready.insert(
                Candidate(
                    urgency: urgency, priority: entry.task.priority, order: entry.task.order, key: key,
                    version: entry.version))
        }
    }

    private mutating func startReady(_ actions: inout [Action]) {
        while let candidate = ready.first {
            guard isCurrent(candidate), let task = entries[candidate.key]?.task else {
                _ = ready.popFirst()
                continue
            }
            let lane = Lane(session: task.key.session, origin: task.origin)
            guard running[lane, default: 0] < min(policy.limitPerHost, limits[lane.session] ?? .max) else {
                _ = ready.popFirst()
                blocked[lane, default: OrderedHeap()].insert(candidate)
                continue
            }
            if runningTasks.count >= policy.limit {
                guard candidate.urgency > .discretionary, let victim = displaceable() else { return }
                leave(victim)
                changed.insert(victim)
                actions.append(.stop(victim, .displaced))
                // The free place may have let a more urgent candidate in.
                continue
            }
            _ = ready.popFirst()
            entries[candidate.key]?.phase = .running(lane)
            running[lane, default: 0] += 1
            runningTasks.insert(candidate.key)
            actions.append(.start(candidate.key))
        }
    }

    /// Returns the newest running discretionary task.
    private func displaceable() -> TransferKey? {
        runningTasks.compactMap { entries[$0] }.filter { $0.urgency == .discretionary }
            .max { $0.task.order < $1.task.order }?.task.key
    }

    /// Frees the place of a running task, and lets the next candidate for its host compete.
    private mutating func leave(_ key: TransferKey) {
        guard case .running(let lane)? = entries[key]?.phase else { return }
        entries[key]?.phase = .idle
        runningTasks.remove(key)
        let left = running[lane, default: 1] - 1
        running[lane] = left > 0 ? left : nil
        while let candidate = blocked[lane]?.popFirst() {
            guard isCurrent(candidate) else { continue }
            ready.insert(candidate)
            break
        }
        if blocked[lane]?.count == 0 { blocked[lane] = nil }
    }

    private func isCurrent(_ candidate: Candidate) -> Bool {
        guard let entry = entries[candidate.key] else { return false }
        return entry.phase == .ready && entry.version == candidate.version
    }

    private mutating func insert(_ element: Due) {
        due.insert(element)
        // Each look leaves an element out of date, which may be due only days later.
        guard due.count > 4 * entries.count + 64 else { return }
        let entries = entries
        due.keep { entries[$0.key]?.version == $0.version }
    }
}
