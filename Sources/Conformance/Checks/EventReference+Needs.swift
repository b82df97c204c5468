import ScenarioLanguage
import AdapterProtocol

extension EventReference {
    /// The capabilities that an implementation needs to report this event.
    var needs: Set<Capability> {
        switch self {
        case .invalidated: [.invalidate]
        case .delegateReleased: [.delegateRelease]
        case .task(_, let event): event.needs
        }
    }
}

extension TaskEventName {
    var needs: Set<Capability> {
        switch self {
        case .taskIsWaitingForConnectivity: [.waitsForConnectivity]
        case .didSendBodyData: [.uploadProgress]
        case .didWriteData: [.downloadProgress]
        case .didReceiveInformationalResponse: [.informationalResponse]
        case .willPerformRedirect: [.redirectDecision]
        case .didBecomeDownload: [.becomeDownload]
        case .didResumeAtOffset: [.resumeData]
        case .didFinishCollectingMetrics: [.metrics]
        case .completionHandler: [.completionHandler]
        case .resumeDataProduced: [.cancelProducingResumeData]
        case .inspected: [.inspectTask]
        case .retained, .retainedContent: [.readRetained]
        case .cacheInspected: [.cacheLookup]
        case .callbackBegan, .callbackEnded: [.delegateQueue]
        case .progressRead: [.progress]
        case .didBecomeStreams: [.streamTask, .streamCapture]
        case .streamRead, .streamWritten, .readClosed, .writeClosed: [.streamTask]
        case .propertyRead: [.taskProperties]
        case .didCreateTask, .didReceiveChallenge, .needNewBodyStream, .didReceiveResponse, .didReceiveData,
            .fileContent,
            .didFinishDownloading, .willCacheResponse, .didComplete, .storeAccess, .protocolLoad:
            []
        }
    }
}
