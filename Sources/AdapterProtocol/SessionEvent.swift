/// One call of the implementation to its delegate or completion handler, as the adapter reports it.
package struct SessionEvent: Hashable, Sendable {
    /// Counts from 1 without gaps, in the order in which the callbacks ran.
    package var sequence: UInt64
    /// The adapter's monotonic clock, nanoseconds (CLOCK_MONOTONIC, the harness's own clock).
    package var time: Int64
    package var kind: Kind
    /// The number of the adapter's process, from 1. The sequence numbers of each process count from 1. An adapter does
    /// not send it: the harness knows which process wrote the line.
    package var generation = 1
    package init(sequence: UInt64, time: Int64, kind: Kind) {
        self.sequence = sequence
        self.time = time
        self.kind = kind
    }

    package enum Kind: Hashable, Sendable {
        /// The reply to `hello`. `reports` is nil when the client can report every event.
        case hello(Implementation, capabilities: [String: Bool], reports: ReportedEvents? = nil)
        case task(TaskName, TaskEvent)
        case didBecomeInvalid(SessionName, error: Failure?)
        /// Nothing holds the session's delegate any more.
        case delegateReleased(SessionName)
        /// A background session has delivered all events that its client missed (`urlSessionDidFinishEvents`, BKGD-25).
        case didFinishEvents(SessionName)
        /// The session has called the completion handler of `flush` or `reset`.
        case emptied(SessionName, SessionEmptying)
        /// The outcome of `readSessionProperty`; nil without a value.
        case sessionPropertyRead(SessionName, SessionProperty, String?)
        /// The outcome of `listTasks`, in the order of the implementation.
        case tasksListed(SessionName, [ListedTask])
        /// The adapter cannot carry out a command; `feature` names the missing feature.
        case unsupported(feature: String)
        /// The adapter itself failed, not the implementation.
        case adapterFailed(message: String)
        case log(String)
        /// An event kind unknown to this version: kept, never judged.
        case unknown(name: String, line: String)
    }

    package struct Implementation: Hashable, Sendable {
        package var name: String
        package var version: String
        package var language: String
        package init(name: String, version: String, language: String) {
            self.name = name
            self.version = version
            self.language = language
        }
    }
}

/// The two ways in which an app empties a session: its connections (`flush`), or its stores as well (`reset`).
package enum SessionEmptying: String, CaseIterable, Hashable, Sendable { case flush, reset }

/// The names of the events of sessions that scenarios use: `main.didBecomeInvalid`.
package enum SessionEventName: String, CaseIterable, Hashable, Sendable {
    case didBecomeInvalid, delegateReleased, didFinishEvents, tasksListed, didFlush, didReset
}

extension SessionEvent.Kind {
    /// The session and the name of a session's event; nil for other events.
    package var sessionEvent: (session: SessionName, name: SessionEventName)? {
        switch self {
        case .didBecomeInvalid(let session, error: _): (session, .didBecomeInvalid)
        case .delegateReleased(let session): (session, .delegateReleased)
        case .didFinishEvents(let session): (session, .didFinishEvents)
        case .tasksListed(let session, _): (session, .tasksListed)
        case .emptied(let session, .flush): (session, .didFlush)
        case .emptied(let session, .reset): (session, .didReset)
        case .hello, .task, .sessionPropertyRead, .unsupported, .adapterFailed, .log, .unknown: nil
        }
    }
}

/// One task in the listing of a session's outstanding tasks.
package struct ListedTask: Hashable, Sendable {
    /// The kind of task that it is listed as.
    package var kind: TaskDescription.Kind
    /// The scenario's name of the task; nil if the adapter does not know it.
    package var task: TaskName?
    /// The state, in the words of `TaskEvent.inspected`.
    package var state: String
    /// The number of the task within its session.
    package var identifier: Int
    /// The client's estimate of the bytes to send, -1 for an unknown number; nil if tasks do not have one (SCHD-11).
    package var clientExpectsToSend: Int64?
    /// The client's estimate of the bytes to receive, -1 for an unknown number; nil if tasks do not have one (SCHD-11).
    package var clientExpectsToReceive: Int64?
    package init(
        kind: TaskDescription.Kind, task: TaskName?, state: String, identifier: Int, clientExpectsToSend: Int64? = nil,
        clientExpectsToReceive: Int64? = nil
    ) {
        self.kind = kind
        self.task = task
        self.state = state
        self.identifier = identifier
        self.clientExpectsToSend = clientExpectsToSend
        self.clientExpectsToReceive = clientExpectsToReceive
    }
}

