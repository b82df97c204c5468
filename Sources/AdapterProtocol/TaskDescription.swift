/// Everything an adapter needs to make one task.
package struct TaskDescription: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Hashable, Sendable { case data, upload, download, stream }
    /// Who hears of the task: the session's delegate, or a completion handler given with the task.
    package enum Delivery: String, CaseIterable, Hashable, Sendable { case delegate, completionHandler }
    package enum Body: Hashable, Sendable {
        /// Bytes given to the implementation in memory.
        case bytes([UInt8])
        /// A file the adapter finds at this path in its own file system.
        case file(path: String)
    }

    package struct BodyStream: Hashable, Sendable {
        /// How many times a stream is supplied; nil is every time, and after the last the delegate has none (UPLD-08).
        package var supplies: Int?
        package init(supplies: Int? = nil) { self.supplies = supplies }
    }

    package var task: TaskName
    package var session: SessionName = .main
    package var kind: Kind
    package var delivery: Delivery = .delegate
    package var url: String
    package var method: String?
    package var headers: [HeaderField] = []
    package var body: Body?
    /// The body is supplied by the delegate when it is asked for a stream (UPLD-03); nil when it goes with the task.
    package var stream: BodyStream?
    /// The body of the request object itself, beside a stream: to be disregarded (UPLD-04).
    package var requestBody: [UInt8]?
    /// What is delivered is kept as it comes, for `AdapterCommand.readRetained`: the data objects uncopied, a file by moving it away.
    package var retainsDelivered = false
    /// Timeout on the request object (TIME-09).
    package var timeout: Duration?
    /// Made from the resume data that this earlier task left (its error's or its cancellation's).
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
    /// The task's progress is read in each of its callbacks (PROG-02, PROG-06).
    package var watchesProgress = false
    /// The task's progress becomes a child of the parent progress of this name, with as much weight as each other child (PROG-05).
    package var jointProgress: String?
    package var policies = TaskPolicies()

    package init(task: TaskName, kind: Kind, url: String) {
        self.task = task
        self.kind = kind
        self.url = url
    }

    /// Nothing is said of the request but its URL, so that the task is made by the form that takes one (TASK-05).
    package var isOfBareURL: Bool {
        var bare = TaskDescription(task: task, kind: kind, url: url)
        bare.session = session
        bare.delivery = delivery
        bare.retainsDelivered = retainsDelivered
        bare.resumesFrom = resumesFrom
        bare.priority = priority
        bare.watchesProgress = watchesProgress
        bare.jointProgress = jointProgress
        bare.policies = policies
        return self == bare
    }
}

/// What the adapter answers when the implementation asks; decided before the task starts, so that no round trip to the harness
/// changes the timing.
package struct TaskPolicies: Hashable, Sendable {
    package enum ChallengeDecision: Hashable, Sendable {
        case credential(user: String, password: String, persistence: CredentialPersistence = .forSession)
        /// The server's certificate is accepted as it is: a credential made from the challenge's trust.
        case serverTrust
        /// An identity of the client: PEM files in the adapter's own file system (AUTH-02).
        case clientCertificate(chainPath: String, keyPath: String)
        case performDefaultHandling
        case rejectProtectionSpace
        case cancel
    }
    package enum RedirectDecision: Hashable, Sendable {
        case follow
        /// Take the redirect response itself (REDR-05).
        case refuse
        /// Go elsewhere (REDR-04).
        case to(url: String)
    }
    /// The answer when the implementation asks what to cache (CACH-14, CACH-15).
    package enum CachingDecision: Hashable, Sendable {
        case allow
        case refuse
        /// The proposed response with this body instead of its own.
        case replaceBody(String)
    }
    /// What an implementation asks its client with a handler that may be called later (DLGT-12).
    package enum Decision: String, CaseIterable, Hashable, Sendable {
        case challenge, redirect, response
        /// What a watched store answers when it is read.
        case store
    }
    package enum ResponseDecision: String, CaseIterable, Hashable, Sendable { case allow, cancel, becomeDownload }

    /// Answers to the first, second, … challenge; the last one repeats. Empty: the adapter does not implement the callback.
    package var challenges: [ChallengeDecision] = []
    package var redirect: RedirectDecision?
    package var response: ResponseDecision?
    /// These are told at once and answered as above, but not before `AdapterCommand.release`.
    package var held: Set<Decision> = []
    package var caching: CachingDecision?
    /// The first callback of each of these names does not return before `AdapterCommand.release` (DLGT-16).
    package var blockedCallbacks: Set<TaskEventName> = []
    package init() {}
}
