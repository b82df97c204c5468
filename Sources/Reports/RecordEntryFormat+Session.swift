import AdapterProtocol

extension RecordEntryFormat {
    private static func listed(_ reports: ReportedEvents) -> String {
        reports.names.isEmpty
            ? "; it reports no events" : "; it reports only \(reports.names.sorted().joined(separator: ", "))"
    }

    /// Returns a sentence about an event, with the names that scenarios use.
    static func sentence(_ kind: SessionEvent.Kind) -> String {
        switch kind {
        case .hello(let implementation, let capabilities, let reports):
            "hello from \(implementation.name) \(implementation.version) (\(implementation.language)), offering "
                + "\(capabilities.values.count { $0 }) of \(capabilities.count) capabilities"
                + (reports.map(listed) ?? "")
        case .task(let task, let event):
            "\(task).\(event.name.rawValue)" + { $0.isEmpty ? "" : ": " + $0 }(details(event))
        case .didBecomeInvalid(let session, let error):
            "\(session).didBecomeInvalid" + (error.map { ": \(describe($0))" } ?? "")
        case .delegateReleased(let session): "\(session).delegateReleased"
        case .didFinishEvents(let session): "\(session).didFinishEvents"
        case .sessionPropertyRead(let session, let property, let value):
            "\(session).sessionPropertyRead: \(property.rawValue) \(value ?? "nothing")"
        case .emptied(let session, .flush): "\(session).didFlush"
        case .emptied(let session, .reset): "\(session).didReset"
        case .tasksListed(let session, let tasks):
            "\(session).tasksListed: " + (tasks.isEmpty ? "none" : tasks.map(describe).joined(separator: "; "))
        case .unsupported(let feature): "the adapter does not support \(feature)"
        case .adapterFailed(let message): "the adapter itself failed: \(message)"
        case .log(let text): "log: \(text)"
        case .unknown(let name, let line): "unknown event \(name): \(line)"
        }
    }

    private static func details(_ event: TaskEvent) -> String {
        switch event {
        case .didCreateTask, .willBeginDelayedRequest, .taskIsWaitingForConnectivity, .needNewBodyStream,
            .didBecomeDownload, .willCacheResponse,
            .readClosed,
            .writeClosed, .didBecomeStreams:
            ""
        case .didReceiveChallenge(let challenge):
            "\(challenge.method) challenge for the \(challenge.level.rawValue), host \(challenge.host)"
                + (challenge.realm.map { ", realm \"\($0)\"" } ?? "")
                + ", previous failures \(challenge.previousFailureCount)"
        case .didSendBodyData(let sent, let total, let expected): progress(sent, total, expected)
        case .didReceiveInformationalResponse(let status): "\(status)"
        case .willPerformRedirect(let status, let url, let method): "\(status), to \(method) \(url)"
        case .didReceiveResponse(let response): describe(response)
        case .didReceiveData(let bytes): "\(bytes.count) bytes"
        case .didResumeAtOffset(let offset, let expected): "offset \(offset), \(length(expected)) expected in total"
        case .didWriteData(let written, let total, let expected): progress(written, total, expected)
        case .fileContent(let offset, let bytes): "\(bytes.count) bytes from \(offset) on"
        case .didFinishDownloading(let length): "file of \(length) bytes"
        case .didFinishCollectingMetrics(let transactions, let metrics):
            "\(transactions) \(transactions == 1 ? "transaction" : "transactions")"
                + (metrics.map { "; " + describe($0) } ?? "")
        case .didComplete(let failure, let resumeData): end(failure, resumeData)
        case .completionHandler(let response, let failure, let resumeData):
            (response.map { describe($0) + "; " } ?? "no response; ") + end(failure, resumeData)
        case .resumeDataProduced(let length): length.map { "\($0) bytes of resume data" } ?? "no resume data"
        case .inspected(let state, let received, let sent, let expectedToReceive, let expectedToSend):
            "\(state), received \(received) of \(length(expectedToReceive)), sent \(sent) of \(length(expectedToSend))"
        case .retainedContent(let offset, let bytes): "\(bytes.count) bytes from \(offset) on"
        case .retained(let length, let isInPlace):
            (length.map { "\($0) bytes kept" } ?? "nothing kept")
                + (isInPlace.map { $0 ? ", the file is at its location" : ", the file is missing from its location" }
                    ?? "")
        case .callbackBegan(let callback, let isOnQueue):
            "\(callback.rawValue)\(isOnQueue ? "" : ", not on the session's queue")"
        case .callbackEnded(let callback): callback.rawValue
        case .progressRead(let reading):
            "\(reading.completed) of \(reading.total), fraction \(reading.fraction)"
                + (reading.isCancelled ? ", cancelled" : "")
                + (reading.isPaused ? ", paused" : "") + (reading.description.map { ", \"\($0)\"" } ?? "")
                + (reading.additionalDescription.map { ", \"\($0)\"" } ?? "")
                + (reading.joint.map { ", joint fraction \($0)" } ?? "")
        case .streamRead(let bytes, let isAtEnd, let failure):
            "\(bytes.count) bytes\(isAtEnd ? ", the last" : "")" + (failure.map { ", \(describe($0))" } ?? "")
        case .streamWritten(let failure): failure.map(describe) ?? ""
        case .cacheInspected(let stored, let usage):
            (stored.map { "\(describe($0.response)), \($0.body.count) bytes stored" } ?? "nothing stored")
                + (usage.memory.map { ", \($0) bytes in memory" } ?? "")
                + (usage.disk.map { ", \($0) bytes on disk" } ?? "")
        case .protocolLoad(let number, let url): "class \(number), \(url)"
        case .storeAccess(let question): "\(question.store.rawValue), \(question.action.rawValue), \(question.url)"
        case .propertyRead(let property, let value): "\(property.rawValue) \(value ?? "nothing")"
        }
    }

    private static func describe(_ listed: ListedTask) -> String {
        "\(listed.kind.rawValue) \(listed.task?.text ?? "of an unknown name"), \(listed.state), number \(listed.identifier)"
            + (listed.clientExpectsToSend.map { ", to send \(length($0))" } ?? "")
            + (listed.clientExpectsToReceive.map { ", to receive \(length($0))" } ?? "")
    }

    private static func describe(_ metrics: TaskMetrics) -> String {
        let requests = metrics.transactions.map { transaction in
            "\(transaction.source.rawValue), \(transaction.isReused ? "reused" : "new") connection, "
                + "\(transaction.bodyBytesReceived) bytes received, \(transaction.bodyBytesDecoded) decoded"
        }
        return (["\(metrics.redirects) redirects in \(metrics.length) µs"] + requests).joined(separator: "; ")
    }

    private static func end(_ failure: Failure?, _ resumeData: Int?) -> String {
        (failure.map(describe) ?? "no error") + (resumeData.map { ", \($0) bytes of resume data" } ?? "")
    }

    private static func describe(_ failure: Failure) -> String {
        failure.text.isEmpty ? failure.summary : "\(failure.summary) \"\(failure.text)\""
    }

    private static func describe(_ response: TaskEvent.Response) -> String {
        "status \(response.status), \(length(response.expectedLength)) expected, \(response.url)"
    }

    private static func progress(_ now: Int64, _ total: Int64, _ expected: Int64) -> String {
        "\(now) bytes, \(total) of \(length(expected))"
    }

    /// Returns the length as text; -1 stands for an unknown length.
    private static func length(_ bytes: Int64) -> String { bytes < 0 ? "an unknown number of bytes" : "\(bytes) bytes" }
}
