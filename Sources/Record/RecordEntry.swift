package import AdapterProtocol
import LinkEmulator

/// One line of a record: a fact and its time on the run's monotonic clock.
package struct RecordEntry: Hashable, Sendable {
    /// Nanoseconds on CLOCK_MONOTONIC.
    package var time: Int64
    package var fact: Fact
    package init(time: Int64, fact: Fact) {
        self.time = time
        self.fact = fact
    }

    package enum Fact: Hashable, Sendable {
        case runStarted(RunHeader)
        case network(NetworkFact)
        case name(DNSFact)
        case server(ServerFact)
        case proxy(ProxyFact)
        case command(sequence: UInt64, text: String)
        case session(SessionEvent)
        case adapter(AdapterFact)
        /// The start of the steps.
        case stepsBegan
        /// A timeline entry or step was reached; the text is as in the file.
        case step(String)
        case note(Note)
        /// A check that the judgement left out.
        case notJudged(NotJudged)
        /// The last line: without it the record is incomplete.
        case runEnded(Outcome)
    }
}

/// A remark of the harness. The record spells the kind as a prefix of the text.
package enum Note: Hashable, Sendable {
    /// The harness or the machine failed.
    case harnessFault(String)
    /// Packets or threads were late because the machine was busy; later failures may be caused by that.
    case conditionNotKept(String)
    /// The adapter reported in its handshake that it does not support this feature.
    case unsupported(String)
    case other(String)

    private static let prefixes: [(prefix: String, make: @Sendable (String) -> Note)] = [
        ("harness fault: ", Note.harnessFault), ("the condition was not kept: ", Note.conditionNotKept),
        ("unsupported: ", Note.unsupported),
    ]

    package init(text: String) {
        for (prefix, make) in Note.prefixes where text.hasPrefix(prefix) {
            self = make(String(text.dropFirst(prefix.count)))
            return
        }
        self = .other(text)
    }

    package var text: String {
        switch self {
        case .harnessFault(let reason): Note.prefixes[0].prefix + reason
        case .conditionNotKept(let reason): Note.prefixes[1].prefix + reason
        case .unsupported(let feature): Note.prefixes[2].prefix + feature
        case .other(let text): text
        }
    }
}

package struct RunHeader: Hashable, Sendable {
    package var scenario: String
    package var file: String
    package var title: String
    package var proves: [String]
    package var adapter: String
    package var engine: String
    package var seed: UInt64
    /// 1 for the first repetition.
    package var repetition: Int
    /// The file of the network that the run was given; nil for its own network or a built-in one.
    package var networkFile: String?
    /// Sections of documents that state the behaviour.
    package var cites: [String]
    /// The bug report or issue that the scenario reproduces.
    package var report: String?
    /// The basis under which the run is counted; nil if the scenario claims nothing.
    package var basis: Basis?
    package var profile: ClientProfile
    package init(
        scenario: String, file: String, title: String, proves: [String], adapter: String, engine: String, seed: UInt64,
        repetition: Int, networkFile: String? = nil, cites: [String] = [], report: String? = nil,
        basis: Basis? = nil, profile: ClientProfile = .urlsession
    ) {
        self.networkFile = networkFile
        self.scenario = scenario
        self.file = file
        self.title = title
        self.proves = proves
        self.adapter = adapter
        self.engine = engine
        self.seed = seed
        self.repetition = repetition
        self.cites = cites
        self.report = report
        self.basis = basis
        self.profile = profile
    }
}

extension RecordEntry {
    /// Returns the entry as one line of JSON, without the line end.
    package func encodedLine() -> String {
        JSONValue.object(fact.object.with("at", time).values).line
    }

    package static func decode(line: String) throws(RecordError) -> RecordEntry {
        guard let values = JSONValue.parse(Array(line.utf8))?.object else {
            throw .notJSON(excerpt: String(line.prefix(120)))
        }
        guard let kind = values["fact"]?.text else { throw .missing("fact", in: "a line") }
        let fields = RecordFields(kind: kind, values: values)
        return RecordEntry(time: try fields.integer("at"), fact: try Fact(fields, line: line))
    }
}

extension RecordEntry.Fact {
    /// The start of the steps as the record spells it.
    private static let startOfSteps = "the steps begin"

