package import Record
package import AdapterProtocol
package import LinkEmulator

/// One scenario file: a network, the server's behaviour, the steps for the session, the timeline of changes, and the
/// expected observations.
package struct Scenario: Sendable {
    /// The path of the file as given on the command line; the id is its path below `Scenarios/` without the suffix.
    package var file: String
    package var variant: VariantID
    package var id: String { variant.description }
    /// The user's file of the network on which it runs; nil for its own network or a built-in one.
    package var networkFile: String?
    /// The place that fixes its network; nil if it can run on any.
    package var ownNetwork: OwnNetwork?
    /// The names of the networks on which it does not run, with the reasons.
    package var excludedNetworks: [String: String] = [:]
    package var title: String
    /// The ids of the catalogues' requirements that a pass proves.
    package var proves: [String]
    /// Sections of documents that state the behaviour, such as `RFC 9110 §15.4`.
    package var cites: [String] = []
    /// The bug report or issue that the scenario reproduces.
    package var report: String?
    /// The bases of the requirements and sections that it claims; empty if it claims none, or without a catalogue.
    package var bases: Set<Basis> = []
    package var tags: [String]
    /// The capabilities that the file names, plus those that its steps imply.
    package var needs: Set<Capability>
    /// The capabilities that the file names.
    package var namedNeeds: Set<Capability> = []
    /// A scenario that must have passed; otherwise this one is *skipped*.
    package var after: String?
    /// The maximum duration of the run on the harness's clock; a longer run counts as a hang.
    package var limit: Duration
    /// The maximum number of requests to the origin; more are a *flood*.
    package var requestBudget: Int
    package var network: NetworkPlan
    package var origin: OriginPlan
    package var proxies: [ProxyPlan] = []
    /// The power supply that the scenario gives the client; nil: not stated.
    package var power: PowerState?
    /// The clock of background transfers; nil: the machine's.
    package var clock: ClockPlan?
    package var sessions: [SessionPlan]
    package var script: [ScriptStep]
    package var timeline: [TimelineEntry]
    package var expectations: [Expectation]

    package static let defaultLimit = Duration.seconds(20)

    package init(file: String, id: String, title: String) {
        self.file = file
        self.variant = VariantID(base: id)
        self.title = title
        self.proves = []
        self.tags = []
        self.needs = []
        self.after = nil
        self.limit = Self.defaultLimit
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
    /// The app whose processes make it; nil if all sessions belong to one app. At the start the first session's app runs.
    package var app: String?
    package init(name: SessionName, configuration: SessionConfiguration, app: String? = nil) {
        self.name = name
        self.configuration = configuration
        self.app = app
    }

    /// False if the session's delegate lacks the method for the end of the session.
    package var reportsInvalidation: Bool { configuration.delegateMethods == nil }
}

package enum ScriptStep: Hashable, Sendable {
    /// Creates a task and resumes it unless `starts` is false. The URL is complete; the harness creates the body.
    case task(TaskDescription, body: BodyPlan?, starts: Bool)
    /// Sends a command about a task or a session that exists.
    case command(AdapterCommand)
    /// The next step waits for this moment.
    case await(Trigger)
    case change([NetworkChange])
    /// Changes the app's process. The next step comes when the change is in force.
    case app(AppAction)
    /// Starts a process of this app, in place of the one that has ended.
    case launch(app: String)
    case daemon(DaemonAction)
}

/// The body that a task sends.
package struct BodyPlan: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        /// A `PatternBody` with the request's path as the key, version 1.
        case pattern(ByteCount)
        case text(String)
    }
    package enum Source: String, CaseIterable, Hashable, Sendable { case memory, file, stream }
    /// The largest body in memory: a line of the adapter protocol has at most 8 MiB, and base64 leaves three quarters
    /// of it.
    package static let mostInMemory = ByteCount(4 << 20)!
    package var content: Content
    package var source: Source
    /// The name of the file; nil: a name that the harness chooses.
    package var fileName: String?
    package init(content: Content, source: Source = .memory, fileName: String? = nil) {
        self.content = content
        self.source = source
        self.fileName = fileName
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

/// A moment in the run. Prefer moments of progress over times, so that a run is the same on fast and slow machines.
package struct Trigger: Hashable, Sendable {
    package enum Moment: Hashable, Sendable {
        /// Time since the first step, not since the step before.
        case sinceStart(Duration)
        /// The n-th event of this name for this task.
        case event(TaskName, TaskEventName, count: Int)
        /// The n-th event of this name of a session.
        case sessionEvent(SessionName, SessionEventName, count: Int)
        /// The launch command was run the k-th time.
        case relaunch(Int)
        /// The k-th request head reached the origin.
        case request(Int)
        /// Byte n of the response body of the k-th request has been handed to the kernel; the client may
        /// not have it yet.
        case responseSent(bytes: Int64, request: Int)
        /// The client's kernel has acknowledged byte n of the response body of the k-th request; the origin waits there.
        case acknowledged(bytes: Int64, request: Int)
        /// The origin reported this event.
        case server(ServerMoment)
        /// The k-th connection was accepted.
        case connection(Int)
        /// An event at a proxy.
        case proxy(ProxyMoment)
        /// The k-th query for this host name.
        case query(host: String, count: Int)
        /// The n-th packet (counted from 1) of one direction of one interface was offered to the link.
        case packet(InterfaceKind, LinkDirectionName, count: Int)
        /// Byte n, counted in layer 3, of one direction of the k-th TCP connection over this interface (nil: of all its
        /// traffic).
        case wireBytes(InterfaceKind, LinkDirectionName, bytes: Int64, connection: Int?)
    }
    package var moment: Moment
    /// The delay after the moment.
    package var delay: Duration?
    /// For `await`: the step also ends when the task of the event, or every started task that is not suspended, has
    /// ended, because the moment may then never come.
    package var orTasksEnd = false
    package init(_ moment: Moment, delay: Duration? = nil) {
        self.moment = moment
        self.delay = delay
    }
}
