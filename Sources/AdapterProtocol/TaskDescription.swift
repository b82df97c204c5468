/// Everything an adapter needs to make one task.
package struct TaskDescription: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Hashable, Sendable { case data, upload, download, stream }
    /// The receiver of the task's callbacks: the session's delegate, or a completion handler given with the task.
    package enum AsyncMethod: String, CaseIterable, Hashable, Sendable { case result, bytes }
    package enum Delivery: String, CaseIterable, Hashable, Sendable { case delegate, completionHandler }
    package enum Body: Hashable, Sendable {
        /// Bytes given to the implementation in memory.
        case bytes([UInt8])
        /// A file at this path in the adapter's file system.
        case file(path: String)
    }

    package struct BodyStream: Hashable, Sendable {
        /// The number of times the delegate supplies a stream; afterwards it has none (UPLD-08). nil: every time.
        package var supplies: Int?
        /// Each stream fails at its end.
        package var fails = false
        package init(supplies: Int? = nil, fails: Bool = false) {
            self.supplies = supplies
            self.fails = fails
        }
    }

    package var task: TaskName
    package var session: SessionName = .main
    package var kind: Kind
    package var delivery: Delivery = .delegate
    package var url: String
    package var method: String?
    package var headers: [HeaderField] = []
    package var body: Body?
    /// The body that the delegate of an upload supplies as a stream on request (UPLD-03), or the stream of a data or
    /// download task's request; nil when the body is given with the task.
    package var stream: BodyStream?
    /// The body of the request object itself, beside a stream; the implementation must ignore it (UPLD-04).
    package var requestBody: [UInt8]?
    /// Keeps delivered content for `AdapterCommand.readRetained`: data objects without a copy, a file by moving it
    /// away.
    package var retainsDelivered = false
    /// Stores the task's resume data in the private folder, for a later process (DNLD-18).
    package var storesResumeData = false
    /// Timeout on the request object (TIME-09).
    package var timeout: Duration?
    /// The earlier task whose resume data (from its error or its cancellation) this task is made from.
    package var resumesFrom: TaskName?
    /// `allowsCellularAccess` of the request (CONF-13).
    package var allowsCellularAccess: Bool?
    /// `cachePolicy` of the request (CACH-10).
    package var cachePolicy: CachePolicy?
    /// `httpShouldHandleCookies` of the request (COOK-08).
    package var handlesCookies: Bool?
    /// `mainDocumentURL` of the request (COOK-05).
    package var mainDocument: String?
    /// `priority` of the task: 0.25 is low, 0.5 is the default, 0.75 is high (H2-12).
    package var priority: Double?
    /// `earliestBeginDate` of a background task, as a delay from its creation (SCHD-01).
    package var earliestBegin: Duration?
    /// `countOfBytesClientExpectsToSend`, with the head.
    package var expectedToSend: Int?
    /// `countOfBytesClientExpectsToReceive`, with the head.
    package var expectedToReceive: Int?
    /// Reads the task's progress in each of its callbacks (PROG-02, PROG-06).
    package var watchesProgress = false
    /// The name of the parent progress that the task's progress is added to, with the same weight as each other child
    /// (PROG-05).
    package var jointProgress: String?
    /// The task has a delegate of its own (`URLSessionTask.delegate`).
    package var hasOwnDelegate = false
    /// The only methods that this delegate implements; nil: all.
    package var ownDelegateMethods: DelegateMethods?
    /// The call of an asynchronous method in place of a task; its result is that of a completion handler.
    package var asyncMethod: AsyncMethod?
    package var policies = TaskPolicies()

    package init(task: TaskName, kind: Kind, url: String) {
        self.task = task
        self.kind = kind
        self.url = url
    }

    /// True if the request consists only of a URL; the task is then made by the method that takes a URL (TASK-05).
    package var isOfBareURL: Bool {
        var bare = TaskDescription(task: task, kind: kind, url: url)
        bare.session = session
        bare.delivery = delivery
        bare.retainsDelivered = retainsDelivered
        bare.storesResumeData = storesResumeData
        bare.resumesFrom = resumesFrom
        bare.priority = priority
        bare.earliestBegin = earliestBegin
        bare.expectedToSend = expectedToSend
        bare.expectedToReceive = expectedToReceive
        bare.watchesProgress = watchesProgress
        bare.jointProgress = jointProgress
        bare.hasOwnDelegate = hasOwnDelegate
        bare.ownDelegateMethods = ownDelegateMethods
        bare.asyncMethod = asyncMethod
        bare.policies = policies
        return self == bare
    }
}

