package import Record
package import LinkEmulator

/// The client's network at the start of the scenario.
package struct NetworkPlan: Hashable, Sendable {
    /// The interfaces, at most one of each kind; an absent kind does not exist in the client namespace.
    package var interfaces: [InterfacePlan] = []
    package var families: AddressFamilies = .both
    /// If present, the client is IPv6-only, AAAA records are synthesised, and a translator connects it to an IPv4-only
    /// origin.
    package var nat64: NAT64Plan?
    package var dns: DNSPlan = DNSPlan()
    package init() {}
}

package enum AddressFamilies: String, CaseIterable, Hashable, Sendable { case ipv4, ipv6, both }

package struct InterfacePlan: Hashable, Sendable {
    package var kind: InterfaceKind
    package var link: LinkPlan
    package var state: InterfaceState
    package var cost: InterfaceCost
    /// The metric of the interface's default routes; the lowest is preferred.
    package var metric: UInt32
    package init(
        kind: InterfaceKind, link: LinkPlan, state: InterfaceState = .up, cost: InterfaceCost? = nil,
        metric: UInt32? = nil
    ) {
        self.kind = kind
        self.link = link
        self.state = state
        self.cost = cost ?? .usual(kind)
        self.metric = metric ?? kind.routeMetric
    }
}

/// The cost of an interface as a system reports it to programs. The lab publishes it as the interface's alias (RFC 2863
/// `ifAlias`), in words separated by spaces, because Linux does not have another place for it.
package struct InterfaceCost: Hashable, Sendable {
    package var isExpensive: Bool
    package var isConstrained: Bool
    package init(isExpensive: Bool = false, isConstrained: Bool = false) {
        self.isExpensive = isExpensive
        self.isConstrained = isConstrained
    }
    /// Returns the default cost of a kind: cellular data is expensive, as systems assume; all other kinds are not.
    package static func usual(_ kind: InterfaceKind) -> InterfaceCost {
        switch kind {
        case .cellular: InterfaceCost(isExpensive: true)
        case .wifi, .wired, .vpn: InterfaceCost()
        }
    }
    /// `expensive constrained`; empty if neither applies.
    package var description: String {
        [isExpensive ? "expensive" : nil, isConstrained ? "constrained" : nil].compactMap(\.self).joined(separator: " ")
    }
    /// The alias of an interface of this kind. Programs take a cellular interface without an alias for expensive, so one
    /// that is not says so.
    package func alias(of kind: InterfaceKind) -> String {
        kind == .cellular && self == InterfaceCost() ? "inexpensive" : description
    }
}

/// A profile with the scenario's changes applied.
package struct LinkPlan: Hashable, Sendable {
    /// The profile's name, or `custom`.
    package var name: String
    package var downlink: Condition
    package var uplink: Condition
    package init(name: String, downlink: Condition, uplink: Condition) {
        self.name = name
        self.downlink = downlink
        self.uplink = uplink
    }
    package static let perfect = LinkPlan(name: "perfect", downlink: .perfect, uplink: .perfect)
}

package struct NAT64Plan: Hashable, Sendable {
    /// An RFC 6052 prefix such as `2001:db8:64::/96` or the well-known `64:ff9b::/96`. The latter must not represent
    /// IPv4 addresses that are not global (§3.1); the lab's addresses are documentation space and act as global ones.
    package var prefix: String
    /// The name service synthesises AAAA records (DNS64, RFC 6147).
    package var dns64: Bool
    /// The client has its own translator, so that IPv4 literals work (464XLAT, RFC 6877).
    package var clat: Bool
    /// The time without a packet after which the translator drops an established TCP connection; nil: 2 h 4 min (RFC
    /// 6146).
    package var establishedTimeout: Duration?
    package init(
        prefix: String = "2001:db8:64::/96", dns64: Bool = true, clat: Bool = false, establishedTimeout: Duration? = nil
    ) {
        self.prefix = prefix
        self.dns64 = dns64
        self.clat = clat
        self.establishedTimeout = establishedTimeout
    }
}

/// A change of the network while the scenario runs.
package enum NetworkChange: Hashable, Sendable {
    case interfaceState(InterfaceKind, InterfaceState)
    case link(InterfaceKind, LinkPlan)
    case name(DNSRule)
    case proxy(ProxyChange)
    /// These faults replace all faults of the origin.
    case faults([Fault])
    /// The interface gets its next addresses and loses its current ones (a new lease).
    case renumber(InterfaceKind)
    case cost(InterfaceKind, InterfaceCost)
    case connections(ConnectionKillPlan)
    /// Repeatedly down and up again; the component that runs the scenario applies the steps.
    case flaps(InterfaceKind, Flapping)
    case program(ProgramChange)
    case power(PowerChange)
    case disk(DiskState)
}

/// A change of the program under test, or of the clock that it sees.
package enum ProgramChange: Hashable, Sendable {
    /// The program is stopped (SIGSTOP), as a suspended app is, or continues.
    case state(ProgramState)
    /// The wall clock of background transfers is set: it now differs from the right time by `offset`. Elapsed time
    /// continues, as after a change of the machine's clock.
    case clock(offset: Duration)
}

package enum ProgramState: String, CaseIterable, Hashable, Sendable { case stopped, running }

/// Ends connections that are established across one interface.
package struct ConnectionKillPlan: Hashable, Sendable {
    package var interface: InterfaceKind
    /// The k-th TCP connection over the interface, counted from 1; nil means all open ones.
    package var connection: Int?
    package var manner: ConnectionKill
    package init(interface: InterfaceKind, connection: Int? = nil, manner: ConnectionKill) {
        self.interface = interface
        self.connection = connection
        self.manner = manner
    }
}

/// An interface that goes down and comes up repeatedly; in the end it is up.
package struct Flapping: Hashable, Sendable {
    package var times: Int
    /// The time that it is down in each cycle.
    package var downFor: Duration
    /// The time that it is up before it goes down again.
    package var upFor: Duration
    package init(times: Int, downFor: Duration, upFor: Duration) {
        self.times = times
        self.downFor = downFor
        self.upFor = upFor
    }
    /// The changes with their times after the start; the first is immediate.
    package var steps: [(after: Duration, state: InterfaceState)] {
        (0..<times).flatMap { turn in
            let start = (downFor + upFor) * turn
            return [(start, InterfaceState.down), (start + downFor, InterfaceState.up)]
        }
    }
}
