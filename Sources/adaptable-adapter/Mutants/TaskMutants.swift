@_spi(Mutants) import AdaptableSession

extension SessionMutant {
    /// Mutants in a task's callbacks, their order, and the errors of a task.
    static let telling = [
        SessionMutant("starts-at-once", breaks: ["TASK-01", "CONV-11", "DNLD-19"], "loads before it is resumed") {
            $0.tasks.startsSuspended = false
        },
        SessionMutant("refuses-at-once", breaks: ["TASK-01"], "ends a refused background task before it is resumed") {
            $0.tasks.refusalsWaitForResume = false
        },
        SessionMutant("suspension-does-nothing", breaks: ["TASK-08"], "continues loading while it is suspended") {
            $0.tasks.suspensionStops = false
        },
        SessionMutant("cancelling-succeeds", breaks: ["TASK-07", "ERRR-06"], "ends a cancelled task without an error") {
            $0.tasks.cancellationIsAnError = false
        },
        SessionMutant(
            "body-before-the-decision", breaks: ["DLGT-11", "DLGT-12", "DATA-05"],
            "delivers data before the response is allowed"
        ) {
            $0.tasks.waitsForDisposition = false
        },
        SessionMutant(
            "redirects-without-asking", breaks: ["REDR-02", "REDR-04", "REDR-05"],
            "follows redirects without calling the delegate"
        ) {
            $0.tasks.reportsRedirects = false
        },
        SessionMutant(
            "handler-takes-everything", breaks: ["CONV-05"],
            "does not call the delegate for redirects and upload progress of tasks with a completion handler"
        ) { $0.tasks.handlerTakesDeliveryOnly = false },
        SessionMutant(
            "completes-before-finish", breaks: ["DLGT-06", "DLGT-09", "DNLD-01"],
            "completes before it delivers the file"
        ) {
            $0.tasks.completesLast = false
        },
        SessionMutant("completes-twice", breaks: ["DLGT-07"], "reports the completion of a task twice") {
            $0.tasks.completesOnce = false
        },
        SessionMutant("leaves-files", breaks: ["DNLD-02"], "does not delete the temporary file of a download") {
            $0.tasks.removesFile = false
        },
        SessionMutant(
            "status-is-an-error", breaks: ["ERRR-01", "ERRR-02", "DNLD-21", "CONV-02", "CONV-03"],
            "fails on an HTTP error status"
        ) {
            $0.tasks.acceptsEveryStatus = false
        },
        SessionMutant(
            "forgets-session-headers", breaks: ["CONF-08", "CONF-10"], "does not send the session's header fields"
        ) {
            $0.tasks.addsSessionFields = false
        },
        SessionMutant(
            "session-header-wins", breaks: ["CONF-09"], "prefers the session's header field over the request's"
        ) {
            $0.tasks.requestFieldWins = false
        },
        SessionMutant(
            "invents-a-length", breaks: ["TASK-11", "DNLD-05"], "reports an expected length that was not announced"
        ) {
            $0.tasks.admitsUnknownLength = false
        },
        SessionMutant("get-without-its-body", breaks: ["UPLD-15"], "drops the body of a GET") {
            $0.tasks.sendsBodyWithEveryMethod = false
        },
        SessionMutant("missing-stream-is-empty", breaks: ["UPLD-08"], "sends an empty body when the stream is missing")
        {
            $0.tasks.needsStream = false
        },
        SessionMutant(
            "spent-stream", breaks: ["UPLD-06", "UPLD-07"], "sends a streamed body again without a new stream"
        ) {
            $0.tasks.requestsFreshStream = false
        },
        SessionMutant(
            "invalidation-comes-early", breaks: ["INVL-04"], "reports its invalidation before its tasks have ended"
        ) {
            $0.invalidation.comesLast = false
        },
        SessionMutant(
            "invalidation-does-not-cancel", breaks: ["INVL-02"], "lets tasks continue after invalidateAndCancel"
        ) {
            $0.invalidation.cancelsTasks = false
        },
        SessionMutant(
            "finishing-cancels", breaks: ["INVL-03"], "cancels what finishTasksAndInvalidate should let finish"
        ) {
            $0.invalidation.finishesTasks = false
        },
    ]
}