/// The adapter's decisions in the implementation's callbacks; made before the task starts, so that no round trip to the
/// harness changes the timing.
package struct TaskPolicies: Hashable, Sendable {
    package enum ChallengeDecision: Hashable, Sendable {
        case credential(user: String, password: String, persistence: CredentialPersistence = .forSession)
        /// Accepts the server's certificate unchanged: a credential made from the challenge's trust.
        case serverTrust
        /// An identity of the client: PEM files in the adapter's file system (AUTH-02).
        case clientCertificate(chainPath: String, keyPath: String)
        case performDefaultHandling
        case rejectProtectionSpace
        case cancel
    }
    package enum RedirectDecision: Hashable, Sendable {
        case follow
        /// Uses the redirect response itself (REDR-05).
        case refuse
        /// Follows the redirect to another URL, with another method and body if they are given (REDR-04).
        case to(url: String, method: String? = nil, body: String? = nil)
    }
    /// The decision about a response to be cached (CACH-14, CACH-15).
    package enum CachingDecision: Hashable, Sendable {
        case allow
        case refuse
        /// The proposed response with this body instead.
        case replaceBody(String)
    }
    /// A decision that the client passes to a handler, which may be called later (DLGT-12).
    package enum Decision: String, CaseIterable, Hashable, Sendable {
        case challenge, redirect, response
        /// The content that a spied store returns when it is read.
        case store
    }
    /// The decision about a request whose earliest begin date has come (SCHD-08 and later).
    package enum DelayedRequestDecision: String, CaseIterable, Hashable, Sendable {
        case proceed = "continue"
        /// Loads `replacementURL` instead.
        case replace
        case cancel
    }
    package enum ResponseDecision: String, CaseIterable, Hashable, Sendable { case allow, cancel, becomeDownload }

    /// Decisions about the first, second, … challenge; the last one repeats. Empty: the adapter does not implement the
    /// callback.
    package var challenges: [ChallengeDecision] = []
    package var redirect: RedirectDecision?
    package var response: ResponseDecision?
    /// nil: the adapter does not implement the callback.
    package var delayedRequest: DelayedRequestDecision?
    /// The URL of the request that replaces a delayed one.
    package var replacementURL: String?
    /// These callbacks are reported immediately, but their decisions are held back until `AdapterCommand.release`.
    package var held: Set<Decision> = []
    package var caching: CachingDecision?
    /// The first callback of each of these names does not return before `AdapterCommand.release` (DLGT-16).
    package var blockedCallbacks: Set<TaskEventName> = []
    package init() {}
}

extension TaskDescription {
    package static let settings = requestSettings + taskSettings

