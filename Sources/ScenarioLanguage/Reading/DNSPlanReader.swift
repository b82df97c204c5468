import Record
import InternetAddresses

/// Converts `dns:` into rules and `resolver:` into the configuration of the client's resolver.
struct DNSPlanReader {
    static let replyDescription = ["origin", "nodata", "nxdomain", "servfail", "refused", "silent"]

    static let names = Shape.mapping(key: "host names (`*` for all others)", rule)

    private static let simple: [Shape] = [.word(replyDescription), .list(.text)]

    /// One reply without exceptions for single types.
    private static let plain = [
        Field(
            "reply", .either(simple),
            "A word, or addresses; default origin. nodata: the name exists without an address."),
        Field("delay", .duration, "The reply is delayed by this time."),
        Field("ttl", .duration, "The TTL of the reply, in whole seconds; default 0s."),
        Field(
            "cname", .oneOrMore(.text),
            "CNAMEs before the addresses, in order; the name itself, or a repeated alias, makes a loop."),
        Field(
            "malformed", .word(DNSReply.Malformation.allCases.map(\.rawValue)),
            "The defect of the message; truncated, oversized and wrongSource over UDP only."),
        Field(
            "tcp", .word(DNSReply.TCPReply.allCases.map(\.rawValue)),
            "The result of a query over TCP: the reply, silence, or a reset connection; default reply."),
    ]

    private static let typed =
        plain + [
            Field("a", .either(simple + [.object(plain)]), "Changes to replies to A queries."),
            Field("aaaa", .either(simple + [.object(plain)]), "Changes to replies to AAAA queries."),
        ]

    private static let variant = Shape.either(
        simple + [
            .object(
                typed + [
                    Field(
                        "times", .integer(1...1_000_000),
                        "The number of queries of each type that get this reply; default 1.")
                ])
        ])

    private static let turned =
        typed + [
            Field(
                "sequence", .list(variant),
                "Replies in this order, counted for each query type; the last one repeats. Each starts from the keys beside `sequence`."
            )
        ]

    private static let rule = Shape.either(
        simple + [
            .object(
                turned + [
                    Field(
                        "on",
                        .object(
                            InterfaceKind.allCases.map { kind in
                                Field(
                                    kind.rawValue, .either(simple + [.object(turned)]),
                                    "The reply of the \(kind.rawValue) network's DNS server instead.")
                            }), "Other replies of the DNS servers of single networks.")
                ])
        ])

    static let resolver = Shape.object([
        Field("search", .oneOrMore(.text), "Search domains that are appended to short names."),
        Field("timeout", .duration, "The time that the client's resolver waits for a reply: 1s to 30s."),
        Field("attempts", .integer(1...5), "The number of times that it sends a query."),
        Field("ndots", .integer(0...15), "A name with at least this many dots is first tried unchanged."),
        Field(
            "servers", .either([.word(["none"]), .list(.text)]),
            "Name servers instead of those of the interfaces: addresses, or none."),
        Field("tcp", .boolean, "False: the name servers refuse TCP connections; default true."),
    ])

    var findings = Findings()

    /// Returns the rules of `dns:`; those for single interfaces follow the rule of their host for all interfaces.
    mutating func rules(_ name: String, of fields: Fields) -> [DNSRule] {
        var rules: [DNSRule] = []
        for pair in fields.pairs(name) {
            guard pair.key == "*" || HTTPHeadSyntax.isHost(pair.key) else {
                findings.refuse(
                    pair.place,
                    "`\(pair.key.shortened)` is not a host name; write one such as slow.test, or '*' for all others")
                continue
            }
            let host = pair.key.lowercased()
            let common = rule(pair.value, for: host, on: nil, over: DNSReply())
            rules.append(common)
            guard let single = pair.value.fields?.fields("on") else { continue }
            if single.entries.isEmpty, single.isComplete {
                findings.refuse(single.place, "`on` is empty; name an interface")
            }
            for field in single.entries {
                guard let kind = InterfaceKind(rawValue: field.name) else { continue }
                rules.append(rule(field.value, for: host, on: kind, over: common.reply))
            }
        }
        return rules
    }

    private mutating func rule(_ value: Value, for host: String, on kind: InterfaceKind?, over start: DNSReply)
        -> DNSRule
    {
        let base = reply(value, over: start)
        guard let values = value.fields?.value("sequence")?.elements, let last = values.last else {
            return DNSRule(host: host, interface: kind, reply: base)
        }
        if let beside = value.fields?.value("reply") {
            findings.refuse(beside.place, "`reply` and `sequence` exclude each other; move the reply into the sequence")
        }
        if let times = last.fields?.value("times") {
            findings.refuse(times.place, "the last reply of the sequence repeats; leave `times` out")
        }
        let turns = values.dropLast().map { value in
            DNSRule.Variant(reply(value, over: base), times: value.fields?.int("times") ?? 1)
        }
        return DNSRule(host: host, interface: kind, sequence: turns, reply: reply(last, over: base))
    }

