import InternetAddresses
import Record
import AdapterProtocol

/// Converts `proxies:` into plans, and a session's `proxy:` into an address.
struct ProxyReader {
    static let proxies = Shape.mapping(key: "proxy names", proxy)

    private static let proxy = Shape.object(
        [
            Field(
                "type", .word(ProxyAddress.Kind.allCases.map(\.rawValue)),
                "http (the default), https (HTTP inside TLS) or socks5."),
            Field(
                "port", .integer(1...65_535),
                "The port; default 3128 for http, 3129 for https, 1080 for socks5. Each proxy needs its own."),
        ] + access + [
            Field("tls", TLSReader.shape, "The certificate of a proxy of the type https."),
            Field(
                "system", .boolean,
                "True: the environment of the program under test names it (http_proxy, https_proxy, all_proxy); default false."
            ),
            Field(
                "boundName", .text,
                "SOCKS: a successful reply states the proxy's end of the connection by this host name (RFC 1928 §6); default its address."
            ),
            Field("faults", .list(fault), "The points at which the proxy misbehaves."),
        ])

    private static let access = [
        Field("basic", .object(AuthenticationReader.credentials), "Requires Basic authentication, with 407."),
        Field(
            "digest", .object(AuthenticationReader.credentials + AuthenticationReader.digest),
            "Requires Digest authentication, with 407."),
        Field("login", .object(login), "Requires this SOCKS user and password (RFC 1929)."),
    ]

    static let change = Shape.object(
        access + [
            Field("open", .boolean, "True: it does not require authentication from here on."),
            Field(
                "faults", .either([.word(["none"]), .list(fault)]),
                "These faults replace all others, and `first` counts from here; `none` for a correct proxy."),
        ])

    static let use = Shape.either([
        .text,
        .object([
            Field("name", .text, required: true, "A proxy under `proxies:`."),
            Field("user", .text, "Credentials that the session is configured with, for SOCKS."),
            Field("password", .text, "The password for `user`."),
            Field(
                "for", .word(ProxyAddress.Scheme.allCases.map(\.rawValue)),
                "Only for URLs of this scheme; default http and https."),
            Field(
                "except", .oneOrMore(.text),
                "Hosts that the session connects to without the proxy; `*.example.test` includes subdomains."),
        ]),
    ])

    /// Returns true for a name, for `*.` or `.` before one, and for an address or a block of addresses.
    private static func isException(_ text: String) -> Bool {
        let name = text.hasPrefix("*.") ? text.dropFirst(2) : text.hasPrefix(".") ? text.dropFirst() : text[...]
        return HTTPHeadSyntax.isHost(String(name)) || AddressPrefix(text) != nil
    }

    private static let login = [
        Field("user", .text, required: true, "The correct user."),
        Field("password", .text, required: true, "The correct password."),
    ]

    private static let fault = Shape.object([
        Field("at", points.shape, required: true, "The point. \(points.meanings)."),
        Field("do", effects.shape, required: true, "The effect. \(effects.meanings)."),
        Field("for", .object(scope.fields()), "All given parts must hold; default: always."),
    ])

    static let points = Alternatives<ProxyFault.Point>(
        words: [
            .init("accept", .accept, "the connection is open"),
            .init("request", .request, "the client's request is complete, before the response"),
        ],
        keys: [
            .init("uplink", .byteCount, "Exactly this many bytes were forwarded to the target.") { value, _ in
                value.byteCount.map { .carried(.uplink, $0.bytes) }
            },
            .init("downlink", .byteCount, "Exactly this many bytes from the target were forwarded to the client.") {
                value, _ in
                value.byteCount.map { .carried(.downlink, $0.bytes) }
            },
        ])

    static let effects = Alternatives<ProxyFault.Effect>(
        words: [
            .init("close", .close, "FIN to both sides"), .init("reset", .reset, "RST to both sides"),
            .init("stall", .stall, "silence on open connections"),
        ],
        keys: [
            .init(
                "refuse", .integer(1...599), "This HTTP status or SOCKS reply code instead of a connection."
            ) { value, _ in value.int.map { .refuse($0) } },
            .init("pause", .duration, "Silence for this long, then the proxy continues.") { value, _ in
                value.duration.map { .pause($0) }
            },
            .init("throttle", .bitRate, "From here on at this rate.") { value, _ in value.bitRate.map { .throttle($0) }
            },
        ])

