package import AdapterProtocol

extension EventReference {
    /// The capabilities that an implementation needs to report this event.
    package var needs: Set<Capability> {
        switch self {
        case .invalidated: [.invalidate]
        case .delegateReleased: [.delegateRelease]
        case .task(_, let event): event.needs
        }
    }
}

extension TaskEventName {
    package var needs: Set<Capability> {
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

extension Trigger {
    /// The capabilities without which the moment never comes.
    var needs: Set<Capability> {
        switch moment {
        case .event(_, let event, count: _): event.needs
        case .invalidated(let session): EventReference.invalidated(session).needs
        case .delegateReleased(let session): EventReference.delegateReleased(session).needs
        case .time, .request, .responseBody, .acknowledged, .server, .connection, .proxy, .query, .packet, .wireBytes:
            []
        }
    }
}