    /// Returns `start` with the given keys replaced; a bare word or list replaces the reply for every type.
    private mutating func reply(_ value: Value, over start: DNSReply) -> DNSReply {
        var reply = start
        guard let fields = value.fields else {
            reply.content = content(value) ?? start.content
            reply.exceptions = [:]
            return reply
        }
        if let given = fields.value("reply") { reply.content = content(given) ?? start.content }
        if let delay = fields.duration("delay") { reply.delay = delay }
        if let lifetime = fields.duration("ttl") {
            let (seconds, rest) = lifetime.components
            // RFC 2181 §8: 31 bits.
            if rest != 0 || seconds > 2_147_483_647 {
                findings.refuse(fields.place(of: "ttl"), "a TTL is in whole seconds, at most 2147483647")
            }
            reply.timeToLive = UInt32(clamping: seconds)
        }
        if let aliases = fields.value("cname")?.elements {
            reply.aliases = aliases.compactMap { alias in
                guard let text = alias.text else { return nil }
                if !HTTPHeadSyntax.isHost(text) {
                    findings.refuse(alias.place, "`\(text.shortened)` is not a host name; write one such as edge.test")
                }
                return text.lowercased()
            }
        }
        if let malformation = fields.text("malformed").flatMap(DNSReply.Malformation.init(rawValue:)) {
            reply.malformation = malformation
        }
        if let stream = fields.text("tcp").flatMap(DNSReply.TCPReply.init(rawValue:)) { reply.overTCP = stream }
        for (type, given) in DNSReply.QueryType.allCases.compactMap({ type in
            fields.value(type.rawValue).map { (type, $0) }
        }) {
            var plain = reply
            plain.exceptions = [:]
            reply.exceptions[type] = self.reply(given, over: plain)
        }
        return reply
    }

    private mutating func content(_ value: Value) -> DNSReply.Content? {
        switch value {
        case .text(let word, _):
            switch word {
            case "origin": .origin
            case "nodata": .addresses([])
            case "nxdomain": .nxdomain
            case "servfail": .servfail
            case "refused": .refused
            case "silent": .silent
            default: nil
            }
        case .list: .addresses(addresses(value))
        case .boolean, .integer, .duration, .bitRate, .byteCount, .probability, .mapping, .refused: nil
        }
    }

    private mutating func addresses(_ list: Value) -> [String] {
        list.elements.compactMap { value in
            guard let text = value.text else { return nil }
            if IPAddress(text) == nil {
                findings.refuse(value.place, "`\(text.shortened)` is not an IP address; write one such as 203.0.113.99")
            }
            return text
        }
    }

    // MARK: The client's resolver

    mutating func resolver(of network: Fields) -> ResolverPlan {
        var plan = ResolverPlan()
        guard let fields = network.fields("resolver") else { return plan }
        plan.search = (fields.value("search")?.elements ?? []).compactMap { value in
            guard let text = value.text else { return nil }
            if !HTTPHeadSyntax.isHost(text) {
                findings.refuse(value.place, "`\(text.shortened)` is not a domain; write one such as lab.test")
            }
            return text.lowercased()
        }
        // The limits of resolv.conf(5).
        if plan.search.count > 6 {
            findings.refuse(fields.place(of: "search"), "a resolver accepts at most 6 search domains")
        }
        if let timeout = fields.duration("timeout") {
            let (seconds, rest) = timeout.components
            if rest != 0 || !(1...30).contains(seconds) {
                findings.refuse(fields.place(of: "timeout"), "a resolver's timeout is 1s to 30s, in whole seconds")
            }
            plan.timeoutSeconds = Int(clamping: seconds)
        }
        plan.attempts = fields.int("attempts")
        plan.dots = fields.int("ndots")
        plan.acceptsTCP = fields.boolean("tcp") ?? true
        switch fields.value("servers") {
        case .text: plan.servers = .fixed([])
        case .list(let values, let place):
            if values.count > 3 { findings.refuse(place, "a resolver accepts at most 3 name servers") }
            plan.servers = .fixed(addresses(.list(values, place)))
        case .boolean, .integer, .duration, .bitRate, .byteCount, .probability, .mapping, .refused, nil: break
        }
        return plan
    }
}
