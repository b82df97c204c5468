import Record
import InternetAddresses
import LinkEmulator
/// Converts `network:`, `dns:` and `set:` into the plan and its changes.
struct NetworkReader {
    var findings = Findings()
    /// The proxies that a change may name; nil if there can be none.
    private let proxies: [ProxyPlan]?
    /// The origin that a change may give other faults; nil outside a scenario.
    private let origin: OriginPlan?
    private var profiles: [(kind: InterfaceKind, profile: LinkProfile)] = []
    /// The later steps of the profiles under `network:`; filled by `plan`.
    private(set) var steps: [TimelineEntry] = []

    init(proxies: [ProxyPlan]? = nil, origin: OriginPlan? = nil) {
        self.proxies = proxies
        self.origin = origin
    }

    mutating func plan(_ root: Fields) -> NetworkPlan {
        var plan = NetworkPlan()
        if let fields = root.fields("network") {
            readNetwork(fields, into: &plan)
        } else if !root.has("network") {
            plan.interfaces = [InterfacePlan(kind: .wifi, link: Self.link(named: "good-wifi"))]
        }
        let own = rules("dns", of: root)
        plan.dns.rules = ProfileDNSRules.rules(profiles, in: plan, besides: own) + own
        return plan
    }

    static func link(named name: String) -> LinkPlan {
        ProfileCatalogue.named(name)?.link ?? .perfect
    }

    /// Adds the parts of a profile other than its condition. Effects in `fields` override the profile in every step.
    private mutating func use(_ name: String, on kind: InterfaceKind, under fields: Fields? = nil) {
        guard let profile = ProfileCatalogue.named(name) else { return }
        profiles.append((kind, profile))
        for step in profile.steps {
            var link = LinkPlan(name: profile.name, downlink: step.downlink, uplink: step.uplink)
            if let fields {
                // The errors in these fields were already reported with the profile's first condition.
                let reported = findings
                link = overlay(fields, on: link)
                findings = reported
            }
            steps.append(TimelineEntry(trigger: Trigger(.sinceStart(step.after)), changes: [.link(kind, link)]))
        }
    }

    private mutating func readNetwork(_ fields: Fields, into plan: inout NetworkPlan) {
        for kind in InterfaceKind.allCases {
            guard let value = fields.value(kind.rawValue) else { continue }
            switch value {
            case .text(let name, _):
                plan.interfaces.append(InterfacePlan(kind: kind, link: Self.link(named: name)))
                use(name, on: kind)
            case .mapping(let fields):
                if let name = fields.text("profile") { use(name, on: kind, under: fields) }
                plan.interfaces.append(
                    InterfacePlan(
                        kind: kind, link: link(fields, over: .perfect) ?? .perfect,
                        state: fields.text("state").flatMap(InterfaceState.init(rawValue:)) ?? .up,
                        cost: cost(fields, over: .usual(kind)),
                        metric: fields.integer("metric").flatMap { UInt32(exactly: $0) }))
            case .boolean, .integer, .duration, .bitRate, .byteCount, .probability, .list, .refused:
                plan.interfaces.append(InterfacePlan(kind: kind, link: .perfect))
            }
        }
        if plan.interfaces.isEmpty, !fields.entries.isEmpty, fields.isComplete {
            findings.refuse(
                fields.place, "`network` lacks an interface to which this applies; add one, such as `wifi: good-wifi`")
        }
        let families = fields.text("addresses").flatMap(AddressFamilies.init(rawValue:))
        plan.families = families ?? .both
        if let nat64 = translation(fields) {
            plan.nat64 = nat64
            if families == .ipv4 || families == .both {
                findings.refuse(
                    fields.place(of: "addresses"),
                    "a client behind NAT64 is IPv6-only; with `nat64` leave `addresses` out or write `addresses: ipv6`")
            }
            plan.families = .ipv6
        }
        plan.dns.resolver = resolver(of: fields)
        for interface in plan.interfaces where plan.families != .ipv4 {
            for condition in [interface.link.downlink, interface.link.uplink] {
                if condition.effects.contains(where: {
                    if case .mtu(let mtu, isAnnounced: _) = $0 { mtu < 1280 } else { false }
                }) {
                    findings.refuse(
                        fields.place(of: interface.kind.rawValue),
                        "IPv6 needs an MTU of at least 1280 (RFC 8200 §5); raise it or write `addresses: ipv4`")
                }
            }
        }
    }

    private mutating func translation(_ fields: Fields) -> NAT64Plan? {
        switch fields.value("nat64") {
        case .boolean(let wanted, _): return wanted ? NAT64Plan() : nil
        case .mapping(let nat64):
            var plan = NAT64Plan()
            if let prefix = nat64.text("prefix") {
                if let problem = Self.problem(ofTranslationPrefix: prefix) {
                    findings.refuse(nat64.place(of: "prefix"), "`\(prefix.shortened)` \(problem)")
                }
                plan.prefix = prefix
            }
            plan.dns64 = nat64.boolean("dns64") ?? true
            plan.clat = nat64.boolean("clat") ?? false
            plan.establishedTimeout = nat64.duration("establishedTimeout")
            return plan
        case .text, .integer, .duration, .bitRate, .byteCount, .probability, .list, .refused, nil: return nil
        }
    }

