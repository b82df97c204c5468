import AdapterProtocol
import LinkEmulator

/// Converts `await:` and `when:` into moments.
struct TriggerReader {
    /// `responseBody` comes before `request`, and `wireBytes` before `connection`, because they can be combined.
    static let shape = Shape.either([
        .choice(
            [Field("proxy", .text, "At this proxy, by its name under `proxies`.")],
            beside: [
                Field("tunnel", .integer(1...1_000_000), "The k-th connection through it stands."),
                Field("uplink", .byteCount, "This many bytes went on to the target."),
                Field("downlink", .byteCount, "This many bytes of the target went on to the client."),
                Field(
                    "request", .integer(1...1_000_000),
                    "The k-th request reached it; beside uplink and downlink: of this request, default 1."),
                delay,
            ]),
        .choice([Field("event", .text, "TASK.EVENT, or SESSION.didBecomeInvalid.")], beside: [count("event"), delay]),
        .choice([Field("time", .duration, "Time since the first step.")], beside: []),
        .choice(
            [Field("responseBody", .byteCount, "This many bytes of the response body went to the kernel.")],
            beside: [Field("request", .integer(1...1_000_000), "Of the k-th request; default 1."), delay]),
        .choice(
            [
                Field(
                    "acknowledged", .byteCount,
                    "The client's kernel has acknowledged this many bytes of the response body.")
            ],
            beside: [Field("request", .integer(1...1_000_000), "Of the k-th request; default 1."), delay]),
        .choice(
            [Field("server", .word(ServerMoment.Event.allCases.map(\.rawValue)), "An event of the origin.")],
            beside: [
                Field("request", .integer(1...1_000_000), "About the k-th request; default any."),
                Field("connection", .integer(1...1_000_000), "On the k-th connection; default any."),
                count("such fact"), delay,
            ]),
        .choice(
            [Field("request", .integer(1...1_000_000), "The k-th request head reached the origin.")], beside: [delay]),
        .choice(
            [Field("wireBytes", .byteCount, "This many bytes of layer 3 passed.")],
            beside: [
                interface, direction,
                Field(
                    "connection", .integer(1...1_000_000),
                    "Of the k-th TCP connection that the interface carried; default of all."),
                delay,
            ]),
        .choice([Field("connection", .integer(1...1_000_000), "The k-th connection was accepted.")], beside: [delay]),
        .choice([Field("query", .text, "A query for this host name.")], beside: [count("query"), delay]),
        .choice(
            [Field("packet", .integer(1...1_000_000_000), "The n-th packet, counted from 1.")],
            beside: [
                interface, direction, delay,
            ]),
    ])

    private static let interface = Field(
        "on", .word(InterfaceKind.allCases.map(\.rawValue)), "The interface; needed when there are several.")
    private static let direction = Field(
        "direction", .word(LinkDirectionName.allCases.map(\.rawValue)), "Default downlink.")

    private static let delay = Field("after", .duration, "Added after the moment.")
    private static func count(_ what: String) -> Field {
        Field("count", .integer(1...1_000_000), "The n-th \(what); default 1.")
    }

    var findings = Findings()
    /// The tasks that may be named here; nil when an error elsewhere hides some.
    var tasks: [TaskEntry]?
    var sessions: [SessionPlan]
    var interfaces: [InterfacePlan]
    var limit: Duration
    /// The proxies that may be named; nil: any name.
    var proxies: [ProxyPlan]?

    mutating func trigger(_ name: String, of entry: Fields) -> Trigger? {
        guard let value = entry.value(name) else { return nil }
        if let text = value.text { return event(text, count: 1, at: value.place).map { Trigger($0) } }
        guard let fields = value.fields, let moment = moment(fields) else { return nil }
        let delay = fields.duration("after")
        if let delay { refuseBeyondLimit(delay, fields.place(of: "after")) }
        return Trigger(moment, delay: delay)
    }

    private mutating func moment(_ fields: Fields) -> Trigger.Moment? {
        let count = Findings.int(fields.integer("count")) ?? 1
        if fields.has("proxy") { return proxy(fields) }
        if let text = fields.text("event") { return event(text, count: count, at: fields.place(of: "event")) }
        if let time = fields.duration("time") {
            refuseBeyondLimit(time, fields.place(of: "time"))
            return .time(time)
        }
        if let bytes = fields.byteCount("responseBody") {
            return .responseBody(bytes: bytes.bytes, request: Findings.int(fields.integer("request")) ?? 1)
        }
        if let bytes = fields.byteCount("acknowledged") {
            return .acknowledged(bytes: bytes.bytes, request: Findings.int(fields.integer("request")) ?? 1)
        }
        if let event = fields.text("server").flatMap(ServerMoment.Event.init(rawValue:)) {
            if fields.has("request"), !event.isOfRequest {
                findings.refuse(
                    fields.place(of: "request"),
                    "`\(event.rawValue)` is about a connection, not a request; write `connection:`")
            }
            return .server(
                ServerMoment(
                    event, request: Findings.int(fields.integer("request")),
                    connection: Findings.int(fields.integer("connection")),
                    count: count))
        }
        if let request = Findings.int(fields.integer("request")) { return .request(request) }
        if let bytes = fields.byteCount("wireBytes") {
            return interface(fields).map {
                .wireBytes(
                    $0, direction(fields), bytes: bytes.bytes, connection: Findings.int(fields.integer("connection")))
            }
        }
        if let connection = Findings.int(fields.integer("connection")) { return .connection(connection) }
        if let host = fields.text("query") {
            if !HTTPHeadSyntax.isHost(host) {
                findings.refuse(
                    fields.place(of: "query"), "`\(host.shortened)` is no host name; write one such as slow.test")
            }
            return .query(host: host.lowercased(), count: count)
        }
        return packet(fields)
    }

