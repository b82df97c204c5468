import AdapterProtocol

/// One exchange that uses every command and every event; the golden lines hold the same in the order of the files'
/// lines.
///
/// The values are chosen so that a mix-up is visible: no two numbers of one event are equal, times and offsets are
/// beyond 2^53 where a floating-point conversion would round them, and texts contain characters that JSON must escape.
enum Examples {
    /// Too large for a Double to hold exactly.
    static let large: Int64 = 9_007_199_254_740_993

    static let commands: [AdapterCommandName: [AdapterCommand]] = [
        .hello: [.hello(capabilities: ["download", "resumeData", "teleportsPackets"])],
        .makeSession: [
            .makeSession(.main, SessionConfiguration()), .makeSession("other", configuration),
            .makeSession("third", storing),
            .makeSession("fourth", watching), .makeSession("fifth", queued),
            .makeSession("sixth", loading), .makeSession("seventh", transferring),
        ],
        .makeTask: [
            .makeTask(TaskDescription(task: "first", kind: .data, url: "http://api.test/hello")), .makeTask(upload),
            .makeTask(download), .makeTask(cached), .makeTask(streamed), .makeTask(stalling),
            .makeTask(TaskDescription(task: "sixth", kind: .stream, url: "tcp://api.test:80")),
        ],
        .resume: [.resume("first")],
        .suspend: [.suspend("first")],
        .cancel: [.cancel("first")],
        .cancelProducingResumeData: [.cancelProducingResumeData("first")],
        .inspect: [.inspect("first")],
        .release: [.release("first")],
        .readRetained: [.readRetained("first")],
        .inspectCache: [.inspectCache("first", by: .request), .inspectCache("second", by: .task)],
        .progress: [.progress("first", .read), .progress("second", .pause)],
        .stream: [
            .stream("first", .read(minimum: 1, maximum: 2)), .stream("first", .write([0, 255])),
            .stream("first", .secure),
            .stream("first", .closeRead), .stream("first", .closeWrite), .stream("first", .captureStreams),
            .stream("first", .readCaptured(minimum: 1, maximum: 2)), .stream("first", .writeCaptured([0, 255])),
            .stream("first", .closeCaptured),
        ],
        .readProperty: [.readProperty("first", .response), .readProperty("second", .handlerQueue)],
        .readSessionProperty: [.readSessionProperty("other", .settings)],
        .listTasks: [.listTasks("other")],
        .configure: [.configure("other", through: .original, changed), .configure(.main, through: .readBack, changed)],
        .invalidate: [.invalidate(.main, cancelling: true), .invalidate("other", cancelling: false)],
        .flush: [.empty("other", .flush)],
        .reset: [.empty(.main, .reset)],
        .end: [.end],
        .restoreTask: [.restoreTask(delayed)],
        .setApplicationState: [.setApplicationState(.background), .setApplicationState(.foreground)],
    ]

    private static var metrics: TaskMetrics {
        var transaction = TaskMetrics.Transaction()
        transaction.source = .network
        transaction.isReused = true
        transaction.protocolName = "h2"
        transaction.times = [.fetchStart: -1, .responseEnd: large]
        transaction.bodyBytesSent = 1
        transaction.bodyBytesReceived = 2
        transaction.bodyBytesDecoded = large
        return TaskMetrics(redirects: 3, length: large, transactions: [transaction, TaskMetrics.Transaction()])
    }

    private static var configuration: SessionConfiguration {
        var configuration = SessionConfiguration()
        configuration.kind = .standard
        configuration.waitsForConnectivity = true
        configuration.requestTimeout = .milliseconds(2500)
        configuration.resourceTimeout = .seconds(60)
        configuration.headers = [HeaderField("X-Lab", "a"), HeaderField("X-Lab", "b")]
        configuration.maximumConnectionsPerHost = 2
        configuration.pipelining = true
        configuration.allowsCellularAccess = false
        configuration.allowsExpensiveNetworkAccess = false
        configuration.allowsConstrainedNetworkAccess = true
        configuration.minimumTLSVersion = .tls12
        configuration.maximumTLSVersion = .tls13
        return configuration
    }

