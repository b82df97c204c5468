import AdapterProtocol

/// What later steps need to know of a task that the steps make.
struct TaskEntry: Hashable {
    var name: TaskName
    var kind: TaskDescription.Kind
    var delivery: TaskDescription.Delivery
    var becomesDownload: Bool
    /// Decisions that wait for a `release`.
    var held: Set<TaskPolicies.Decision> = []
    /// The first callback of these names waits for a `release` too.
    var stalled: Set<TaskEventName> = []
    var url: String
    /// How many more suspends (the one at birth included) than starts there were.
    var suspensions: Int

    /// Why this event never comes for this task, with what would; nil when it may come.
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
                ? nil : "`\(name)` is no download and never reports `\(event.rawValue)`"
        case .streamRead, .streamWritten, .readClosed, .writeClosed, .didBecomeStreams:
            kind == .stream ? nil : "`\(name)` is no stream and never reports `\(event.rawValue)`"
        case .didCreateTask, .taskIsWaitingForConnectivity, .didReceiveChallenge, .needNewBodyStream, .didSendBodyData,
            .didReceiveInformationalResponse, .willPerformRedirect, .didReceiveData, .willCacheResponse,
            .didFinishCollectingMetrics, .resumeDataProduced, .retainedContent, .retained, .inspected, .cacheInspected,
            .callbackBegan,
            .callbackEnded, .progressRead, .storeAccess, .propertyRead, .protocolLoad:
            nil
        }
    }
}