    private static let scope: [Key<ProxyFault.Scope>] = [
        Key("connection", \.connection, "The k-th connection to this proxy."),
        Key("request", \.request, "The k-th request to this proxy."),
        Key("first", \.first, "Only the first n matches, then normal."),
    ]

    var findings = Findings()

    mutating func plans(_ root: Fields) -> [ProxyPlan] {
        var plans: [ProxyPlan] = []
        for pair in root.pairs("proxies") {
            guard let fields = pair.value.fields else { continue }
            if !HTTPHeadSyntax.isName(pair.key) {
                findings.refuse(
                    pair.place,
                    "`\(pair.key.shortened)` is not a proxy name: letters, digits, hyphens and underscores only")
            }
            let plan = plan(pair.key, fields)
            if let other = plans.first(where: { $0.port == plan.port }) {
                findings.refuse(
                    fields.place(of: "port"),
                    "`\(other.name)` has the port \(plan.port) too; write another `port`")
            }
            if plan.isSystem, let other = plans.first(where: \.isSystem) {
                findings.refuse(
                    fields.place(of: "system"), "`\(other.name)` is already the system proxy; only one is possible")
            }
            plans.append(plan)
        }
        return plans
    }

    private mutating func plan(_ name: String, _ fields: Fields) -> ProxyPlan {
        let kind = fields.text("type").flatMap(ProxyAddress.Kind.init(rawValue:)) ?? .http
        var plan = ProxyPlan(name: name, kind: kind, port: fields.int("port"))
        if [53, 80, 443].contains(plan.port) {
            findings.refuse(
                fields.place(of: "port"), "the port \(plan.port) belongs to the origin or the DNS server; write another"
            )
        }
        plan.isSystem = fields.boolean("system") ?? false
        plan.access = access(kind, fields)
        if fields.has("tls") {
            if kind == .https {
                plan.tls = TLSReader.plan(fields, &findings) ?? TLSPlan()
            } else {
                findings.refuse(
                    fields.place(of: "tls"), "`tls` belongs to a proxy of the type https; write `type: https`")
            }
        }
        plan.boundName = fields.text("boundName")
        if let name = plan.boundName {
            if kind != .socks5 {
                findings.refuse(
                    fields.place(of: "boundName"), "`boundName` is part of a SOCKS reply; write `type: socks5`")
            } else if !(1...255).contains(name.utf8.count) {
                findings.refuse(fields.place(of: "boundName"), "`boundName` has 1 to 255 bytes (RFC 1928 §5)")
            }
        }
        plan.faults = fields.list("faults").compactMap { fault($0, kind) }
        return plan
    }

    /// Reads one entry of `set: { proxies: … }`.
    mutating func change(_ pair: (key: String, value: Value, place: Place), among plans: [ProxyPlan]) -> ProxyChange? {
        guard let fields = pair.value.fields else { return nil }
        guard let plan = plans.first(where: { $0.name == pair.key }) else {
            findings.refuse(
                pair.place,
                "`\(pair.key.shortened)` is not listed under `proxies`\(Spelling.hint(for: pair.key, among: plans.map(\.name)))"
            )
            return nil
        }
        var change = ProxyChange(proxy: plan.name)
        let asks = ["basic", "digest", "login"].filter { fields.has($0) }
        if fields.boolean("open") == true {
            if let word = asks.first {
                findings.refuse(
                    fields.place(of: word), "an `open` proxy does not require authentication; leave one out")
            }
            change.access = .open
        } else if fields.has("open") {
            findings.refuse(fields.place(of: "open"), "write what the proxy requires: `basic`, `digest` or `login`")
        } else if !asks.isEmpty {
            change.access = access(plan.kind, fields)
        }
        if fields.text("faults") == "none" {
            change.faults = []
        } else if fields.has("faults") {
            change.faults = fields.list("faults").compactMap { fault($0, plan.kind) }
        }
        if change.access == nil, change.faults == nil, fields.isComplete {
            findings.refuse(pair.place, "`\(pair.key.shortened)` is empty; write the changes")
        }
        return change
    }

