import Record
import AdapterProtocol
import LinkEmulator

/// Converts `await:` and `when:` into moments.
struct TriggerReader {
    static let shape = forms.shape()

    /// `responseSent` comes before `request`, and `wireBytes` before `connection`, because they can be combined.
    private static let forms: [Form<TriggerReader, Trigger.Moment>] = [
        Form(
            "proxy", "At this proxy, by its name under `proxies`.",
            beside: [
                number("tunnel", "The k-th connection through it is established."),
                Field("uplink", .byteCount, "This many bytes were forwarded to the target."),
                Field("downlink", .byteCount, "This many bytes from the target were forwarded to the client."),
                number(
                    "request",
                    "The k-th request reached it. Beside uplink and downlink: the request that they count, default 1."),
                delay,
            ]
        ) { $0.proxy($1) },
        Form(
            "event", "TASK.EVENT, or SESSION.didBecomeInvalid; with a single task EVENT is enough.",
            beside: [count("event"), delay]
        ) { reader, fields in
            guard let text = fields.text("event") else { return nil }
            return reader.event(text, count: fields.int("count") ?? 1, at: fields.place(of: "event"))
        },
        Form(
            "sinceStart", takes: .duration,
            "Time since the first step of the scenario, not since the step before; a delay after another moment is `after`."
        ) { reader, fields in
            guard let time = fields.duration("sinceStart") else { return nil }
            reader.refuseBeyondLimit(time, fields.place(of: "sinceStart"))
            return .sinceStart(time)
        },
        Form(
            "responseSent", takes: .byteCount,
            "The server's kernel has taken this many bytes of the response body; the client may not have them yet (see `acknowledged`).",
            beside: [number("request", "The request, counted from 1; default 1."), delay]
        ) { _, fields in
            fields.byteCount("responseSent").map {
                .responseSent(bytes: $0.bytes, request: fields.int("request") ?? 1)
            }
        },
        Form(
            "acknowledged", takes: .byteCount,
            "The client's kernel has acknowledged this many bytes of the response body.",
            beside: [number("request", "The request, counted from 1; default 1."), delay]
        ) { _, fields in
            fields.byteCount("acknowledged").map {
                .acknowledged(bytes: $0.bytes, request: fields.int("request") ?? 1)
            }
        },
        Form(
            "server", takes: .word(ServerMoment.Event.allCases.map(\.rawValue)), "An event of the origin.",
            beside: [
                number("request", "The request, counted from 1; default any."),
                number("connection", "The connection, counted from 1; default any."), count("such fact"), delay,
            ]
        ) { reader, fields in
            guard let event = fields.text("server").flatMap(ServerMoment.Event.init(rawValue:)) else { return nil }
            if fields.has("request"), !event.isOfRequest {
                reader.findings.refuse(
                    fields.place(of: "request"),
                    "`\(event.rawValue)` concerns a connection, not a request; write `connection:`")
            }
            return .server(
                ServerMoment(
                    event, request: fields.int("request"), connection: fields.int("connection"),
                    count: fields.int("count") ?? 1))
        },
        Form([number("request", "The k-th request head reached the origin.")], beside: [delay]) { _, fields in
            fields.int("request").map { .request($0) }
        },
        Form(
            "wireBytes", takes: .byteCount, "This many bytes of layer 3 passed.",
            beside: [
                interface, direction,
                number("connection", "The TCP connection over the interface, counted from 1; default all."), delay,
            ]
        ) { reader, fields in
            guard let bytes = fields.byteCount("wireBytes"), let interface = reader.interface(fields) else {
                return nil
            }
            return .wireBytes(
                interface, reader.direction(fields), bytes: bytes.bytes, connection: fields.int("connection"))
        },
        Form([number("relaunch", "The lab's launch command was run the k-th time.")], beside: [delay]) { _, fields in
            fields.int("relaunch").map { .relaunch($0) }
        },
        Form([number("connection", "The k-th connection was accepted.")], beside: [delay]) { _, fields in
            fields.int("connection").map { .connection($0) }
        },
        Form("query", "A DNS query for this host name.", beside: [count("query"), delay]) { reader, fields in
            guard let host = fields.text("query") else { return nil }
            if !HTTPHeadSyntax.isHost(host) {
                reader.findings.refuse(
                    fields.place(of: "query"), "`\(host.shortened)` is not a host name; write one such as slow.test")
            }
            return .query(host: host.lowercased(), count: fields.int("count") ?? 1)
        },
        Form(
            "packet", takes: .integer(1...1_000_000_000), "The n-th packet, counted from 1.",
            beside: [interface, direction, delay]
        ) { reader, fields in
            guard let number = fields.int("packet"), let interface = reader.interface(fields) else { return nil }
            return .packet(interface, reader.direction(fields), count: number)
        },
    ]

