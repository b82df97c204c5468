import AdapterProtocol

/// The facts about an earlier task that later steps need.
struct TaskEntry: Hashable {
    var name: TaskName
    var kind: TaskDescription.Kind
    var delivery: TaskDescription.Delivery
    var becomesDownload: Bool
    /// Decisions that wait for a `release`.
    var held: Set<TaskPolicies.Decision> = []
    /// The events whose first callback waits for a `release` too.
    var stalled: Set<TaskEventName> = []
    var url: String
    /// The app whose session made it.
    var app: String?
    /// The number of the process that made it, if its memory of resume data ends with that process.
    var needsProcess: Int?
    /// The number of suspends, including the one at creation, minus the number of resumes.
    var suspensions: Int

    /// Returns the reason that this event never happens for this task, with the option that would enable it; nil if it
    /// can happen.
    func problem(of event: TaskEventName) -> String? {
        switch event {
        case .completionHandler:
            delivery == .delegate
                ? "`\(name)` reports to the delegate; wait for `\(name).didComplete`, or give the task `completionHandler: true`"
                : nil
        case .didComplete, .didReceiveResponse, .didWriteData, .didBecomeDownload:
            delivery == .completionHandler
                ? "`\(name)` reports to a completion handler, never `\(event.rawValue)`; wait for `\(name).completionHandler`"
                : nil
        case .didFinishDownloading, .didResumeAtOffset, .fileContent:
            kind == .download || becomesDownload
                ? nil : "`\(name)` is not a download and never reports `\(event.rawValue)`"
        case .streamRead, .streamWritten, .readClosed, .writeClosed, .didBecomeStreams:
            kind == .stream ? nil : "`\(name)` is not a stream and never reports `\(event.rawValue)`"
        case .didCreateTask, .taskIsWaitingForConnectivity, .didReceiveChallenge, .needNewBodyStream, .didSendBodyData,
            .didReceiveInformationalResponse, .willPerformRedirect, .didReceiveData, .willCacheResponse,
            .didFinishCollectingMetrics, .resumeDataProduced, .retainedContent, .retained, .inspected, .cacheInspected,
            .callbackBegan,
            .callbackEnded, .progressRead, .storeAccess, .propertyRead, .protocolLoad, .willBeginDelayedRequest:
            nil
        }
    }
}
