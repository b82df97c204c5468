/// What a task tells, in which order, and what it takes for an error.
package struct TaskPolicy: Hashable, Sendable {
    /// Nothing happens before `resume()` (TASK-01).
    package var startsSuspended = true
    /// `suspend()` stops progress (TASK-08).
    package var suspensionStops = true
    /// A cancelled task ends with `URLError.cancelled` (TASK-07).
    package var cancellationIsAnError = true
    /// No body before the answer to the response message (DLGT-11).
    package var waitsForDisposition = true
    /// The delegate decides about redirects.
    package var reportsRedirects = true
    /// A completion handler takes the place of the response, the data or the file, and the end. Redirects, interim responses, the
    /// progress of an upload and the creation of the task stay the delegate's, as challenges, waiting and metrics do (CONV-05 to CONV-07).
    ///
    /// Apple's page on `dataTask(with:completionHandler:)` has only "delegate methods for response and data delivery" bypassed, and the
    /// page on `willPerformHTTPRedirection` excepts only background sessions. The slides of WWDC 2014 and 2017, which leave out every
    /// message but challenges and waiting, are the coarser source.
    package var handlerTakesDeliveryOnly = true
    /// The completion comes behind the file (DLGT-09), and the file before the completion.
    package var completesLast = true
    /// One completion for each task (DLGT-07).
    package var completesOnce = true
    /// A downloaded file that was left in place is removed when its callback has returned (DNLD-02).
    package var removesFile = true
    /// An HTTP status is never an error (ERRR-01, CONV-03, DNLD-21).
    package var acceptsEveryStatus = true
    /// The session's additional fields go with every request (CONF-08).
    package var addsSessionFields = true
    /// The request's own field goes before the session's (CONF-09).
    package var requestFieldWins = true
    /// A length that was not announced is unknown, not a number (TASK-11, DNLD-05).
    package var admitsUnknownLength = true
    /// A body is sent whatever the method is (UPLD-15).
    package var sendsBodyWithEveryMethod = true
    /// A streamed upload without a stream fails (UPLD-08); false sends nothing in its place.
    package var needsStream = true
    /// A body that is sent again comes from a fresh stream (UPLD-06, UPLD-07); false sends nothing the second time, as a spent stream would.
    package var requestsFreshStream = true
    /// 1xx responses are told, and the final one is waited for (ERRR-08).
    package var deliversInformational = true
    /// An error leaves no data to a completion handler (CONV-14).
    package var errorHidesData = true

    /// The task shows its response from the response message on (TASK-12).
    package var showsResponse = true

    package init() {}
}
