/// What stops and restarts the two timers of a load.
package struct TimerPolicy: Hashable, Sendable {
    /// Each byte, in either direction, starts the request timer anew (TIME-01, TIME-10, TIME-11).
    package var receivedBytesRestart = true
    package var sentBytesRestart = true
    /// Waiting for connectivity does not use up the request timeout (TIME-07).
    package var waitingHoldsRequestTimer = true
    /// It does use up the resource timeout (TIME-08).
    package var waitingHoldsResourceTimer = false
    /// A suspended task is not subject to timeouts.
    package var suspensionHoldsTimers = true
    /// A delegate that takes its time is not the server's silence.
    package var decidingHoldsRequestTimer = true
    /// The timeout of the request goes before that of the session (TIME-09).
    package var requestGoesBeforeSession = true
    package var requestTimerRuns = true
    package var resourceTimerRuns = true

    package init() {}
}
