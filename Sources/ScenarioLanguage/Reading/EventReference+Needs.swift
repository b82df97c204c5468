package import AdapterProtocol

extension EventReference {
    /// The capabilities that an implementation needs to report this event.
    package var needs: Set<Capability> {
        switch self {
        case .session(_, let event): event.needs
        case .task(_, let event): event.needs
        }
    }
}

extension SessionEventName {
    package var needs: Set<Capability> {
        switch self {
        case .didBecomeInvalid: [.invalidate]
        case .delegateReleased: [.delegateRelease]
        case .didFinishEvents: [.backgroundSession]
        case .tasksListed: [.taskList]
        case .didFlush, .didReset: [.sessionReset]
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
        case .willBeginDelayedRequest: [.backgroundSession]
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

extension Capability {
    /// The capabilities that only state which events a client reports, where they follow from an event. A client that
    /// lists its events in the reply to `hello` need not offer them.
    static let ofReporting: Set<Capability> = [
        .redirectDecision, .uploadProgress, .downloadProgress, .informationalResponse, .metrics,
    ]
}

extension Trigger {
    /// The event that is awaited; nil for a moment that the servers or the links observe.
    package var event: EventReference? {
        switch moment {
        case .event(let task, let event, count: _): .task(task, event)
        case .sessionEvent(let session, let event, count: _): .session(session, event)
        case .sinceStart, .relaunch, .request, .responseSent, .acknowledged, .server, .connection, .proxy, .query,
            .packet, .wireBytes:
            nil
        }
    }

    /// The capabilities without which the moment never comes.
    var needs: Set<Capability> {
        if case .task(_, .didReceiveData) = event { return [.incrementalData] }
        if case .relaunch = moment { return [.backgroundSession] }
        return event?.needs ?? []
    }
}
