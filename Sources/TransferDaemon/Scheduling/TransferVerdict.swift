package import TransferProtocol

/// The decision about one task under the present conditions.
package enum TransferVerdict: Hashable, Sendable {
    case run(TransferUrgency)
    /// Ready to begin, but `willBeginDelayedRequest` has to be answered first (SCHD-04).
    case ask(TransferUrgency)
    case wait(Obstacle)
    /// The resource timeout has passed (BKGD-20, BKGD-27).
    case timedOut

    package enum Obstacle: String, Hashable, Sendable, CaseIterable {
        case suspended
        /// Before the earliest begin date (SCHD-01).
        case beginDate
        /// Before the next attempt.
        case retry
        /// The client of a data task does not run (BKGD-12).
        case clientGone
        /// No network, or only one that the request forbids (BKGD-16).
        case path
        /// A discretionary task waits for Wi-Fi or a wire (DISC-01).
        case wifi
        /// A discretionary task waits for external power (DISC-01, DISC-07).
        case power
    }
}

extension SchedulingPolicy {
    /// Decides about one task. `next` is the time until the decision may change without any other change.
    package func decide(
        _ task: ScheduledTask, _ conditions: TransferConditions, _ client: TransferClientState, at now: TransferInstant
    ) -> (verdict: TransferVerdict, next: Duration?) {
        switch task.state {
        case .suspended: return (.wait(.suspended), nil)
        // The driver is ending the task.
        case .canceling, .completed: return (.wait(.suspended), nil)
        case .running: break
        }
        let timers = task.timers
        let left = timers.untilResourceTimeout(at: now)
        guard left > .zero || !keepsResourceTimeout else { return (.timedOut, nil) }
        let untilBegin = timers.untilBegin(at: now) ?? .zero
        // Until the begin date the resource timeout does not run, so nothing else can happen before.
        guard untilBegin == .zero || !keepsBeginDates else { return (.wait(.beginDate), untilBegin) }
        let untilRetry = timers.untilRetry(at: now) ?? .zero
        let urgency = urgency(of: task, client)
        let obstacle: TransferVerdict.Obstacle? =
            if untilRetry > .zero {
                .retry
            } else if kindsNeedingClient.contains(task.kind), client == .absent {
                .clientGone
            } else if !task.isLocal, !task.access.allows(conditions) {
                .path
            } else if urgency == .discretionary {
                obstacle(toDiscretionary: task, share: left / task.resourceTimeout, conditions)
            } else {
                nil
            }
        var changes = [left]
        if untilRetry > .zero { changes.append(untilRetry) }
        if urgency == .discretionary {
            for share in [shareForBattery, shareForAnything] {
                let until = left - task.resourceTimeout * share
                if until > .zero { changes.append(until) }
            }
        }
        let verdict: TransferVerdict =
            if let obstacle {
                .wait(obstacle)
            } else {
                isAsked(task) ? .ask(urgency) : .run(urgency)
            }
        return (verdict, changes.min())
    }

    private func obstacle(
        toDiscretionary task: ScheduledTask, share: Double, _ conditions: TransferConditions
    ) -> TransferVerdict.Obstacle? {
        if share <= shareForAnything { return nil }
        let isCheap =
            switch conditions.path {
            case .wifi, .wired: !conditions.isExpensive && !conditions.isConstrained
            case .none, .cellular: false
            }
        guard isCheap || task.isLocal || !waitsForWifi else { return .wifi }
        if conditions.hasExternalPower || !waitsForPower { return nil }
        let isLow = (conditions.batteryLevel ?? 1) < lowBattery
        return share <= shareForBattery && !isLow ? nil : .power
    }

    /// True if a task may use nothing but Wi-Fi or a wire for the present (DISC-01), also where both are there: the host may
    /// be reached through cellular only.
    func needsWifi(_ task: ScheduledTask, _ client: TransferClientState, at now: TransferInstant) -> Bool {
        guard waitsForWifi, !task.isLocal, urgency(of: task, client) == .discretionary else { return false }
        return task.timers.untilResourceTimeout(at: now) / task.resourceTimeout > shareForAnything
    }

    private func isAsked(_ task: ScheduledTask) -> Bool {
        switch asks {
        case .none: false
        case .withBeginDate: task.needsDelayedDecision
        case .all: true
        }
    }

    private func urgency(of task: ScheduledTask, _ client: TransferClientState) -> TransferUrgency {
        // Only uploads and downloads become discretionary by their creation in the background (DISC-03).
        let isDeferred = defersBackground && task.wasCreatedInBackground && task.kind != .data
        if task.isDiscretionary || isDeferred || !hurriesInForeground { return .discretionary }
        return client == .foreground ? .foreground : .background
    }
}
