/// The request timer (longest silence) and the resource timer (whole load) of one task, as a value without a clock of
/// its own: callers pass the time and query what has expired.
struct LoadTimers {
    enum Hold: Hashable {
        case suspended, waiting, deciding
        /// Reading is paused until the delegate or the disk has taken the received data.
        case delivering
        /// The only connection for the task waits for the delegate's decision about its TLS handshake.
        case handshake
    }

    enum Expiry: Hashable {
        case request, resource
    }

    private struct Clock {
        let limit: Int64
        /// Nanoseconds used before `since`.
        var used: Int64 = 0
        /// The start of the current period; nil while the clock is stopped.
        var since: Int64?

        var deadline: Int64? {
            guard let since else { return nil }
            let (left, overflow) = since.addingReportingOverflow(limit - used)
            return overflow ? nil : left
        }

        mutating func setHeld(_ isHeld: Bool, _ now: Int64) {
            if isHeld, let started = since {
                used += now - started
                since = nil
            } else if !isHeld, since == nil {
                since = now
            }
        }
    }

    private let policy: TimerPolicy
    private var request: Clock
    private var resource: Clock
    private var holds: Set<Hold> = []

    /// `request` and `resource` are the limits in nanoseconds.
    init(request: Int64, resource: Int64, policy: TimerPolicy, now: Int64) {
        self.policy = policy
        self.request = Clock(limit: request, since: now)
        self.resource = Clock(limit: resource, since: now)
    }

    mutating func setHold(_ hold: Hold, _ isOn: Bool, now: Int64) {
        let hadRequestHold = holdsRequest
        if isOn { holds.insert(hold) } else { holds.remove(hold) }
        request.setHeld(holdsRequest, now)
        // Restart the request timer after a hold: nothing could have arrived in the meantime.
        if hadRequestHold, !holdsRequest { restartRequest(now) }
        resource.setHeld(holdsResource, now)
    }

    mutating func received(now: Int64) { if policy.receivedBytesRestart { restartRequest(now) } }

    mutating func sent(now: Int64) { if policy.sentBytesRestart { restartRequest(now) } }

    var nextDeadline: Int64? {
        [policy.requestTimerRuns ? request.deadline : nil, policy.resourceTimerRuns ? resource.deadline : nil]
            .compactMap { $0 }.min()
    }

    /// The time since which nothing was received or sent; nil while the request timer is stopped.
    var silentSince: Int64? { request.since }

    func expired(at now: Int64) -> Expiry? {
        if policy.resourceTimerRuns, let deadline = resource.deadline, deadline <= now { return .resource }
        if policy.requestTimerRuns, let deadline = request.deadline, deadline <= now { return .request }
        return nil
    }

    private mutating func restartRequest(_ now: Int64) {
        request.used = 0
        if request.since != nil { request.since = now }
    }

    private var holdsRequest: Bool {
        holds.contains { hold in
            switch hold {
            case .suspended: policy.suspensionHoldsTimers
            case .waiting: policy.waitingHoldsRequestTimer
            case .deciding, .delivering, .handshake: policy.decidingHoldsRequestTimer
            }
        }
    }

    private var holdsResource: Bool {
        holds.contains { hold in
            switch hold {
            case .suspended: policy.suspensionHoldsTimers
            case .waiting: policy.waitingHoldsResourceTimer
            case .deciding, .delivering, .handshake: false
            }
        }
    }
}

/// The rules that pause and restart the two timers of a load.
package struct TimerPolicy: Hashable, Sendable {
    /// Restart the request timer with each byte received or sent (TIME-01, TIME-10, TIME-11).
    package var receivedBytesRestart = true
    package var sentBytesRestart = true
    /// Stop the request timer while the task waits for connectivity (TIME-07).
    package var waitingHoldsRequestTimer = true
    /// Stop the resource timer while the task waits for connectivity. Off: waiting counts (TIME-08).
    package var waitingHoldsResourceTimer = false
    /// Stop both timers while the task is suspended.
    package var suspensionHoldsTimers = true
    /// Stop the request timer while the delegate decides: a slow delegate is not a silent server.
    package var decidingHoldsRequestTimer = true
    /// Prefer the request's timeout over the session's (TIME-09).
    package var requestGoesBeforeSession = true
    package var requestTimerRuns = true
    package var resourceTimerRuns = true
}
