import AdapterProtocol

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
    var object: RecordObject {
        switch self {
        case .runStarted(let header): header.object
        case .network(let fact): fact.object
        case .name(let fact):
            RecordObject("query").with("host", fact.host).with("type", fact.type).with("reply", fact.reply)
                .with("client", fact.client).with("transport", fact.transport?.rawValue).with("server", fact.server)
                .with("ttl", fact.timeToLive.map(Int64.init)).with("delay", fact.delay)
        case .server(let fact): fact.object
        case .proxy(let fact): fact.object
        case .command(let sequence, let text): RecordObject("command").with("seq", sequence).with("text", text)
        case .session(let event): RecordObject("session").with("event", event.wireValue)
        case .adapter(let fact): fact.object
        case .step(let text): RecordObject("step").with("text", text)
        case .note(let text): RecordObject("note").with("text", text)
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
                    delay: try fields.optional("delay", fields.integer)))
        case "command": self = .command(sequence: try fields.unsigned("seq"), text: try fields.text("text"))
        case "session":
            guard let value = fields.values["event"] else { throw .missing("event", in: "session") }
            do throws(WireError) {
                self = .session(try SessionEvent.decode(value))
            } catch {
                throw .missing("event (\(error))", in: "session")
            }
        case "step": self = .step(try fields.text("text"))
        case "note": self = .note(try fields.text("text"))
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
                self = .note(line)
            }
        }
    }
}

extension RunHeader {
    var object: RecordObject {
        RecordObject("runStarted").with("v", RecordVersion.number).with("scenario", scenario).with("file", file)
            .with("title", title).with("proves", proves).with("adapter", adapter).with("engine", engine)
            .with("seed", String(seed)).with("repetition", repetition)
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
            seed: seed, repetition: try fields.int("repetition"))
    }
}
