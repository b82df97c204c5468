package import Scenario

/// What a session at a shell is made of.
package struct LabSessionPlan: Sendable {
    package var network: NetworkPlan
    package var engine: EngineChoice
    package var seed: UInt64
    package var capture: String?
    package var forwards: ForwardPlan
    package var timeline: [TimelineEntry]

    package init(
        network: NetworkPlan, engine: EngineChoice = .auto, seed: UInt64 = 1, capture: String? = nil, forwards: ForwardPlan,
        timeline: [TimelineEntry] = []
    ) {
        self.network = network
        self.engine = engine
        self.seed = seed
        self.capture = capture
        self.forwards = forwards
        self.timeline = timeline
    }

    /// Interfaces under one profile each.
    package static func network(_ interfaces: [(kind: InterfaceKind, profile: LinkProfile)]) -> NetworkPlan {
        var plan = NetworkPlan()
        plan.interfaces = interfaces.map { interface in
            let profile = interface.profile
            return InterfacePlan(
                kind: interface.kind, link: LinkPlan(name: profile.name, down: profile.down, up: profile.up))
        }
        return plan
    }

    /// In words, for prompts and messages: `wifi flaky-wifi, cellular lte`.
    package var words: String {
        network.interfaces.map { "\($0.kind.rawValue) \($0.link.name)" }.joined(separator: ", ")
    }

    /// The lab's own server and names, with this session's network, forwards and timeline.
    var scenario: Scenario {
        var scenario = Scenario(file: "session", id: "session", title: "session")
        scenario.network = network
        scenario.network.names.rules += [NameRule(host: "*", answer: .origin)] + forwards.rules
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
            scenario.origin.faults = [Fault(point: .responseBody(0), effect: .throttle(rate), scope: .init(path: "/slow"))]
        }
        scenario.origin.tls = TLSPlan()
        return scenario
    }
}
