/// Everything an adapter needs to make one task.
package struct TaskDescription: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Hashable, Sendable { case data, upload, download }
    /// Who hears of the task: the session's delegate, or a completion handler given with the task.
    package enum Delivery: String, CaseIterable, Hashable, Sendable { case delegate, completionHandler }
    package enum Body: Hashable, Sendable {
        /// Bytes given to the implementation in memory.
        case bytes([UInt8])
        /// A file the adapter finds at this path in its own file system.
        case file(path: String)
    }

    package var task: TaskName
    package var session: SessionName = .main
    package var kind: Kind
    package var delivery: Delivery = .delegate
    package var url: String
    package var method: String?
    package var headers: [HeaderField] = []
    package var body: Body?
    /// Timeout on the request object (TIME-09).
    package var timeout: Duration?
    /// Made from the resume data that this earlier task left (its error's or its cancellation's).
    package var resumesFrom: TaskName?
    package var policies = TaskPolicies()

    package init(task: TaskName, kind: Kind, url: String) {
        self.task = task
        self.kind = kind
        self.url = url
    }
}

/// What the adapter answers when the implementation asks; decided before the task starts, so that no round trip to the harness
/// changes the timing.
package struct TaskPolicies: Hashable, Sendable {
    package enum ChallengeAnswer: Hashable, Sendable {
        case credential(user: String, password: String)
        case performDefaultHandling
        case rejectProtectionSpace
        case cancel
    }
    package enum RedirectAnswer: Hashable, Sendable {
        case follow
        /// Take the redirect response itself (REDR-05).
        case refuse
        /// Go elsewhere (REDR-04).
        case to(url: String)
    }
    package enum ResponseAnswer: String, CaseIterable, Hashable, Sendable { case allow, cancel, becomeDownload }

    /// Answers to the first, second, … challenge; the last one repeats. Empty: the adapter does not implement the callback.
    package var challenges: [ChallengeAnswer] = []
    package var redirect: RedirectAnswer?
    package var response: ResponseAnswer?
    package init() {}
}