    private static var watching: SessionConfiguration {
        var configuration = SessionConfiguration()
        configuration.kind = .shared
        configuration.hasDelegate = false
        configuration.spies = [.credentials, .cookies]
        configuration.serviceType = .video
        return configuration
    }

    private static var changed: SessionConfiguration {
        var configuration = SessionConfiguration()
        configuration.headers = [HeaderField("X-Lab", "c")]
        return configuration
    }

    private static var upload: TaskDescription {
        var task = TaskDescription(task: "second", kind: .upload, url: "https://api.test/submit?a=1&b=ü")
        task.session = "other"
        task.delivery = .completionHandler
        task.method = "PUT"
        task.headers = [HeaderField("Content-Type", "text/plain; charset=\"utf-8\"")]
        task.body = .bytes([0, 1, 254, 255])
        task.timeout = .nanoseconds(1_500_000_001)
        task.policies.challenges = [
            .credential(user: "ann", password: "pass \\ word"), .performDefaultHandling, .rejectProtectionSpace,
            .cancel,
        ]
        task.hasOwnDelegate = true
        task.policies.redirect = .to(url: "http://other.test/", method: "PUT", body: "new")
        task.policies.response = .becomeDownload
        return task
    }

    private static var download: TaskDescription {
        var task = TaskDescription(task: "third", kind: .download, url: "http://api.test/big")
        task.body = .file(path: "/mnt/body")
        task.resumesFrom = "first"
        task.policies.redirect = .refuse
        return task
    }

    private static var streamed: TaskDescription {
        var task = TaskDescription(task: "fourth", kind: .upload, url: "http://api.test/submit")
        task.body = .bytes([0, 255])
        task.stream = TaskDescription.BodyStream(supplies: 2, fails: true)
        task.requestBody = [46]
        task.retainsDelivered = true
        task.policies.challenges = [.cancel]
        task.policies.held = [.response, .challenge, .redirect]
        return task
    }

    static let taskEvents: [TaskEventName: [TaskEvent]] = [
        .didCreateTask: [.didCreateTask],
        .willBeginDelayedRequest: [.willBeginDelayedRequest],
        .taskIsWaitingForConnectivity: [.taskIsWaitingForConnectivity],
        .didReceiveChallenge: [
            .didReceiveChallenge(
                TaskEvent.Challenge(
                    level: .task, method: "httpBasic", realm: "lab", host: "api.test", previousFailureCount: 1)),
            .didReceiveChallenge(
                TaskEvent.Challenge(
                    level: .session, method: "serverTrust", realm: nil, host: "api.test", previousFailureCount: 0)),
        ],
        .needNewBodyStream: [.needNewBodyStream],
        .didSendBodyData: [.didSendBodyData(sent: 1, totalSent: 2, expected: -1)],
        .didReceiveInformationalResponse: [.didReceiveInformationalResponse(status: 103)],
        .willPerformRedirect: [.willPerformRedirect(status: 302, url: "http://api.test/new", method: "GET")],
        .didReceiveResponse: [.didReceiveResponse(response)],
        .didReceiveData: [.didReceiveData(Array("hello".utf8)), .didReceiveData([])],
        .didBecomeDownload: [.didBecomeDownload],
        .didResumeAtOffset: [.didResumeAtOffset(offset: large, expected: large + 2)],
        .didWriteData: [.didWriteData(written: 3, totalWritten: large, expected: large + 2)],
        .fileContent: [.fileContent(offset: 65_536, [0, 255])],
        .didFinishDownloading: [.didFinishDownloading(length: 65_538)],
        .willCacheResponse: [.willCacheResponse],
        .didFinishCollectingMetrics: [
            .didFinishCollectingMetrics(transactions: 2),
            .didFinishCollectingMetrics(transactions: 1, metrics: metrics),
        ],
        .didComplete: [
            .didComplete(nil, resumeDataLength: nil), .didComplete(lost, resumeDataLength: 310),
            .didComplete(Failure(class: .truncated, text: "3 of 5 bytes"), resumeDataLength: nil),
            .didComplete(Failure(domain: "curl", code: 18, text: "", class: .truncated), resumeDataLength: nil),
        ],
        .completionHandler: [
            .completionHandler(response, nil, resumeDataLength: nil),
            .completionHandler(nil, lost, resumeDataLength: 310),
        ],
        .resumeDataProduced: [.resumeDataProduced(length: 310), .resumeDataProduced(length: nil)],
        .retainedContent: [.retainedContent(offset: 65_537, [0, 254])],
        .retained: [.retained(length: 65_539, isInPlace: false), .retained(length: nil, isInPlace: nil)],
        .inspected: [
            .inspected(state: "running", bytesReceived: 1, bytesSent: 2, expectedToReceive: 3, expectedToSend: -1)
        ],
        .storeAccess: [
            .storeAccess(TaskEvent.StoreAccess(store: .cookies, action: .read, url: "http://api.test/a")),
            .storeAccess(TaskEvent.StoreAccess(store: .cache, action: .write, url: "")),
        ],
        .protocolLoad: [.protocolLoad(number: 2, url: "moof://dogcow/a")],
        .propertyRead: [.propertyRead(.classes, "data upload"), .propertyRead(.response, nil)],
        .cacheInspected: [
            .cacheInspected(
                TaskEvent.StoredResponse(response: response, body: Array("hello".utf8)),
                usage: TaskEvent.CacheUsage(memory: 65_536, disk: large)),
            .cacheInspected(nil, usage: TaskEvent.CacheUsage()),
        ],
        .callbackBegan: [.callbackBegan(.didReceiveData, isOnQueue: true)],
        .callbackEnded: [.callbackEnded(.didReceiveData)],
        .streamRead: [.streamRead([1, 2], isAtEnd: false, nil), .streamRead([], isAtEnd: true, lost)],
        .streamWritten: [.streamWritten(nil), .streamWritten(lost)],
        .readClosed: [.readClosed],
        .writeClosed: [.writeClosed],
        .didBecomeStreams: [.didBecomeStreams],
        .progressRead: [
            .progressRead(described), .progressRead(ProgressReading(completed: 0, total: -1, fraction: -0.5)),
        ],
    ]