    /// Returns nil if the object does not change the link.
    private mutating func link(_ fields: Fields, over start: LinkPlan) -> LinkPlan? {
        let base = fields.text("profile").map(Self.link(named:)) ?? start
        guard fields.has("downlink") || fields.has("uplink") || fields.has("both") else {
            return fields.has("profile") ? base : nil
        }
        return overlay(fields, on: base)
    }

    private mutating func overlay(_ fields: Fields, on base: LinkPlan) -> LinkPlan {
        guard fields.has("downlink") || fields.has("uplink") || fields.has("both") else { return base }
        var link = base
        link.name = "custom"
        if let both = fields.fields("both") {
            link.downlink = Impairment.condition(both, over: link.downlink, &findings)
            // Both directions come from the same text; its errors are reported once.
            var again = Findings()
            link.uplink = Impairment.condition(both, over: link.uplink, &again)
        }
        if let down = fields.fields("downlink") {
            link.downlink = Impairment.condition(down, over: link.downlink, &findings)
        }
        if let up = fields.fields("uplink") { link.uplink = Impairment.condition(up, over: link.uplink, &findings) }
        return link
    }

    /// Returns the changes of `set:` in the order in which they are applied. Changes without a profile start from the
    /// interface's condition in `network:`.
    mutating func changes(_ name: String, of entry: Fields, in plan: NetworkPlan) -> [NetworkChange] {
        guard let fields = entry.fields(name) else { return [] }
        if fields.entries.isEmpty, fields.isComplete {
            findings.refuse(entry.place(of: name), "`set` is empty; write the changes")
        }
        var changes: [NetworkChange] = []
        // New addresses come before the states: an interface that comes up has its new addresses from the first packet
        // on.
        for value in fields.value("renumber")?.elements ?? [] {
            guard let kind = value.text.flatMap(InterfaceKind.init(rawValue:)),
                interface(kind, in: plan, value.place) != nil
            else {
                continue
            }
            changes.append(.renumber(kind))
        }
        for field in fields.entries {
            guard let kind = InterfaceKind(rawValue: field.name) else { continue }
            guard let interface = interface(kind, in: plan, field.place) else { continue }
            if let word = field.value.text {
                if let state = InterfaceState(rawValue: word) {
                    changes.append(.interfaceState(kind, state))
                } else {
                    changes.append(.link(kind, Self.link(named: word)))
                    changes += midRun(word, on: kind, in: plan, field.value.place)
                }
            } else if let object = field.value.fields {
                if object.entries.isEmpty, object.isComplete {
                    findings.refuse(object.place, "`\(kind.rawValue)` is empty; write the changes")
                }
                if let link = link(object, over: interface.link) { changes.append(.link(kind, link)) }
                if let name = object.text("profile") {
                    changes += midRun(name, on: kind, in: plan, object.place(of: "profile"))
                }
                if let state = object.text("state").flatMap(InterfaceState.init(rawValue:)) {
                    changes.append(.interfaceState(kind, state))
                }
                if object.has("expensive") || object.has("constrained") {
                    changes.append(.cost(kind, cost(object, over: interface.cost)))
                }
                if let flaps = flaps(object) { changes.append(.flaps(kind, flaps)) }
            }
        }
        let program = fields.text("program").flatMap(ProgramState.init(rawValue:)).map {
            [NetworkChange.program(.state($0))]
        }
        let disk = fields.text("disk").flatMap(DiskState.init(rawValue:)).map { [NetworkChange.disk($0)] }
        return changes + proxyChanges(fields) + originChanges(fields) + kills(fields, in: plan)
            + rules("dns", of: fields).map { .name($0) }
            + (program ?? []) + (disk ?? []) + (Self.power(fields).map { [NetworkChange.power($0)] } ?? [])
            + clockChanges(fields)
    }

    /// Returns the power supply that these keys describe; nil without them.
    static func power(_ fields: Fields) -> PowerChange? {
        guard fields.has("power") || fields.has("battery") else { return nil }
        return PowerChange(
            isExternal: fields.text("power").map { $0 == "external" },
            battery: fields.probability("battery").map { Int(($0.value * 100).rounded()) })
    }

    /// Returns the clock of background transfers.
    static func clock(_ root: Fields) -> ClockPlan? {
        guard let fields = root.fields("clock") else { return nil }
        return ClockPlan(scale: fields.int("scale") ?? 1, offset: clockOffset(fields))
    }

    private static func clockOffset(_ fields: Fields) -> Duration {
        (fields.duration("ahead") ?? .zero) - (fields.duration("behind") ?? .zero)
    }