    /// The options of a new request, in the order of the language reference. A task from resume data repeats the request
    /// of an earlier one.
    package static let requestSettings: [Setting<TaskDescription>] = [
        Setting("method", \.method, .text, "The request method; default GET, with a body POST."),
        Setting("headers", \.headers, .headers, default: [], "Header fields sent with the request."),
        Setting("body", \.body, .object(.body), "The request body: a text or an object."),
        Setting(
            "requestBody", \.requestBody, .bytes(.requestBody),
            "Beside a body `from: stream`: a second body, on the request object itself."),
        Setting("timeout", \.timeout, .duration, needs: [.requestTimeout], "Timeout of the request object."),
        Setting(
            "allowsCellularAccess", \.allowsCellularAccess, .boolean, needs: [.allowsCellularAccess], when: false,
            "False: the request may not use cellular even if its session may."),
        Setting("cachePolicy", \.cachePolicy, .word, needs: [.cache, .cachePolicy], "cachePolicy of the request."),
        Setting(
            "caching", \.policies.caching, .caching, needs: [.cache, .cacheDecision],
            "The delegate's decision in willCacheResponse; `body` stores the response with this body instead."),
        Setting(
            "cookies", field: "handlesCookies", \.handlesCookies, .boolean, needs: [.cookies, .cookieControl],
            "httpShouldHandleCookies of the request."),
        Setting(
            "mainDocument", \.mainDocument, .url, needs: [.cookies, .cookieAcceptance],
            "mainDocumentURL of the request: a path or URL."),
        Setting(
            "priority", \.priority, .fraction(["low": 0.25, "default": 0.5, "high": 0.75]), needs: [.taskPriority],
            "The task's priority."),
        Setting(
            "earliestBegin", \.earliestBegin, .duration, needs: [.backgroundSession],
            "earliestBeginDate of a background task, as a delay from its creation on the client's clock."),
        Setting(
            "expectedToSend", \.expectedToSend, .integer(0...(1 << 40)), needs: [.transferSizeHints],
            "countOfBytesClientExpectsToSend: the client's estimate; only a background session uses it."),
        Setting(
            "expectedToReceive", \.expectedToReceive, .integer(0...(1 << 40)), needs: [.transferSizeHints],
            "countOfBytesClientExpectsToReceive: the client's estimate; only a background session uses it."),
        Setting(
            "delayedRequest", \.policies.delayedRequest, .word, needs: [.backgroundSession],
            "The delegate's decision in willBeginDelayedRequest."),
        Setting(
            "replacementURL", \.policies.replacementURL, .url, needs: [.backgroundSession],
            "Beside `delayedRequest: replace`: the path or URL that is loaded instead."),
        Setting("response", \.policies.response, .word, "The delegate's decision about the response head.")
            .needing {
                switch $0.policies.response {
                case nil: []
                case .allow, .cancel: [.responseDisposition]
                case .becomeDownload: [.responseDisposition, .becomeDownload, .download]
                }
            },
    ]

