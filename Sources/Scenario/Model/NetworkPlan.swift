/// What the client's network looks like when the scenario starts.
package struct NetworkPlan: Hashable, Sendable {
    /// At most one interface of each kind; an absent kind does not exist in the client namespace.
    package var interfaces: [InterfacePlan] = []
    package var families: AddressFamilies = .both
    /// Present: the client is IPv6-only, names are synthesised, and a translator stands before an IPv4-only origin.
    package var nat64: NAT64Plan?
    package var names: NamePlan = NamePlan()
    package init() {}
}

package enum InterfaceKind: String, CaseIterable, Hashable, Sendable {
    case wifi, cellular, wired
    /// The Linux name carries the kind, as drivers name them.
    package var linuxName: String {
        switch self {
        case .wifi: "wlan0"
        case .cellular: "wwan0"
        case .wired: "eth0"
        }
    }
    /// Route metric: wired before Wi-Fi before cellular, as network managers rank them.
    package var routeMetric: UInt32 {
        switch self {
        case .wired: 100
        case .wifi: 600
        case .cellular: 700
        }
    }
}

package enum LinkDirectionName: String, CaseIterable, Hashable, Sendable {
    /// Towards the client.
    case down
    /// From the client.
    case up
}

package enum AddressFamilies: String, CaseIterable, Hashable, Sendable { case ipv4, ipv6, both }

package enum InterfaceState: String, CaseIterable, Hashable, Sendable {
    case up
    /// Present, administratively down.
    case down
    /// Up and addressed, but without a default route.
    case noRoute
    /// Up, routed, and everything sent is swallowed without a word.
    case blackhole
}

package struct InterfacePlan: Hashable, Sendable {
    package var kind: InterfaceKind
    package var link: LinkPlan
    package var state: InterfaceState
    package init(kind: InterfaceKind, link: LinkPlan, state: InterfaceState = .up) {
        self.kind = kind
        self.link = link
        self.state = state
    }
}

/// A profile with the scenario's own changes already applied.
package struct LinkPlan: Hashable, Sendable {
    /// The profile's name, or `custom`.
    package var name: String
    package var down: Condition
    package var up: Condition
    package init(name: String, down: Condition, up: Condition) {
        self.name = name
        self.down = down
        self.up = up
    }
    package static let perfect = LinkPlan(name: "perfect", down: .perfect, up: .perfect)
}

package struct NAT64Plan: Hashable, Sendable {
    /// An RFC 6052 prefix such as `2001:db8:64::/96`; the well-known one is refused because the lab's IPv4 is not global (§3.1).
    package var prefix: String
    /// Whether the name service synthesises AAAA records (DNS64, RFC 6147).
    package var dns64: Bool
    package init(prefix: String = "2001:db8:64::/96", dns64: Bool = true) {
        self.prefix = prefix
        self.dns64 = dns64
    }
}

/// What the lab's name server answers.
package struct NamePlan: Hashable, Sendable {
    package var rules: [NameRule] = []
    package init() {}
}

/// The answer for one host name; `*` stands for every name without a rule of its own.
package struct NameRule: Hashable, Sendable {
    package enum Answer: Hashable, Sendable {
        /// The origin's addresses, in the families the network has.
        case origin
        /// These literal addresses, A or AAAA by their form.
        case addresses([String])
        case nxdomain, servfail, refused
        /// The server takes the query and never answers: a dead name service.
        case silent
    }
    package var host: String
    package var answer: Answer
    package var delay: Duration?
    package init(host: String, answer: Answer, delay: Duration? = nil) {
        self.host = host
        self.answer = answer
        self.delay = delay
    }
}

/// A change of the network while the scenario runs.
package enum NetworkChange: Hashable, Sendable {
    case interfaceState(InterfaceKind, InterfaceState)
    case link(InterfaceKind, LinkPlan)
    case name(NameRule)
}
