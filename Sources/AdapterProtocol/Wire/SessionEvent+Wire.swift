extension SessionEvent {
    /// Returns the event as one line, without its end.
    package func encodedLine() -> [UInt8] { Array(wireValue.line.utf8) }

    /// The event as a JSON value; the record holds events in this form as well.
    package var wireValue: JSONValue {
        var line = WireObject([
            "v": .integer(Int64(Wire.version)), "seq": .integer(Int64(clamping: sequence)), "time": .integer(time),
        ])
        if generation > 1 { line.set("generation", Int64(generation)) }
        switch kind {
        case .hello(let implementation, let capabilities, let reports):
            line.set("event", "hello")
            var object = WireObject()
            object.set("name", implementation.name)
            object.set("version", implementation.version)
            object.set("language", implementation.language)
            line.set("implementation", object)
            line.set("capabilities", WireObject(capabilities.mapValues { .boolean($0) }))
            line.set("reports", reports?.names.sorted())
        case .task(let task, let event):
            line.set("event", event.name.rawValue)
            line.set("task", task.text)
            event.put(into: &line)
        case .didBecomeInvalid(let session, let error):
            line.set("event", "didBecomeInvalid")
            line.set("session", session.text)
            line.set("error", error?.wire)
        case .delegateReleased(let session):
            line.set("event", "delegateReleased")
            line.set("session", session.text)
        case .didFinishEvents(let session):
            line.set("event", "didFinishEvents")
            line.set("session", session.text)
        case .sessionPropertyRead(let session, let property, let value):
            line.set("event", "sessionPropertyRead")
            line.set("session", session.text)
            line.set("property", property.rawValue)
            line.set("value", value)
        case .emptied(let session, let emptying):
            line.set("event", emptying == .flush ? "didFlush" : "didReset")
            line.set("session", session.text)
        case .tasksListed(let session, let tasks):
            line.set("event", "tasksListed")
            line.set("session", session.text)
            line.set("tasks", tasks.map(\.wire))
        case .unsupported(let feature):
            line.set("event", "unsupported")
            line.set("feature", feature)
        case .adapterFailed(let message):
            line.set("event", "adapterFailed")
            line.set("message", message)
        case .log(let text):
            line.set("event", "log")
            line.set("text", text)
        case .unknown(let name, let original):
            line.set("event", name)
            line.set("line", original)
        }
        return .object(line.values)
    }

    package static func decode(line: [UInt8]) throws(WireError) -> SessionEvent {
        let fields = try WireFields.open(line, naming: "event")
        return try decode(fields) { String(decoding: line, as: UTF8.self) }
    }

    /// Decodes an event from the form of `wireValue`.
    package static func decode(_ value: JSONValue) throws(WireError) -> SessionEvent {
        guard let values = value.object else { throw .notJSON(excerpt: value.line) }
        guard let kind = values["event"]?.text else { throw .missingField("event", in: "an event") }
        return try decode(WireFields(kind: kind, values: values)) { values["line"]?.text ?? value.line }
    }

    private static func decode(_ fields: WireFields, original: () -> String) throws(WireError) -> SessionEvent {
        let sequence = UInt64(try fields.count("seq"))
        let time = try fields.integer("time")
        let kind: Kind
        switch fields.kind {
        case "hello":
            let implementation = try fields.object("implementation")
            var capabilities: [String: Bool] = [:]
            guard let answers = try fields.value("capabilities").object else {
                throw .wrongType("capabilities", in: "hello", expected: "object")
            }
            for (name, answer) in answers {
                guard let answer = answer.boolean else {
                    throw .wrongType(name, in: "hello.capabilities", expected: "true or false")
                }
                capabilities[name] = answer
            }
            kind = .hello(
                Implementation(
                    name: try implementation.text("name"), version: try implementation.text("version"),
                    language: try implementation.text("language")), capabilities: capabilities,
                reports: try fields.optional("reports", fields.texts).map { ReportedEvents(Set($0)) })
        case "didBecomeInvalid":
            kind = .didBecomeInvalid(SessionName(try fields.text("session")), error: try Failure(optional: fields))
        case "delegateReleased": kind = .delegateReleased(SessionName(try fields.text("session")))
        case "didFinishEvents": kind = .didFinishEvents(SessionName(try fields.text("session")))
        case "sessionPropertyRead":
            kind = .sessionPropertyRead(
                SessionName(try fields.text("session")), try fields.word("property", SessionProperty.self),
                try fields.optional("value", fields.text))
        case "didFlush": kind = .emptied(SessionName(try fields.text("session")), .flush)
        case "didReset": kind = .emptied(SessionName(try fields.text("session")), .reset)
        case "tasksListed":
            var tasks: [ListedTask] = []
            for object in try fields.objects("tasks") { tasks.append(try ListedTask(object)) }
            kind = .tasksListed(SessionName(try fields.text("session")), tasks)
        case "unsupported": kind = .unsupported(feature: try fields.text("feature"))
        case "adapterFailed": kind = .adapterFailed(message: try fields.text("message"))
        case "log": kind = .log(try fields.text("text"))
        case let word:
            if let name = TaskEventName(rawValue: word) {
                kind = .task(TaskName(try fields.text("task")), try TaskEvent(name, fields))
            } else {
                kind = .unknown(name: word, line: original())
            }
        }
        var event = SessionEvent(sequence: sequence, time: time, kind: kind)
        event.generation = try fields.optional("generation", fields.count) ?? 1
        return event
    }
}

extension ListedTask {
    fileprivate var wire: WireObject {
        var object = WireObject()
        object.set("kind", kind.rawValue)
        object.set("task", task?.text)
        object.set("state", state)
        object.set("identifier", Int64(identifier))
        object.set("clientExpectsToSend", clientExpectsToSend)
        object.set("clientExpectsToReceive", clientExpectsToReceive)
        return object
    }

    fileprivate init(_ fields: WireFields) throws(WireError) {
        self.init(
            kind: try fields.word("kind"), task: try fields.optional("task", fields.text).map { TaskName($0) },
            state: try fields.text("state"), identifier: try fields.count("identifier"),
            clientExpectsToSend: try fields.optional("clientExpectsToSend", fields.integer),
            clientExpectsToReceive: try fields.optional("clientExpectsToReceive", fields.integer))
    }
}

extension Failure {
    var wire: WireObject {
        var object = WireObject()
        object.set("domain", domain)
        object.set("code", code.map { Int64($0) })
        object.set("class", reportedClass?.rawValue)
        object.set("text", text)
        return object
    }

    /// Reads the field `error`; absent or null means none. A class is enough; without one, domain and code are needed.
    init?(optional fields: WireFields) throws(WireError) {
        guard fields.has("error") else { return nil }
        let object = try fields.object("error")
        let text = try object.optional("text", object.text) ?? ""
        let reported: FailureClass? = try object.has("class") ? object.word("class") : nil
        if let reported, !object.has("domain"), !object.has("code") {
            self.init(class: reported, text: text)
        } else {
            self.init(
                domain: try object.text("domain"), code: Int(try object.integer("code")), text: text, class: reported)
        }
    }
}