/// The events that a client can report, by name: those of `TaskEventName` and of sessions.
///
/// A check that needs another event is not judged. Every client reports that a task has ended, so `completionHandler`
/// stands for `didComplete` and the reverse.
package struct ReportedEvents: Hashable, Sendable, ExpressibleByArrayLiteral {
    package let names: Set<String>

    package init(_ names: Set<String>) { self.names = names }
    package init(arrayLiteral names: String...) { self.names = Set(names) }

    package static let known =
        TaskEventName.allCases.map(\.rawValue)
        + SessionEventName.allCases.map(\.rawValue) + ["sessionPropertyRead"]
    private static let endings: Set<String> = [
        TaskEventName.didComplete.rawValue, TaskEventName.completionHandler.rawValue,
    ]

    package func contains(_ name: String) -> Bool {
        names.contains(name) || ReportedEvents.endings.contains(name) && !names.isDisjoint(with: ReportedEvents.endings)
    }

    package func contains(_ event: TaskEventName) -> Bool { contains(event.rawValue) }

    /// The reason that the list cannot be used; nil if it can.
    package var problem: String? {
        guard names.contains(TaskEventName.didComplete.rawValue) else {
            return "`reports` lacks `didComplete`; every client must report that a task has ended"
        }
        guard let unknown = names.subtracting(ReportedEvents.known).min() else { return nil }
        return "`reports` names the event `\(unknown)`, which does not exist"
    }
}