    private mutating func proxy(_ fields: Fields) -> Trigger.Moment? {
        guard let name = fields.text("proxy") else { return nil }
        if let proxies, !proxies.contains(where: { $0.name == name }) {
            findings.refuse(
                fields.place(of: "proxy"),
                "there is no `\(name.shortened)` under `proxies`\(Spelling.hint(for: name, among: proxies.map(\.name)))"
            )
        }
        let request = Findings.int(fields.integer("request"))
        let kinds = ["tunnel", "uplink", "downlink"].filter { fields.has($0) }
        if kinds.count > 1 || (fields.has("tunnel") && fields.has("request")) {
            findings.refuse(
                fields.place,
                "one moment has one of `request`, `tunnel`, `uplink` and `downlink`; a `request` may stand beside the last two"
            )
        }
        if let tunnel = Findings.int(fields.integer("tunnel")) {
            return .proxy(ProxyMoment(proxy: name, event: .tunnel(tunnel)))
        }
        for direction in ProxyFault.Direction.allCases {
            guard let bytes = fields.byteCount(direction.rawValue) else { continue }
            return .proxy(
                ProxyMoment(proxy: name, event: .carried(direction, bytes: bytes.bytes, request: request ?? 1)))
        }
        guard let request else {
            findings.refuse(
                fields.place(of: "proxy"), "say which moment at the proxy: `request`, `tunnel`, `uplink` or `downlink`")
            return nil
        }
        return .proxy(ProxyMoment(proxy: name, event: .request(request)))
    }

    private mutating func packet(_ fields: Fields) -> Trigger.Moment? {
        guard let number = Findings.int(fields.integer("packet")) else { return nil }
        return interface(fields).map { .packet($0, direction(fields), count: number) }
    }

    private func direction(_ fields: Fields) -> LinkDirectionName {
        fields.text("direction").flatMap(LinkDirectionName.init(rawValue:)) ?? .downlink
    }

    private mutating func interface(_ fields: Fields) -> InterfaceKind? {
        let given = fields.text("on").flatMap(InterfaceKind.init(rawValue:))
        guard let kind = given ?? (interfaces.count == 1 ? interfaces.first?.kind : nil) else {
            findings.refuse(fields.place, "say on which interface: `on: wifi`")
            return nil
        }
        if !interfaces.contains(where: { $0.kind == kind }) {
            findings.refuse(
                fields.place(of: "on"), "the scenario has no \(kind.rawValue) interface; add it under `network`")
        }
        return kind
    }

    private mutating func event(_ text: String, count: Int, at place: Place) -> Trigger.Moment? {
        guard
            let reference = findings.attempt({ () throws(ScenarioError) in try EventReference.parse(text, at: place) })
        else { return nil }
        switch reference {
        case .invalidated(let session), .delegateReleased(let session):
            if !sessions.contains(where: { $0.name == session }) {
                let known = sessions.map(\.name.text)
                findings.refuse(
                    place, "there is no session `\(session)`\(Spelling.hint(for: session.text, among: known))")
            }
            if case .delegateReleased = reference { return .delegateReleased(session) }
            return .invalidated(session)
        case .task(let name, let event):
            check(name, event, at: place)
            return .event(name, event, count: count)
        }
    }

    private mutating func check(_ name: TaskName, _ event: TaskEventName, at place: Place) {
        guard let tasks else { return }
        guard let task = tasks.first(where: { $0.name == name }) else {
            findings.refuse(
                place, "there is no task `\(name)` here\(Spelling.hint(for: name.text, among: tasks.map(\.name.text)))")
            return
        }
        if let problem = task.problem(of: event) { findings.refuse(place, problem) }
    }

    private mutating func refuseBeyondLimit(_ duration: Duration, _ place: Place) {
        if duration >= limit {
            findings.refuse(place, "this moment never comes: the scenario's timeout is \(limit); raise `timeout`")
        }
    }
}