    private static func number(_ name: String, _ summary: String) -> Field {
        Field(name, .integer(1...1_000_000), summary)
    }

    private static let interface = Field(
        "on", .word(InterfaceKind.allCases.map(\.rawValue)), "The interface; required if there are several.")
    private static let direction = Field(
        "direction", .word(LinkDirectionName.allCases.map(\.rawValue)), "Default downlink.")

    private static let delay = Field("after", .duration, "A delay after the moment.")
    private static func count(_ what: String) -> Field {
        number("count", "The n-th \(what); default 1.")
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
        guard let fields = value.fields, let moment = Self.forms.form(of: fields)?.read(&self, fields) else {
            return nil
        }
        let delay = fields.duration("after")
        if let delay { refuseBeyondLimit(delay, fields.place(of: "after")) }
        return Trigger(moment, delay: delay)
    }

    private mutating func proxy(_ fields: Fields) -> Trigger.Moment? {
        guard let name = fields.text("proxy") else { return nil }
        if let proxies, !proxies.contains(where: { $0.name == name }) {
            findings.refuse(
                fields.place(of: "proxy"),
                "`\(name.shortened)` is not listed under `proxies`\(Spelling.hint(for: name, among: proxies.map(\.name)))"
            )
        }
        let request = fields.int("request")
        let kinds = ["tunnel", "uplink", "downlink"].filter { fields.has($0) }
        if kinds.count > 1 || (fields.has("tunnel") && fields.has("request")) {
            findings.refuse(
                fields.place,
                "a moment has one of `request`, `tunnel`, `uplink` and `downlink`; `uplink` and `downlink` allow a `request`"
            )
        }
        if let tunnel = fields.int("tunnel") {
            return .proxy(ProxyMoment(proxy: name, event: .tunnel(tunnel)))
        }
        for direction in ProxyFault.Direction.allCases {
            guard let bytes = fields.byteCount(direction.rawValue) else { continue }
            return .proxy(
                ProxyMoment(proxy: name, event: .carried(direction, bytes: bytes.bytes, request: request ?? 1)))
        }
        guard let request else {
            findings.refuse(
                fields.place(of: "proxy"), "name the moment at the proxy: `request`, `tunnel`, `uplink` or `downlink`")
            return nil
        }
        return .proxy(ProxyMoment(proxy: name, event: .request(request)))
    }

    private func direction(_ fields: Fields) -> LinkDirectionName {
        fields.text("direction").flatMap(LinkDirectionName.init(rawValue:)) ?? .downlink
    }

    private mutating func interface(_ fields: Fields) -> InterfaceKind? {
        let given = fields.text("on").flatMap(InterfaceKind.init(rawValue:))
        guard let kind = given ?? (interfaces.count == 1 ? interfaces.first?.kind : nil) else {
            findings.refuse(fields.place, "name the interface: `on: wifi`")
            return nil
        }
        if !interfaces.contains(where: { $0.kind == kind }) {
            findings.refuse(
                fields.place(of: "on"), "the scenario lacks a \(kind.rawValue) interface; add it under `network`")
        }
        return kind
    }

    private mutating func event(_ text: String, count: Int, at place: Place) -> Trigger.Moment? {
        let event = tasks.flatMap { ShortForms.event(text, $0) } ?? text
        guard
            let reference = findings.attempt({ () throws(ScenarioError) in try EventReference.parse(event, at: place) })
        else { return nil }
        switch reference {
        case .session(let session, let event):
            if !sessions.contains(where: { $0.name == session }) {
                let known = sessions.map(\.name.text)
                findings.refuse(
                    place, "the session `\(session)` does not exist\(Spelling.hint(for: session.text, among: known))")
            }
            return .sessionEvent(session, event, count: count)
        case .task(let name, let event):
            check(name, event, at: place)
            return .event(name, event, count: count)
        }
    }

    private mutating func check(_ name: TaskName, _ event: TaskEventName, at place: Place) {
        guard let tasks else { return }
        guard let task = tasks.first(where: { $0.name == name }) else {
            findings.refuse(
                place,
                "the task `\(name)` does not exist here\(Spelling.hint(for: name.text, among: tasks.map(\.name.text)))")
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
