package import AdapterProtocol

/// One scenario file: a network, what the server does, what the session is asked to do, when things change, and what must be
/// observed.
package struct Scenario: Sendable {
    /// Path of the file as given on the command line; the id is its place below `Scenarios/` without the suffix.
    package var file: String
    package var id: String
    package var title: String
    /// Requirement ids of the catalogue that a pass proves.
    package var proves: [String]
    package var tags: [String]
    /// Capabilities named by the file plus those that its script implies.
    package var needs: Set<Capability>
    /// A scenario that must have passed, else this one is *skipped*.
    package var after: String?
    /// The longest the run may take on the harness's clock before the implementation counts as hanging.
    package var limit: Duration
    /// More requests than this reach the origin: a *flood*.
    package var requestBudget: Int
    package var network: NetworkPlan
    package var origin: OriginPlan
    package var proxies: [ProxyPlan] = []
    package var sessions: [SessionPlan]
    package var script: [ScriptStep]
    package var timeline: [TimelineEntry]
    package var expectations: [Expectation]

    package init(file: String, id: String, title: String) {
        self.file = file
        self.id = id
        self.title = title
        self.proves = []
        self.tags = []
        self.needs = []
        self.after = nil
        self.limit = .seconds(20)
        self.requestBudget = 50
        self.network = NetworkPlan()
        self.origin = OriginPlan()
        self.sessions = []
        self.script = []
        self.timeline = []
        self.expectations = []
    }
}

package struct SessionPlan: Hashable, Sendable {
    package var name: SessionName
    package var configuration: SessionConfiguration
    package init(name: SessionName, configuration: SessionConfiguration) {
        self.name = name
        self.configuration = configuration
    }
}

/// A check as written in the file, ready to judge a record, with its place for messages.
package struct Expectation: Sendable {
    package var check: any Check
    package var line: Int
    package init(check: any Check, line: Int) {
        self.check = check
        self.line = line
    }
}

package enum ScriptStep: Hashable, Sendable {
    /// Makes a task and, unless `starts` is false, resumes it. The URL is complete; a body is made by the harness.
    case task(TaskDescription, body: BodyPlan?, starts: Bool)
    case resume(TaskName)
    case suspend(TaskName)
    case cancel(TaskName)
    case cancelProducingResumeData(TaskName)
    case inspect(TaskName)
    /// Lets the oldest answer go that the task's `hold` keeps back.
    case release(TaskName)
    /// Asks what is left of what the task delivered.
    case readRetained(TaskName)
    case inspectCache(TaskName, by: CacheLookup)
    case progress(TaskName, ProgressAction)
    case stream(TaskName, StreamAction)
    /// Asks for a property of a task.
    case readProperty(TaskName, TaskProperty)
    case readSessionProperty(SessionName, SessionProperty)
    /// Writes to a configuration object of a session that has been made.
    case configure(SessionName, through: ConfigurationObject, SessionConfiguration)
    case invalidate(SessionName, cancelling: Bool)
    /// The next step waits for this moment.
    case await(Trigger)
    case change([NetworkChange])
}

/// The body that a task sends.
package struct BodyPlan: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        /// `PatternBody` keyed by the request's path, version 1.
        case pattern(ByteCount)
        case text(String)
    }
    package enum Source: String, CaseIterable, Hashable, Sendable { case memory, file, stream }
    /// A line of the adapter protocol has 8 MiB, of which base64 leaves three quarters.
    package static let mostInMemory = ByteCount(4 << 20)!
    package var content: Content
    package var source: Source
    package init(content: Content, source: Source = .memory) {
        self.content = content
        self.source = source
    }
}

/// Changes that happen at a moment, in the order given.
package struct TimelineEntry: Hashable, Sendable {
    package var trigger: Trigger
    package var changes: [NetworkChange]
    package init(trigger: Trigger, changes: [NetworkChange]) {
        self.trigger = trigger
        self.changes = changes
    }
}

/// A moment. Progress first: the same run on a fast and on a slow machine.
package struct Trigger: Hashable, Sendable {
    package enum Moment: Hashable, Sendable {
        /// Time since the script began.
        case time(Duration)
        /// The n-th event of this name for this task.
        case event(TaskName, TaskEventName, count: Int)
        /// The session became invalid.
        case invalidated(SessionName)
        /// Nothing holds the session's delegate any more.
        case delegateReleased(SessionName)
        /// The k-th request head reached the origin.
        case request(Int)
        /// Byte n of the response body of the k-th request has been handed to the kernel.
        case responseBody(bytes: Int64, request: Int)
        /// The client's kernel has acknowledged byte n of the response body of the k-th request; the origin waits there.
        case acknowledged(bytes: Int64, request: Int)
        /// The origin told this.
        case server(ServerMoment)
        /// The k-th connection was accepted.
        case connection(Int)
        /// Something at a proxy.
        case proxy(ProxyMoment)
        /// The k-th query for this host name.
        case query(host: String, count: Int)
        /// The n-th packet (counted from 1) of one direction of one interface was offered to the link.
        case packet(InterfaceKind, LinkDirectionName, count: Int)
        /// Byte n of layer 3 of one direction of the k-th TCP connection that this interface carried (nil: of all its traffic).
        case wireBytes(InterfaceKind, LinkDirectionName, bytes: Int64, connection: Int?)
    }
    package var moment: Moment
    /// Added after the moment.
    package var delay: Duration?
    package init(_ moment: Moment, delay: Duration? = nil) {
        self.moment = moment
        self.delay = delay
    }
}
