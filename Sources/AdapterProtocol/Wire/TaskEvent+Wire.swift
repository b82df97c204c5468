extension TaskEvent {
    func put(into line: inout WireObject) {
        switch self {
        case .didCreateTask, .willBeginDelayedRequest, .taskIsWaitingForConnectivity, .needNewBodyStream,
            .didBecomeDownload, .willCacheResponse, .readClosed, .writeClosed, .didBecomeStreams:
            break
        case .didReceiveChallenge(let challenge):
            line.set("level", challenge.level.rawValue)
            line.set("method", challenge.method)
            line.set("realm", challenge.realm)
            line.set("host", challenge.host)
            line.set("previousFailureCount", Int64(challenge.previousFailureCount))
            line.set("isProxy", challenge.isProxy)
        case .didSendBodyData(let sent, let totalSent, let expected):
            line.set("sent", sent)
            line.set("totalSent", totalSent)
            line.set("expected", expected)
        case .didReceiveInformationalResponse(let status): line.set("status", Int64(status))
        case .willPerformRedirect(let status, let url, let method):
            line.set("status", Int64(status))
            line.set("url", url)
            line.set("method", method)
        case .didReceiveResponse(let response): response.put(into: &line)
        case .didReceiveData(let bytes): line.set(bytes: bytes)
        case .didResumeAtOffset(let offset, let expected):
            line.set("offset", offset)
            line.set("expected", expected)
        case .didWriteData(let written, let totalWritten, let expected):
            line.set("written", written)
            line.set("totalWritten", totalWritten)
            line.set("expected", expected)
        case .fileContent(let offset, let bytes):
            line.set("offset", offset)
            line.set(bytes: bytes)
        case .didFinishDownloading(let length): line.set("length", length)
        case .didFinishCollectingMetrics(let transactions, let metrics):
            line.set("transactions", Int64(transactions))
            line.set("metrics", metrics?.wire)
        case .didComplete(let failure, let length):
            line.set("error", failure?.wire)
            line.set("resumeDataLength", length.map { Int64($0) })
        case .completionHandler(let response, let failure, let length):
            if let response {
                var object = WireObject()
                response.put(into: &object)
                line.set("response", object)
            }
            line.set("error", failure?.wire)
            line.set("resumeDataLength", length.map { Int64($0) })
        case .resumeDataProduced(let length): line.set("length", length.map { Int64($0) })
        case .inspected(let state, let received, let sent, let expectedToReceive, let expectedToSend):
            line.set("state", state)
            line.set("bytesReceived", received)
            line.set("bytesSent", sent)
            line.set("expectedToReceive", expectedToReceive)
            line.set("expectedToSend", expectedToSend)
        case .retainedContent(let offset, let bytes):
            line.set("offset", offset)
            line.set(bytes: bytes)
        case .retained(let length, let isInPlace):
            line.set("length", length)
            line.set("isInPlace", isInPlace)
        case .cacheInspected(let stored, let usage):
            if let stored {
                var object = WireObject()
                stored.response.put(into: &object)
                line.set("response", object)
                line.set(bytes: stored.body)
            }
            line.set("memoryUsage", usage.memory)
            line.set("diskUsage", usage.disk)
        case .callbackBegan(let callback, let isOnQueue):
            line.set("callback", callback.rawValue)
            line.set("isOnQueue", isOnQueue)
        case .callbackEnded(let callback): line.set("callback", callback.rawValue)
        case .progressRead(let reading): reading.put(into: &line)
        case .streamRead(let bytes, let isAtEnd, let failure):
            line.set(bytes: bytes)
            line.set("isAtEnd", isAtEnd)
            line.set("error", failure?.wire)
        case .streamWritten(let failure): line.set("error", failure?.wire)
        case .storeAccess(let question):
            line.set("store", question.store.rawValue)
            line.set("action", question.action.rawValue)
            line.set("url", question.url)
        case .propertyRead(let property, let value):
            line.set("property", property.rawValue)
            line.set("value", value)
        case .protocolLoad(let number, let url):
            line.set("number", Int64(number))
            line.set("url", url)
        }
    }

    init(_ name: TaskEventName, _ fields: WireFields) throws(WireError) {
        switch name {
        case .didCreateTask: self = .didCreateTask
        case .willBeginDelayedRequest: self = .willBeginDelayedRequest
        case .taskIsWaitingForConnectivity: self = .taskIsWaitingForConnectivity
        case .needNewBodyStream: self = .needNewBodyStream
        case .didBecomeDownload: self = .didBecomeDownload
        case .willCacheResponse: self = .willCacheResponse
        case .didReceiveChallenge:
            self = .didReceiveChallenge(
                Challenge(
                    level: try fields.word("level"), method: try fields.text("method"),
                    realm: try fields.optional("realm", fields.text), host: try fields.text("host"),
                    previousFailureCount: try fields.count("previousFailureCount"),
                    isProxy: try fields.optional("isProxy", fields.boolean)))
        case .didSendBodyData:
            self = .didSendBodyData(
                sent: try fields.integer("sent"), totalSent: try fields.integer("totalSent"),
                expected: try fields.integer("expected"))
        case .didReceiveInformationalResponse:
            self = .didReceiveInformationalResponse(status: try fields.count("status"))
        case .willPerformRedirect:
            self = .willPerformRedirect(
                status: try fields.count("status"), url: try fields.text("url"), method: try fields.text("method"))
        case .didReceiveResponse: self = .didReceiveResponse(try Response(fields))
        case .didReceiveData: self = .didReceiveData(try fields.bytes("base64"))
        case .didResumeAtOffset:
            self = .didResumeAtOffset(offset: try fields.integer("offset"), expected: try fields.integer("expected"))
        case .didWriteData:
            self = .didWriteData(
                written: try fields.integer("written"), totalWritten: try fields.integer("totalWritten"),
                expected: try fields.integer("expected"))
        case .fileContent: self = .fileContent(offset: try fields.integer("offset"), try fields.bytes("base64"))
        case .didFinishDownloading: self = .didFinishDownloading(length: try fields.integer("length"))
        case .didFinishCollectingMetrics:
            self = .didFinishCollectingMetrics(
                transactions: try fields.count("transactions"),
                metrics: fields.has("metrics") ? try TaskMetrics(fields.object("metrics")) : nil)
        case .didComplete:
            self = .didComplete(
                try Failure(optional: fields), resumeDataLength: try fields.optional("resumeDataLength", fields.count))
        case .completionHandler:
            self = .completionHandler(
                fields.has("response") ? try Response(try fields.object("response")) : nil,
                try Failure(optional: fields),
                resumeDataLength: try fields.optional("resumeDataLength", fields.count))
        case .resumeDataProduced: self = .resumeDataProduced(length: try fields.optional("length", fields.count))
        case .inspected:
            self = .inspected(
                state: try fields.text("state"), bytesReceived: try fields.integer("bytesReceived"),
                bytesSent: try fields.integer("bytesSent"), expectedToReceive: try fields.integer("expectedToReceive"),
                expectedToSend: try fields.integer("expectedToSend"))
        case .retainedContent:
            self = .retainedContent(offset: try fields.integer("offset"), try fields.bytes("base64"))
        case .retained:
            self = .retained(
                length: try fields.optional("length", fields.integer),
                isInPlace: try fields.optional("isInPlace", fields.boolean))
        case .cacheInspected:
            var stored: StoredResponse?
            if fields.has("response") {
                stored = StoredResponse(
                    response: try Response(try fields.object("response")), body: try fields.bytes("base64"))
            }
            self = .cacheInspected(
                stored,
                usage: CacheUsage(
                    memory: try fields.optional("memoryUsage", fields.count).map { Int64($0) },
                    disk: try fields.optional("diskUsage", fields.count).map { Int64($0) }))
        case .callbackBegan:
            self = .callbackBegan(
                try fields.word("callback", TaskEventName.self), isOnQueue: try fields.boolean("isOnQueue"))
        case .callbackEnded: self = .callbackEnded(try fields.word("callback", TaskEventName.self))
        case .progressRead: self = .progressRead(try ProgressReading(fields))
        case .streamRead:
            self = .streamRead(
                try fields.bytes("base64"), isAtEnd: try fields.boolean("isAtEnd"), try Failure(optional: fields))
        case .streamWritten: self = .streamWritten(try Failure(optional: fields))
        case .readClosed: self = .readClosed
        case .writeClosed: self = .writeClosed
        case .didBecomeStreams: self = .didBecomeStreams
        case .storeAccess:
            self = .storeAccess(
                StoreAccess(
                    store: try fields.word("store", SpyStore.self),
                    action: try fields.word("action", StoreAccess.Action.self),
                    url: try fields.text("url")))
        case .propertyRead:
            self = .propertyRead(
                try fields.word("property", TaskProperty.self), try fields.optional("value", fields.text))
        case .protocolLoad: self = .protocolLoad(number: try fields.count("number"), url: try fields.text("url"))
        }
    }
}

extension TaskEvent.Response {
    func put(into line: inout WireObject) {
        line.set("status", Int64(status))
        line.set("url", url)
        line.set("headers", headers: headers)
        line.set("expectedLength", expectedLength)
    }

    init(_ fields: WireFields) throws(WireError) {
        self.init(
            status: try fields.count("status"), url: try fields.text("url"),
            headers: try fields.optional("headers", fields.headers) ?? [],
            expectedLength: try fields.integer("expectedLength"))
    }
}