    /// The options that a task from resume data has too.
    package static let taskSettings: [Setting<TaskDescription>] = [
        Setting(
            "completionHandler", field: "delivery", \.delivery, .completionHandler, default: .delegate,
            isRequired: true, "Report to a completion handler instead of the delegate; default false."
        ).needing { $0.delivery == .delegate ? [.delegate] : [.completionHandler] },
        Setting(
            "async", field: "asyncMethod", \.asyncMethod, .word,
            "An asynchronous method is called in place of making a task: `result` is data(for:), upload(for:…) or download(for:), `bytes` is bytes(for:), read to its end. Beside `completionHandler: true`, because the result is reported like that of a completion handler."
        ).needing {
            switch $0.asyncMethod {
            case nil: []
            case .result: $0.resumesFrom == nil ? [.asyncMethods] : [.asyncMethods, .asyncResume]
            case .bytes: [.asyncMethods, .asyncBytes]
            }
        },
        Setting(
            "ownDelegate", field: "hasOwnDelegate", \.hasOwnDelegate, .boolean, default: false, needs: [.taskDelegate],
            "The task has a delegate of its own, which receives its callbacks and makes its decisions; the session's delegate is asked only what concerns the session. Default false."
        ),
        Setting(
            "ownDelegateImplements", field: "ownDelegateMethods", \.ownDelegateMethods, .word,
            needs: [.taskDelegate, .optionalDelegateMethods],
            "The only methods that the task's own delegate implements, while the session's delegate receives the other callbacks; default all."
        ),
        challenges,
        Setting(
            "redirect", \.policies.redirect, .redirect,
            "The delegate's decision about redirects: follow, refuse, another path or URL, or another request."
        ).needing {
            switch $0.policies.redirect {
            case nil: []
            case .follow: [.followRedirects]
            case .refuse, .to(_, nil, nil): [.redirectDecision]
            case .to: [.redirectDecision, .redirectRequest]
            }
        },
        Setting(
            "hold", field: "held", \.policies.held, .words(), default: [],
            "Decisions that wait for a step `release`; the callbacks return at once."
        ).needing {
            $0.policies.held.reduce(into: []) { needs, decision in
                needs.insert(.heldDecisions)
                switch decision {
                case .redirect: needs.insert(.redirectDecision)
                case .response: needs.insert(.responseDisposition)
                case .challenge, .store: break
                }
            }
        },
        Setting(
            "blockCallback", field: "blockedCallbacks", \.policies.blockedCallbacks, .words(TaskPolicies.stallable),
            default: [], needs: [.blockedCallbacks],
            "The first callback of this name blocks its thread until a step `release`."),
        Setting(
            "watchProgress", field: "watchesProgress", \.watchesProgress, .boolean, default: false,
            needs: [.progress], "The task's progress is read in each of its callbacks; default false."),
        Setting(
            "jointProgress", \.jointProgress, .text, needs: [.progress],
            "The task's progress becomes a child of the parent progress of this name; all children have equal shares."),
        Setting(
            "storeResumeData", field: "storesResumeData", \.storesResumeData, .boolean, default: false,
            needs: [.storedResumeData],
            "The client stores the task's resume data in a file of its private folder, so that a task of a later process can continue from it; default false."
        ),
        Setting(
            "retain", field: "retainsDelivered", \.retainsDelivered, .boolean, default: false,
            needs: [.readRetained],
            "The client keeps the delivered content for `readRetained`: data objects as received, a file by moving it away; default false."
        ),
    ]

    /// The capabilities that the task and the values of its options need.
    package var needs: Set<Capability> {
        var needs = Self.settings.needs(self)
        switch kind {
        case .data: needs.insert(.data)
        case .upload: needs.insert(.upload)
        case .download: needs.insert(.download)
        case .stream: needs.insert(.streamTask)
        }
        if resumesFrom != nil { needs.insert(.resumeData) }
        if let stream {
            needs.insert(kind == .upload ? .streamedUpload : .requestStream)
            if stream.fails { needs.insert(.failingStream) }
        }
        switch url.prefix(while: { $0 != ":" }).lowercased() {
        case "https": needs.insert(.tls)
        case "file": needs.insert(.fileURLs)
        case "data": needs.insert(.dataURLs)
        default: break
        }
        return needs
    }

    /// The decisions about challenges, which a stream task has too.
    package static let challenges = Setting<TaskDescription>(
        "challenge", field: "challenges", \.policies.challenges, .objects(.challenge), default: [],
        "The decisions about the first, second, … challenge; the last repeats. `trust` accepts the server's certificate unchecked; `trust` and `certificate` apply only to their own kind of challenge."
    ).needing {
        $0.policies.challenges.reduce(into: []) { needs, decision in
            switch decision {
            case .credential(_, _, .forSession), .performDefaultHandling, .rejectProtectionSpace, .cancel: break
            case .credential(_, _, .none), .credential(_, _, .permanent): needs.insert(.credentialStorage)
            case .serverTrust: needs.insert(.serverTrustChallenge)
            case .clientCertificate: needs.insert(.clientCertificateChallenge)
            }
        }
    }
}

extension TaskPolicies {
    /// The callbacks that every session has and that can be blocked.
    package static let stallable: [TaskEventName] = [
        .didReceiveResponse, .didReceiveData, .didSendBodyData, .didWriteData, .didFinishDownloading,
        .willPerformRedirect, .didComplete,
    ]
}
