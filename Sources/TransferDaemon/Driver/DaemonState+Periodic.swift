import Dispatch
import TransferProtocol

/// The checks for which nothing calls the daemon.
extension DaemonState {
    /// The time between two checks of the clock and of the throughput, in real time.
    static let checkInterval: Duration = .seconds(2)
    /// A larger difference means that somebody has set the wall clock; smaller ones are corrections of its pace.
    private static let smallestStep: Duration = .seconds(1)
    /// The received bytes of this time at most are lost by a power cut.
    private static let syncInterval = DispatchTimeInterval.seconds(5)

    /// Counts the stored time limits again after the wall clock was set. The scheduler measures on the other clock, so
    /// only a restart of the machine would use the old values.
    mutating func checkClock(at machine: TransferInstant) {
        let step = lastCheck.stepOfWall(to: machine) + clock.reread()
        lastCheck = machine
        guard step > Self.smallestStep || step < .zero - Self.smallestStep else { return }
        log.write("the wall clock was set by \(step.inSeconds) s")
        let instant = now
        _ = stored { () throws(StoreError) in try store.reanchor(at: instant) }
    }

    /// Stops the discretionary transfers whose throughput is poor, and tries them later (DISC-08), unless the client has a
    /// part that cannot be delivered again.
    mutating func checkThroughput(at uptime: Duration) {
        guard policies.scheduling.stopsSlow else { return }
        var isChanged = false
        for key in scheduler.runningDiscretionary {
            guard var attempt = attempts[key], attempt.stop == nil, !attempt.isVisible else { continue }
            let total = attempt.counts.received + attempt.counts.sent
            let isPoor = attempt.throughput.add(total - attempt.measured, at: uptime)
            attempt.measured = total
            attempts[key] = attempt
            guard isPoor else { continue }
            log.write("\(key): stops: poor throughput")
            let (instant, delay) = (now, scheduler.policy.deferral)
            let failures = (try? store.scheduled(key))?.failures ?? 0
            _ = stored { () throws(StoreError) in
                try store.setRetry(failures: failures, after: delay, of: key, at: instant)
            }
            reschedule(key, hasEnded: true)
            stop(key, .pause)
            isChanged = true
        }
        if isChanged { pump() }
    }

    /// Returns true if the received part of a download should be written to the disk now.
    mutating func isSyncDue(_ key: TransferKey) -> Bool {
        guard let attempt = attempts[key], DispatchTime.now() > attempt.lastSync + Self.syncInterval else {
            return false
        }
        attempts[key]?.lastSync = .now()
        return true
    }

    /// True if the daemon has nothing to do until a program connects or calls it.
    var isIdle: Bool {
        var scheduler = scheduler
        return clients.isEmpty && attempts.isEmpty && launching.isEmpty && unstoredEnds == 0
            && scheduler.delay(at: now) == nil
    }
}