    private static let response = TaskEvent.Response(
        status: 200, url: "http://api.test/hello",
        headers: [
            HeaderField("Content-Length", "5"), HeaderField("Set-Cookie", "a=1"), HeaderField("Set-Cookie", "b=\"2\""),
        ],
        expectedLength: 5)

    private static let lost = Failure(domain: Failure.urlErrorDomain, code: -1005, text: "The connection\nwas lost.")

    static let sessionEvents: [String: [SessionEvent.Kind]] = [
        "hello": [
            .hello(
                SessionEvent.Implementation(name: "http.client", version: "3.11.2", language: "Python"),
                capabilities: ["download": true, "resumeData": true, "teleportsPackets": false]),
            .hello(
                SessionEvent.Implementation(name: "curl", version: "8.5.0", language: "C"),
                capabilities: ["download": true, "teleportsPackets": false],
                reports: ["didFinishDownloading", "didComplete"]),
        ],
        "didBecomeInvalid": [.didBecomeInvalid(.main, error: nil), .didBecomeInvalid("other", error: lost)],
        "delegateReleased": [.delegateReleased("other")],
        "didFlush": [.emptied("other", .flush)], "didReset": [.emptied(.main, .reset)],
        "didFinishEvents": [.didFinishEvents("other")],
        "sessionPropertyRead": [
            .sessionPropertyRead("other", .settings, "a 1; b \"2\""), .sessionPropertyRead(.main, .settings, nil),
        ],
        "tasksListed": [
            .tasksListed(
                "other",
                [
                    ListedTask(
                        kind: .download, task: "first", state: "running", identifier: 3, clientExpectsToSend: -1,
                        clientExpectsToReceive: large + 5),
                    ListedTask(kind: .upload, task: nil, state: "suspended", identifier: 4),
                ]), .tasksListed(.main, []),
        ],
        "unsupported": [.unsupported(feature: "becomeDownload")],
        "adapterFailed": [.adapterFailed(message: "no task third")],
        "log": [.log("starts again")],
    ]
}
