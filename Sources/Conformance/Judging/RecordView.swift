package import Record
package import ScenarioLanguage
package import AdapterProtocol

/// A record arranged for judging: everything in order of time and indexed by subject.
package struct RecordView: Sendable {
    /// A position in the record and in the order of events.
    package struct Moment: Hashable, Sendable, Comparable {
        /// The index into `entries`, for evidence.
        package var entry: Int
        /// The rank in order of time; messages of the adapter keep their own order.
        package var rank: Int
        package var time: Int64
        package static func < (left: Moment, right: Moment) -> Bool { left.rank < right.rank }
    }

    package struct TaskOccurrence: Sendable {
        package var moment: Moment
        package var event: TaskEvent
    }

    package let scenario: Scenario
    package let entries: [RecordEntry]
    package let profile: ClientProfile
    /// The tasks of the steps, which every question about a task searches.
    let descriptions: [TaskDescription]
    /// The events that the client can report; nil: every event.
    package private(set) var reports: ReportedEvents?
    /// The requests in the order in which they arrived.
    package private(set) var requests: [WireRequest] = []
    package private(set) var connections: [(number: Int, moment: Moment)] = []
    /// The first close of each connection.
    package private(set) var closings: [Int: (by: ServerFact.Closing, moment: Moment)] = [:]
    /// The client's end of each connection, as `SocketAddressFormat`.
    package private(set) var clients: [Int: String] = [:]
    package private(set) var proxyFacts: [(fact: ProxyFact, moment: Moment)] = []
    /// All facts of the origin.
    package private(set) var serverFacts: [(fact: ServerFact, moment: Moment)] = []
    /// The recorded HTTP/2 frames.
    package private(set) var frames: [(fact: ServerFact, moment: Moment)] = []
    /// The TLS facts of the origin's connections.
    package private(set) var tls: [(fact: ServerFact, moment: Moment)] = []
    package private(set) var queries: [(fact: DNSFact, moment: Moment)] = []
    /// The session's events in the order of their sequence numbers.
    package private(set) var sessionEvents: [(event: SessionEvent, moment: Moment)] = []
    package private(set) var network: [(fact: NetworkFact, moment: Moment)] = []
    package private(set) var adapter: [(fact: AdapterFact, moment: Moment)] = []
    package private(set) var commands: [(text: String, moment: Moment)] = []
    package private(set) var steps: [Moment] = []
    package private(set) var notes: [(note: Note, moment: Moment)] = []
    /// The start of the steps.
    package private(set) var start: Moment?
    private var tasks: [TaskName: [TaskOccurrence]] = [:]
    private var ofSessions: [SessionName: [SessionEventName: [Moment]]] = [:]
    private var finishes: [SessionName: [(generation: Int, moment: Moment)]] = [:]
    private var received: [SessionName: [(property: SessionProperty, value: String?, moment: Moment)]] = [:]
    private var listings: [SessionName: [(tasks: [ListedTask], moment: Moment)]] = [:]
    private var invalidations: [SessionName: [(moment: Moment, failure: Failure?)]] = [:]

    package init(scenario: Scenario, entries: [RecordEntry], profile: ClientProfile = .urlsession) {
        self.scenario = scenario
        self.profile = profile
        self.entries = entries
        descriptions = scenario.script.compactMap { step in
            if case .task(let description, body: _, starts: _) = step { description } else { nil }
        }
        for (rank, index) in RecordView.order(of: entries).enumerated() {
            note(entries[index].fact, Moment(entry: index, rank: rank, time: entries[index].time))
        }
    }

    /// Returns the order by time, and for equal times by position in the record. Several threads write the record, so
    /// it is only nearly in order; the adapter's events are never reordered by their clock, because their sequence
    /// numbers are reliable.
    private static func order(of entries: [RecordEntry]) -> [Int] {
        var events: [(generation: Int, sequence: UInt64, index: Int)] = []
        for (index, entry) in entries.enumerated() {
            if case .session(let event) = entry.fact { events.append((event.generation, event.sequence, index)) }
        }
        events.sort { ($0.generation, $0.sequence, $0.index) < ($1.generation, $1.sequence, $1.index) }
        var times = entries.map(\.time)
        var latest = Int64.min
        for event in events {
            latest = max(latest, times[event.index])
            times[event.index] = latest
        }
        var order = entries.indices.sorted { (times[$0], $0) < (times[$1], $1) }
        let isEvent = Set(events.map(\.index))
        var next = 0
        for place in order.indices where isEvent.contains(order[place]) {
            order[place] = events[next].index
            next += 1
        }
        return order
    }

    private mutating func note(_ fact: RecordEntry.Fact, _ moment: Moment) {
        switch fact {
        case .session(let event):
            sessionEvents.append((event, moment))
            if let (session, name) = event.kind.sessionEvent {
                ofSessions[session, default: [:]][name, default: []].append(moment)
            }
            switch event.kind {
            case .task(let task, let event):
                tasks[task, default: []].append(TaskOccurrence(moment: moment, event: event))
            case .didBecomeInvalid(let session, let failure):
                invalidations[session, default: []].append((moment, failure))
            case .didFinishEvents(let session): finishes[session, default: []].append((event.generation, moment))
            case .sessionPropertyRead(let session, let property, let value):
                received[session, default: []].append((property, value, moment))
            case .tasksListed(let session, let tasks): listings[session, default: []].append((tasks, moment))
            case .hello(_, capabilities: _, let reports): self.reports = reports
            case .delegateReleased, .emptied, .unsupported, .adapterFailed, .log, .unknown: break
            }
        case .server(let fact):
            serverFacts.append((fact, moment))
            if case .accepted(let connection, let client, let port) = fact {
                connections.append((connection, moment))
                clients[connection] = SocketAddressFormat.of(client, port)
            }
            if case .closed(let connection, let by) = fact, closings[connection] == nil {
                closings[connection] = (by, moment)
            }
            if case .frame = fact { frames.append((fact, moment)) }
            if fact.isOfTLS { tls.append((fact, moment)) }
            requests.note(fact, moment)
        case .proxy(let fact): proxyFacts.append((fact, moment))
        case .name(let fact): queries.append((fact, moment))
        case .network(let fact): network.append((fact, moment))
        case .adapter(let fact): adapter.append((fact, moment))
        case .command(_, let text): commands.append((text, moment))
        case .stepsBegan:
            steps.append(moment)
            start = moment
        case .step: steps.append(moment)
        case .note(let note): notes.append((note, moment))
        case .runStarted, .notJudged, .runEnded: break
        }
    }

    // MARK: - Session events

    /// Returns true if the client can report all these events.
    package func canReport(_ events: TaskEventName...) -> Bool {
        reports.map { events.allSatisfy($0.contains) } ?? true
    }

    package var taskNames: [TaskName] { tasks.keys.sorted { $0.text < $1.text } }
    package func events(of task: TaskName) -> [TaskOccurrence] { tasks[task] ?? [] }
    package func occurrences(of task: TaskName, _ name: TaskEventName) -> [TaskOccurrence] {
        events(of: task).filter { $0.event.name == name }
    }

    package func moments(of reference: EventReference) -> [Moment] {
        switch reference {
        case .task(let task, let name): occurrences(of: task, name).map(\.moment)
        case .session(let session, let event): ofSessions[session]?[event] ?? []
        }
    }

    package func first(_ reference: EventReference) -> Moment? { moments(of: reference).first }

    /// Returns the values of a session's properties that were read.
    func responses(of session: SessionName) -> [(property: SessionProperty, value: String?, moment: Moment)] {
        received[session] ?? []
    }

    /// Returns the lists of a session's outstanding tasks.
    func listings(of session: SessionName) -> [(tasks: [ListedTask], moment: Moment)] { listings[session] ?? [] }

    /// Returns the times at which a background session reported that all its events were delivered.
    package func finishes(of session: SessionName) -> [(generation: Int, moment: Moment)] { finishes[session] ?? [] }

    package func invalidations(of session: SessionName) -> [(moment: Moment, failure: Failure?)] {
        invalidations[session] ?? []
    }

    /// Returns the times at which the harness sent this command to the adapter.
    package func moments(of command: AdapterCommand) -> [Moment] {
        let text = command.summary
        return commands.filter { $0.text == text }.map(\.moment)
    }

    // MARK: - The wire

    /// Returns the k-th request that the origin received.
    package func request(_ number: Int) -> WireRequest? { requests.first { $0.number == number } }

    /// Returns the host in the first request of this connection, without a port.
    package func host(ofConnection connection: Int) -> String? {
        requests.first { $0.connection == connection }?.header("Host").map { host in
            (host.split(separator: ":").first.map(String.init) ?? host).lowercased()
        }
    }
}
