/// The rules for a task's callbacks, their order, and its errors.
package struct TaskPolicy: Hashable, Sendable {
    /// Start tasks in the suspended state (TASK-01).
    package var startsSuspended = true
    /// Report nothing of a task that a background session refuses before it is resumed or cancelled (TASK-01).
    package var refusalsWaitForResume = true
    /// Stop the transfer in `suspend()` (TASK-08).
    package var suspensionStops = true
    /// End a cancelled task with `URLError.cancelled` (TASK-07).
    package var cancellationIsAnError = true
    /// Deliver the body only after the delegate's decision about the response (DLGT-11).
    package var waitsForDisposition = true
    /// Let the delegate decide about redirects.
    package var reportsRedirects = true
    /// A completion handler replaces the callbacks for the response, the data or the file, and the completion. The
    /// delegate still receives redirects, informational responses, upload progress and the creation of the task, as
    /// well as challenges, waiting and metrics (CONV-05 to CONV-07).
    ///
    /// Apple's page on `dataTask(with:completionHandler:)` says that only "delegate methods for response and data
    /// delivery" are bypassed, and the page on `willPerformHTTPRedirection` excepts only background sessions. The
    /// slides of WWDC 2014 and 2017, which omit every callback except challenges and waiting, are less precise.
    package var handlerTakesDeliveryOnly = true
    /// Deliver the file before the completion (DLGT-09).
    package var completesLast = true
    /// Complete each task once (DLGT-07).
    package var completesOnce = true
    /// Remove a downloaded file that is still in place after its callback has returned (DNLD-02).
    package var removesFile = true
    /// Never treat an HTTP status as an error (ERRR-01, CONV-03, DNLD-21).
    package var acceptsEveryStatus = true
    /// Add the session's additional fields to every request (CONF-08).
    package var addsSessionFields = true
    /// Prefer the request's own field over the session's (CONF-09).
    package var requestFieldWins = true
    /// Report an unknown length as unknown, not as a number (TASK-11, DNLD-05).
    package var admitsUnknownLength = true
    /// Send a body with every method (UPLD-15).
    package var sendsBodyWithEveryMethod = true
    /// Fail a streamed upload without a stream (UPLD-08); false: send an empty body.
    package var needsStream = true
    /// Request a new stream to send a body again (UPLD-06, UPLD-07); false: send nothing the second time, like a
    /// consumed stream.
    package var requestsFreshStream = true

    /// Show the response in the task from the response callback on (TASK-12).
    package var showsResponse = true
    /// List only tasks that have not completed (BKGD-07).
    package var listsOutstandingOnly = true
    /// List an upload task as an upload only, although it is a data task too (BKGD-06).
    package var listsByKind = true
}
