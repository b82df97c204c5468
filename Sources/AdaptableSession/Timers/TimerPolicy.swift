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

    package init() {}
}