    private mutating func clockChanges(_ set: Fields) -> [NetworkChange] {
        guard let fields = set.fields("clock") else { return [] }
        if fields.entries.isEmpty, fields.isComplete {
            findings.refuse(set.place(of: "clock"), "`clock` is empty; write `behind` or `ahead`")
        }
        return [.program(.clock(offset: Self.clockOffset(fields)))]
    }

    private mutating func proxyChanges(_ fields: Fields) -> [NetworkChange] {
        guard fields.has("proxies") else { return [] }
        guard let proxies else {
            findings.refuse(
                fields.place(of: "proxies"),
                "proxies cannot be changed here, only by a scenario's timeline and steps")
            return []
        }
        var reader = ProxyReader()
        defer { findings.add(reader.findings.errors) }
        return fields.pairs("proxies").compactMap { reader.change($0, among: proxies).map { .proxy($0) } }
    }

    private mutating func originChanges(_ set: Fields) -> [NetworkChange] {
        guard let fields = set.fields("origin") else { return [] }
        guard let origin else {
            findings.refuse(
                set.place(of: "origin"),
                "the origin cannot be changed here, only by a scenario's timeline and steps")
            return []
        }
        var reader = FaultReader()
        defer { findings.add(reader.findings.errors) }
        return [.faults(fields.list("faults").compactMap { reader.fault($0, in: origin) })]
    }

    /// Returns the changes, besides the link, of a profile that is set during the run. Profiles with steps are refused,
    /// because the record could not show the start of their steps.
    private mutating func midRun(
        _ name: String, on kind: InterfaceKind, in plan: NetworkPlan, _ place: Place
    ) -> [NetworkChange] {
        guard let profile = ProfileCatalogue.named(name) else { return [] }
        if !profile.steps.isEmpty {
            findings.refuse(
                place,
                "`\(name)` changes over time; set its conditions one by one, or use it from the start (in `network:`, or with --network)"
            )
        }
        return ProfileDNSRules.rules(of: profile, on: kind, in: plan).map { .name($0) }
    }

    private func cost(_ fields: Fields, over start: InterfaceCost) -> InterfaceCost {
        InterfaceCost(
            isExpensive: fields.boolean("expensive") ?? start.isExpensive,
            isConstrained: fields.boolean("constrained") ?? start.isConstrained)
    }

    private mutating func flaps(_ fields: Fields) -> Flapping? {
        guard let object = fields.fields("flapping"), let times = Findings.int(object.integer("times")),
            let down = object.duration("downFor"), let up = object.duration("upFor")
        else { return nil }
        if fields.has("state") {
            findings.refuse(fields.place(of: "state"), "an interface is up after flapping; leave `state` out")
        }
        return Flapping(times: times, downFor: down, upFor: up)
    }

    private mutating func interface(_ kind: InterfaceKind, in plan: NetworkPlan, _ place: Place) -> InterfacePlan? {
        if let interface = plan.interfaces.first(where: { $0.kind == kind }) { return interface }
        findings.refuse(
            place,
            "the scenario lacks a \(kind.rawValue) interface; add it under `network`, with `state: down` if it comes up later"
        )
        return nil
    }

    private mutating func kills(_ fields: Fields, in plan: NetworkPlan) -> [NetworkChange] {
        (fields.value("connections")?.elements ?? []).compactMap { value in
            guard let cut = value.fields, let kind = cut.text("on").flatMap(InterfaceKind.init(rawValue:)),
                interface(kind, in: plan, cut.place(of: "on")) != nil,
                let manner = ConnectionKill.named.first(where: { $0.word == cut.text("end") })?.manner
            else { return nil }
            return .connections(
                ConnectionKillPlan(interface: kind, connection: Findings.int(cut.integer("number")), manner: manner))
        }
    }

    // MARK: DNS

    private mutating func rules(_ name: String, of fields: Fields) -> [DNSRule] {
        var reader = DNSPlanReader()
        let rules = reader.rules(name, of: fields)
        findings.add(reader.findings.errors)
        return rules
    }

    private mutating func resolver(of fields: Fields) -> ResolverPlan {
        var reader = DNSPlanReader()
        let resolver = reader.resolver(of: fields)
        findings.add(reader.findings.errors)
        return resolver
    }
}

extension NetworkReader {
    /// Returns nil if a translator of this lab can use the prefix `text`; otherwise a description of the problem.
    static func problem(ofTranslationPrefix text: String) -> String? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let address = IPv6Address(parts[0]), let length = Int(parts[1]) else {
            return "is not an IPv6 prefix; write one such as 2001:db8:64::/96"
        }
        guard NAT64Prefix.lengths.contains(length) else {
            return "has the length \(parts[1]); RFC 6052 §2.2 allows 32, 40, 48, 56, 64 and 96"
        }
        guard NAT64Prefix(address, length: length) == nil else { return nil }
        return length == 96 && address.low & 0xFFFF_FFFF == 0
            ? "has bits 64 to 71 set, which are reserved (RFC 6052 §2.2)" : "has bits set after its length"
    }
}