    private mutating func access(_ kind: ProxyAddress.Kind, _ fields: Fields) -> ProxyPlan.Access {
        switch kind {
        case .http, .https:
            if fields.has("login") {
                findings.refuse(
                    fields.place(of: "login"), "`login` is for SOCKS; an HTTP proxy requires `basic` or `digest`")
            }
            guard var plan = AuthenticationReader.plan(fields, &findings) else { return .open }
            plan.requester = .proxy
            return .challenge(plan)
        case .socks5:
            for name in ["basic", "digest"] where fields.has(name) {
                findings.refuse(
                    fields.place(of: name), "SOCKS does not have `\(name)`; write `login: { user: …, password: … }`")
            }
            guard let login = fields.fields("login"), let user = login.text("user"),
                let password = login.text("password")
            else {
                return .open
            }
            for (name, text) in [("user", user), ("password", password)] where !(1...255).contains(text.utf8.count) {
                findings.refuse(login.place(of: name), "`\(name)` has 1 to 255 bytes (RFC 1929 §2)")
            }
            return .login(user: user, password: password)
        }
    }

    private mutating func fault(_ fields: Fields, _ kind: ProxyAddress.Kind) -> ProxyFault? {
        guard let point = Self.points.read("at", of: fields, &findings),
            let effect = Self.effects.read("do", of: fields, &findings)
        else { return nil }
        switch (effect, point) {
        case (.refuse(let code), .request):
            let allowed = kind == .socks5 ? 1...255 : 300...599
            if !allowed.contains(code) {
                findings.refuse(
                    fields.place(of: "do"),
                    kind == .socks5
                        ? "a SOCKS proxy refuses with a reply of 1 to 255 (RFC 1928 §6), not \(code)"
                        : "an HTTP proxy refuses with a status of 300 to 599, not \(code)")
            }
        case (.refuse, .accept), (.refuse, .carried):
            findings.refuse(fields.place(of: "at"), "a proxy can only refuse a request; write `at: request`")
        case (.throttle, .accept):
            findings.refuse(fields.place(of: "at"), "there is no traffic to slow down yet; write `at: request`")
        case (.close, _), (.reset, _), (.stall, _), (.pause, _), (.throttle, _): break
        }
        let of = fields.fields("for")
        if point == .accept, of?.has("request") == true {
            findings.refuse(
                of?.place(of: "request") ?? fields.place, "the request is not known yet at `accept`; write `connection`"
            )
        }
        var scope = ProxyFault.Scope()
        if let of { Self.scope.read(of, into: &scope, &findings) }
        return ProxyFault(point: point, effect: effect, scope: scope)
    }

    /// Returns the address of the proxy that a session's `proxy:` names.
    mutating func address(_ fields: Fields, among plans: [ProxyPlan]) -> ProxyAddress? {
        let given = fields.fields("proxy")
        guard let name = fields.text("proxy") ?? given?.text("name") else { return nil }
        let place = given?.place(of: "name") ?? fields.place(of: "proxy")
        guard let plan = plans.first(where: { $0.name == name }) else {
            findings.refuse(
                place,
                "`\(name.shortened)` is not listed under `proxies`\(Spelling.hint(for: name, among: plans.map(\.name)))"
            )
            return nil
        }
        if let given, given.has("user") != given.has("password") {
            findings.refuse(given.place, "`user` and `password` need each other")
        }
        if let given, given.has("user"), plan.kind != .socks5 {
            findings.refuse(given.place(of: "user"), "an HTTP proxy sends a challenge; use the task's `challenge`")
        }
        var address = ProxyAddress(
            kind: plan.kind, host: ProxyPlan.host, port: plan.port, user: given?.text("user"),
            password: given?.text("password"))
        address.scheme = given?.text("for").flatMap(ProxyAddress.Scheme.init(rawValue:))
        address.exceptions = given?.texts("except") ?? []
        if let given, let wrong = address.exceptions.first(where: { !Self.isException($0) }) {
            findings.refuse(
                given.place(of: "except"),
                "`\(wrong.shortened)` is not a host such as example.test, `*.example.test` or 203.0.113.7")
        }
        if let given, address.scheme != nil, plan.kind == .socks5 {
            findings.refuse(given.place(of: "for"), "a SOCKS proxy applies to every scheme; leave `for` out")
        }
        return address
    }
}
