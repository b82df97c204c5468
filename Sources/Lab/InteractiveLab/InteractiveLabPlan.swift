import LinkEmulator
package import LinkEngines
package import Record
package import ScenarioLanguage

/// The settings of an interactive lab.
package struct InteractiveLabPlan: Sendable {
    package var network: NetworkPlan
    package var engine: EngineChoice
    package var seed: UInt64
    package var capture: String?
    package var forwards: ForwardPlan
    package var timeline: [TimelineEntry]
    /// The steps of the profiles over time, until the interface is given another condition.
    package var steps: [TimelineEntry]
    package var isolation = ClientIsolation()
    /// The scenario whose network, servers and timeline the lab has; nil for the lab's own server.
    package private(set) var given: Scenario?
    /// The network of a file or of the catalogue, which is more than its profiles; nil for a network of profiles alone.
    package private(set) var named: NamedNetwork?
    /// The program is ended after this time; nil: it decides itself.
    package var timeout: Duration?

    /// Returns a lab with the network, servers and timeline of a scenario.
    package static func of(
        _ scenario: Scenario, engine: EngineChoice = .auto, seed: UInt64 = 1, capture: String? = nil,
        forwards: ForwardPlan
    ) -> InteractiveLabPlan {
        var plan = InteractiveLabPlan(
            network: scenario.network, engine: engine, seed: seed, capture: capture, forwards: forwards,
            timeline: scenario.timeline)
        plan.given = scenario
        return plan
    }

    /// Returns a lab with a network of the catalogue: its interfaces, names, NAT64 and changes. `timeline` comes after its own.
    package static func on(
        _ network: NamedNetwork, engine: EngineChoice = .auto, seed: UInt64 = 1, capture: String? = nil,
        forwards: ForwardPlan, timeline: [TimelineEntry] = []
    ) -> InteractiveLabPlan {
        var plan = InteractiveLabPlan(
            network: network.plan, engine: engine, seed: seed, capture: capture, forwards: forwards,
            timeline: network.timeline + timeline, steps: network.steps)
        plan.named = network
        return plan
    }

    package init(
        network: NetworkPlan, engine: EngineChoice = .auto, seed: UInt64 = 1, capture: String? = nil,
        forwards: ForwardPlan,
        timeline: [TimelineEntry] = [], steps: [TimelineEntry] = []
    ) {
        self.network = network
        self.engine = engine
        self.seed = seed
        self.capture = capture
        self.forwards = forwards
        self.timeline = timeline
        self.steps = steps
    }

    /// Returns a network whose interfaces have one profile each.
    package static func network(_ interfaces: [(kind: InterfaceKind, profile: LinkProfile)]) -> NetworkPlan {
        var plan = NetworkPlan()
        plan.interfaces = interfaces.map { interface in
            InterfacePlan(kind: interface.kind, link: interface.profile.link)
        }
        plan.dns.rules = ProfileDNSRules.rules(interfaces, in: plan)
        return plan
    }

    /// Returns the steps of these profiles over time, counted from the program's start.
    package static func steps(_ interfaces: [(kind: InterfaceKind, profile: LinkProfile)]) -> [TimelineEntry] {
        interfaces.flatMap { interface in
            interface.profile.steps.map { step in
                let link = LinkPlan(name: interface.profile.name, downlink: step.downlink, uplink: step.uplink)
                return TimelineEntry(trigger: Trigger(.sinceStart(step.after)), changes: [.link(interface.kind, link)])
            }
        }
    }

    /// The place where the interfaces are chosen.
    enum Source: Hashable {
        case options
        case file(String)
        case builtIn(String)
    }

    var source: Source {
        if let given { return .file(given.networkFile ?? given.file) }
        guard let named else { return .options }
        return named.file.map(Source.file) ?? .builtIn(named.name)
    }

    /// The id of the scenario or the name of the network; nil for a network of profiles alone.
    package var name: String? { given?.id ?? named?.name }

    /// A description for prompts and messages: `wifi flaky-wifi, cellular lte`, or `nat64 (wifi good-wifi)`.
    package var description: String {
        let links = network.interfaces.map { "\($0.kind.rawValue) \($0.link.name)" }.joined(separator: ", ")
        return name.map { "\($0) (\(links))" } ?? links
    }

    /// The given scenario, or the lab's own server and names, with the network, forwards and timeline of this interactive lab.
    var scenario: Scenario {
        if var scenario = given {
            scenario.network.dns.rules += forwards.rules
            return scenario
        }
        var scenario = Scenario(file: "session", id: "session", title: "session")
        scenario.network = network
        // A profile's rule for every name applies to forwarded ones too, although these have rules of their own, which
        // would take precedence.
        let ofProfiles = network.dns.rules
        let ofForwards = ofProfiles.flatMap { ProfileDNSRules.copies(of: $0, for: forwards.rules.map(\.host)) }
        scenario.network.dns.rules =
            [DNSRule(host: "*", content: .origin)] + ofProfiles + forwards.rules + ofForwards.map(forwards.resolved)
        scenario.timeline = timeline
        var hello = Resource(body: .text("hello\n"))
        hello.contentType = "text/plain"
        var big = Resource(body: .pattern(ByteCount(1 << 20) ?? .zero))
        big.etag = "\"v1\""
        let slow = Resource(body: .pattern(ByteCount(64 << 10) ?? .zero))
        var secret = Route(path: "/private", content: .resource(Resource(body: .text("secret\n"))))
        secret.authentication = AuthenticationPlan(scheme: .basic, user: "ann", password: "pw", realm: "lab")
        scenario.origin.routes = [
            Route(path: "/hello", content: .resource(hello)), Route(path: "/big", content: .resource(big)),
            Route(path: "/slow", content: .resource(slow)), Route(path: "/echo", content: .echo),
            Route(path: "/redirect", content: .redirect(status: 302, to: "/hello")), secret,
        ]
        if let rate = BitRate(bitsPerSecond: 64_000) {
            scenario.origin.faults = [
                Fault(point: .responseBody(0), effect: .throttle(rate), scope: .init(path: "/slow"))
            ]
        }
        scenario.origin.tls = TLSPlan()
        return scenario
    }
}