    var object: RecordObject {
        switch self {
        case .runStarted(let header): header.object
        case .network(let fact): fact.object
        case .name(let fact):
            RecordObject("query").with("host", fact.host).with("type", fact.type).with("reply", fact.reply)
                .with("client", fact.client).with("transport", fact.transport?.rawValue).with("server", fact.server)
                .with("ttl", fact.timeToLive.map(Int64.init)).with("delay", fact.delay)
                .with("failure", fact.failure?.rawValue)
        case .server(let fact): fact.object
        case .proxy(let fact): fact.object
        case .command(let sequence, let text): RecordObject("command").with("seq", sequence).with("text", text)
        case .session(let event): RecordObject("session").with("event", event.wireValue)
        case .adapter(let fact): fact.object
        case .stepsBegan: RecordObject("step").with("text", RecordEntry.Fact.startOfSteps)
        case .step(let text): RecordObject("step").with("text", text)
        case .note(let note): RecordObject("note").with("text", note.text)
        case .notJudged(let check): check.object
        case .runEnded(let outcome): outcome.object
        }
    }

    init(_ fields: RecordFields, line: String) throws(RecordError) {
        switch fields.kind {
        case "runStarted": self = .runStarted(try RunHeader(fields))
        case "query":
            self = .name(
                DNSFact(
                    host: try fields.text("host"), type: try fields.text("type"), reply: try fields.text("reply"),
                    client: try fields.text("client"),
                    transport: try fields.optional("transport") { name throws(RecordError) in
                        try fields.word(name, DNSFact.Transport.self)
                    },
                    server: try fields.optional("server", fields.text),
                    timeToLive: try fields.optional("ttl", fields.integer).map { UInt32(clamping: $0) },
                    delay: try fields.optional("delay", fields.integer),
                    failure: try fields.optional("failure") { name throws(RecordError) in
                        try fields.word(name, DNSFact.Failure.self)
                    }))
        case "command": self = .command(sequence: try fields.whole("seq"), text: try fields.text("text"))
        case "session":
            guard let value = fields.values["event"] else { throw .missing("event", in: "session") }
            do throws(WireError) {
                self = .session(try SessionEvent.decode(value))
            } catch {
                throw .missing("event (\(error))", in: "session")
            }
        case "step":
            let text = try fields.text("text")
            self = text == RecordEntry.Fact.startOfSteps ? .stepsBegan : .step(text)
        case "note": self = .note(Note(text: try fields.text("text")))
        case "notJudged": self = .notJudged(try NotJudged(fields))
        case "runEnded": self = .runEnded(try Outcome(fields))
        default:
            if let fact = try NetworkFact(fields) {
                self = .network(fact)
            } else if let fact = try ServerFact(fields) {
                self = .server(fact)
            } else if let fact = try ProxyFact(fields) {
                self = .proxy(fact)
            } else if let fact = try AdapterFact(fields) {
                self = .adapter(fact)
            } else {
                // A fact from a newer version of the program: it is kept but not judged.
                self = .note(.other(line))
            }
        }
    }
}

extension RunHeader {
    var object: RecordObject {
        RecordObject("runStarted").with("v", RecordVersion.number).with("scenario", scenario).with("file", file)
            .with("title", title).with("proves", proves).with("adapter", adapter).with("engine", engine)
            .with("seed", String(seed)).with("repetition", repetition)
            .with("networkFile", networkFile)
            .with("cites", cites.isEmpty ? nil : cites).with("report", report)
            .with("basis", basis?.rawValue).with("profile", profile == .urlsession ? nil : profile.rawValue)
    }

    init(_ fields: RecordFields) throws(RecordError) {
        guard fields.values["v"]?.integer == RecordVersion.number else {
            throw .wrongVersion(found: fields.values["v"]?.line ?? "none")
        }
        // A seed uses all 64 bits, more than many JSON readers preserve in a number.
        guard let seed = UInt64(try fields.text("seed")) else { throw .missing("seed", in: fields.kind) }
        self.init(
            scenario: try fields.text("scenario"), file: try fields.text("file"), title: try fields.text("title"),
            proves: try fields.texts("proves"), adapter: try fields.text("adapter"), engine: try fields.text("engine"),
            seed: seed, repetition: try fields.whole("repetition"),
            networkFile: try fields.optional("networkFile", fields.text),
            cites: fields.has("cites") ? try fields.texts("cites") : [],
            report: fields.has("report") ? try fields.text("report") : nil,
            basis: fields.has("basis") ? try fields.word("basis") : nil,
            profile: fields.has("profile") ? try fields.word("profile") : .urlsession)
    }
}