/// One callback about one task. Raw names are the words scenarios use: `first.didReceiveResponse`.
package enum TaskEvent: Hashable, Sendable {
    case didCreateTask
    /// A background task with an earliest begin date is about to start (SCHD-04).
    case willBeginDelayedRequest
    case taskIsWaitingForConnectivity
    case didReceiveChallenge(Challenge)
    case needNewBodyStream
    case didSendBodyData(sent: Int64, totalSent: Int64, expected: Int64)
    case didReceiveInformationalResponse(status: Int)
    case willPerformRedirect(status: Int, url: String, method: String)
    case didReceiveResponse(Response)
    case didReceiveData([UInt8])
    case didBecomeDownload
    case didResumeAtOffset(offset: Int64, expected: Int64)
    case didWriteData(written: Int64, totalWritten: Int64, expected: Int64)
    /// A piece of the file that `didFinishDownloading` delivered; pieces come in order, just before that event.
    case fileContent(offset: Int64, [UInt8])
    case didFinishDownloading(length: Int64)
    case willCacheResponse
    /// `metrics`: nil if the client reports only the number of its requests.
    case didFinishCollectingMetrics(transactions: Int, metrics: TaskMetrics? = nil)
    case didComplete(Failure?, resumeDataLength: Int?)
    /// The completion handler was called; a download's or data task's bytes come as `didReceiveData`/`fileContent` just
    /// before it.
    case completionHandler(Response?, Failure?, resumeDataLength: Int?)
    /// The outcome of `cancelProducingResumeData`: nil when none could be produced (DNLD-08).
    case resumeDataProduced(length: Int?)
    case inspected(
        state: String, bytesReceived: Int64, bytesSent: Int64, expectedToReceive: Int64, expectedToSend: Int64)
    /// A piece of the content that the task delivered earlier, as it is now; pieces come in order, just before
    /// `retained`.
    case retainedContent(offset: Int64, [UInt8])
    /// The outcome of `readRetained`. `length`: of the kept content, nil when nothing was kept. `isInPlace`: a file
    /// still exists at the path that the implementation delivered, nil when it delivered none.
    case retained(length: Int64?, isInPlace: Bool?)
    /// The outcome of `inspectCache`: the stored response for the task's request, or nil.
    case cacheInspected(StoredResponse?, usage: CacheUsage)
    /// A callback of a session with its own delegate queue begins; `isOnQueue`: it runs on that queue (DLGT-01).
    case callbackBegan(TaskEventName, isOnQueue: Bool)
    /// That callback returns.
    case callbackEnded(TaskEventName)
    case progressRead(ProgressReading)
    /// The outcome of a stream's read: bytes, or the reason for their absence.
    case streamRead([UInt8], isAtEnd: Bool, Failure?)
    case streamWritten(Failure?)
    case readClosed
    case writeClosed
    /// A stream task became a pair of streams, which ends the task.
    case didBecomeStreams

    /// A spied store was accessed, by a call that names the task.
    case storeAccess(StoreAccess)
    /// The outcome of `readProperty`; nil without a value.
    case propertyRead(TaskProperty, String?)
    /// A protocol class begins to load for this task (STOR-06). `number`: its position in the session's list, from 1;
    /// `url`: of the request that it received.
    case protocolLoad(number: Int, url: String)

    package struct StoreAccess: Hashable, Sendable {
        package enum Action: String, CaseIterable, Hashable, Sendable { case read, write }
        package var store: SpyStore
        package var action: Action
        /// The task's current request at that moment.
        package var url: String
        package init(store: SpyStore, action: Action, url: String) {
            self.store = store
            self.action = action
            self.url = url
        }
    }

    package struct StoredResponse: Hashable, Sendable {
        package var response: Response
        package var body: [UInt8]
        package init(response: Response, body: [UInt8]) {
            self.response = response
            self.body = body
        }
    }

    /// `currentMemoryUsage` and `currentDiskUsage` of the session's cache, bytes; nil without a cache.
    package struct CacheUsage: Hashable, Sendable {
        package var memory: Int64?
        package var disk: Int64?
        package init(memory: Int64? = nil, disk: Int64? = nil) {
            self.memory = memory
            self.disk = disk
        }
    }

    package struct Challenge: Hashable, Sendable {
        /// The delegate method that was called (AUTH-01, AUTH-05).
        package enum Level: String, CaseIterable, Hashable, Sendable { case session, task }

        package var level: Level
        /// serverTrust, clientCertificate, httpBasic, httpDigest, ntlm, negotiate or the implementation's own word.
        package var method: String
        package var realm: String?
        package var host: String
        package var previousFailureCount: Int
        /// True if the protection space is a proxy's (AUTH-07); nil when the implementation does not report it.
        package var isProxy: Bool?
        package init(
            level: Level, method: String, realm: String?, host: String, previousFailureCount: Int, isProxy: Bool? = nil
        ) {
            self.level = level
            self.method = method
            self.realm = realm
            self.host = host
            self.previousFailureCount = previousFailureCount
            self.isProxy = isProxy
        }
    }

    package struct Response: Hashable, Sendable {
        package var status: Int
        package var url: String
        package var headers: [HeaderField]
        /// -1 when not known.
        package var expectedLength: Int64
        package init(status: Int, url: String, headers: [HeaderField], expectedLength: Int64) {
            self.status = status
            self.url = url
            self.headers = headers
            self.expectedLength = expectedLength
        }
    }

    /// The word for this event in scenarios, records and on the wire.
    package var name: TaskEventName {
        switch self {
        case .didCreateTask: .didCreateTask
        case .willBeginDelayedRequest: .willBeginDelayedRequest
        case .taskIsWaitingForConnectivity: .taskIsWaitingForConnectivity
        case .didReceiveChallenge: .didReceiveChallenge
        case .needNewBodyStream: .needNewBodyStream
        case .didSendBodyData: .didSendBodyData
        case .didReceiveInformationalResponse: .didReceiveInformationalResponse
        case .willPerformRedirect: .willPerformRedirect
        case .didReceiveResponse: .didReceiveResponse
        case .didReceiveData: .didReceiveData
        case .didBecomeDownload: .didBecomeDownload
        case .didResumeAtOffset: .didResumeAtOffset
        case .didWriteData: .didWriteData
        case .fileContent: .fileContent
        case .didFinishDownloading: .didFinishDownloading
        case .willCacheResponse: .willCacheResponse
        case .didFinishCollectingMetrics: .didFinishCollectingMetrics
        case .didComplete: .didComplete
        case .completionHandler: .completionHandler
        case .resumeDataProduced: .resumeDataProduced
        case .inspected: .inspected
        case .retainedContent: .retainedContent
        case .retained: .retained
        case .cacheInspected: .cacheInspected
        case .callbackBegan: .callbackBegan
        case .callbackEnded: .callbackEnded
        case .progressRead: .progressRead
        case .streamRead: .streamRead
        case .streamWritten: .streamWritten
        case .readClosed: .readClosed
        case .writeClosed: .writeClosed
        case .didBecomeStreams: .didBecomeStreams
        case .storeAccess: .storeAccess
        case .propertyRead: .propertyRead
        case .protocolLoad: .protocolLoad
        }
    }
}

package enum TaskEventName: String, CaseIterable, Hashable, Sendable {
    case didCreateTask, taskIsWaitingForConnectivity, didReceiveChallenge, needNewBodyStream, didSendBodyData
    case didReceiveInformationalResponse, willPerformRedirect, didReceiveResponse, didReceiveData, didBecomeDownload
    case didResumeAtOffset, didWriteData, fileContent, didFinishDownloading, willCacheResponse
    case didFinishCollectingMetrics, didComplete, completionHandler, resumeDataProduced, inspected, retainedContent,
        retained, cacheInspected
    case callbackBegan, callbackEnded, progressRead, streamRead, streamWritten, readClosed, writeClosed,
        didBecomeStreams, storeAccess, propertyRead
    case protocolLoad, willBeginDelayedRequest
}
