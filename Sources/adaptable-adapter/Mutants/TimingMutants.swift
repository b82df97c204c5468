@_spi(Mutants) import AdaptableSession

extension SessionMutant {
    /// Mutants in the two timers of a load.
    static let timing = [
        SessionMutant(
            "data-does-not-restart-the-timer", breaks: ["TIME-01"],
            "counts the request timeout from the start of the load"
        ) {
            $0.timers.receivedBytesRestart = false
        },
        SessionMutant(
            "sending-does-not-restart-the-timer", breaks: ["TIME-10"],
            "does not restart the request timer when upload data is sent"
        ) {
            $0.timers.sentBytesRestart = false
        },
        SessionMutant(
            "request-timer-runs-while-waiting", breaks: ["TIME-07"],
            "uses up the request timeout while it waits for connectivity"
        ) {
            $0.timers.waitingHoldsRequestTimer = false
        },
        SessionMutant(
            "resource-timer-rests-while-waiting", breaks: ["TIME-08"],
            "does not count the wait toward the resource timeout"
        ) {
            $0.timers.waitingHoldsResourceTimer = true
        },
        SessionMutant(
            "ignores-the-timeout-of-the-request", breaks: ["TIME-09"], "ignores the timeout of a request"
        ) {
            $0.timers.requestGoesBeforeSession = false
        },
        SessionMutant(
            "ignores-the-request-timeout", breaks: ["TIME-02", "TIME-03", "TIME-11"],
            "never times out on a silent server"
        ) {
            $0.timers.requestTimerRuns = false
        },
        SessionMutant(
            "ignores-the-resource-timeout", breaks: ["TIME-04", "TIME-05", "TIME-08"],
            "ignores the resource timeout while data arrives"
        ) {
            $0.timers.resourceTimerRuns = false
        },
        SessionMutant("suspension-runs-the-timers", breaks: ["TASK-08"], "times out while it is suspended") {
            $0.timers.suspensionHoldsTimers = false
        },
        SessionMutant(
            "answering-runs-the-timer", breaks: ["DLGT-11", "DLGT-12", "REDR-06", "AUTH-10"],
            "times out while the delegate decides"
        ) {
            $0.timers.decidingHoldsRequestTimer = false
        },
    ]
}
