internal import AdapterProtocol

/// The kind of an interface.
public struct InterfaceKind: RawRepresentable, Hashable, Sendable {
    /// The word of the control protocol.
    public let rawValue: String
    /// A kind that this version of the library may not know.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Wi-Fi.
    public static let wifi = InterfaceKind(rawValue: "wifi")
    /// Cellular.
    public static let cellular = InterfaceKind(rawValue: "cellular")
    /// Ethernet.
    public static let wired = InterfaceKind(rawValue: "wired")
    /// A VPN.
    public static let vpn = InterfaceKind(rawValue: "vpn")
}

/// The state of an interface.
public enum InterfaceState: String, CaseIterable, Hashable, Sendable {
    /// Up, with addresses and routes.
    case up
    /// Administratively down.
    case down
    /// Up with addresses, without a default route.
    case noRoute
    /// Without an IPv4 default route.
    case noIPv4Route
    /// Without an IPv6 default route.
    case noIPv6Route
    /// Without an address: the lease ran out.
    case noAddress
    /// The cable is unplugged.
    case noCarrier
    /// Up with routes, but every packet is silently dropped.
    case blackhole
}

/// A direction of traffic.
public enum Direction: String, CaseIterable, Hashable, Sendable {
    /// From the program to the network.
    case uplink
    /// From the network to the program.
    case downlink
}

/// The condition of the link of an interface: a profile, effects, or both.
///
/// `Condition.edge`, `Condition.lte.with(.loss("2%"))`, `Condition(.rate("1Mbit/s"), .delay("80ms"))`. Effects without a
/// profile are added to the present condition. A profile that changes over time stays at its first condition.
public struct Condition: Hashable, Sendable {
    /// An effect on packets, in the words of a scenario file.
    public struct Effect: Hashable, Sendable {
        let name: String
        let value: String
        /// An effect whose value is one text, for example `Effect("rate", "1Mbit/s")`.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
        /// A rate such as `1Mbit/s`.
        public static func rate(_ rate: String) -> Effect { Effect("rate", rate) }
        /// A one-way delay.
        public static func delay(_ delay: Duration) -> Effect { Effect("delay", delay.protocolText) }
        /// A share of lost packets such as `2%`.
        public static func loss(_ share: String) -> Effect { Effect("loss", share) }
    }

    private var profile: String?
    private var effects: [String: [String: String]] = [:]

    /// The profile of this name; `crosswind profiles` lists them.
    public init(profile: String) { self.profile = profile }

    /// Effects in both directions, added to the present condition.
    public init(_ effects: Effect...) { add(effects, to: "both") }

    /// Returns this condition with more effects, in both directions or in one.
    public func with(_ effects: Effect..., in direction: Direction? = nil) -> Condition {
        var copy = self
        copy.add(effects, to: direction?.rawValue ?? "both")
        return copy
    }

    private mutating func add(_ added: [Effect], to place: String) {
        for effect in added { effects[place, default: [:]][effect.name] = effect.value }
    }

    var fields: [String: JSONValue] {
        var fields = effects.mapValues { JSONValue.object($0.mapValues { .text($0) }) }
        fields["profile"] = profile.map { .text($0) }
        return fields
    }

    /// An ideal wire.
    public static let perfect = Condition(profile: "perfect")
    /// Wi-Fi near its access point.
    public static let goodWiFi = Condition(profile: "good-wifi")
    /// Wi-Fi at the edge of its range.
    public static let poorWiFi = Condition(profile: "poor-wifi")
    /// Wi-Fi that drops out for a moment every four seconds.
    public static let flakyWiFi = Condition(profile: "flaky-wifi")
    /// A good LTE connection.
    public static let lte = Condition(profile: "lte")
    /// A good 5G connection.
    public static let fiveG = Condition(profile: "5g")
    /// An average 3G connection.
    public static let threeG = Condition(profile: "3g")
    /// An average EDGE connection.
    public static let edge = Condition(profile: "edge")
    /// Slow, with high delay and 10 % loss.
    public static let veryBadNetwork = Condition(profile: "very-bad-network")
    /// Everything is lost while the interface stays up.
    public static let everythingLost = Condition(profile: "lossy-100")
    /// Up with routes, but every packet is dropped.
    public static let lieFi = Condition(profile: "lie-fi")
    /// A geostationary satellite link.
    public static let satellite = Condition(profile: "satellite")
    /// A train ride through tunnels.
    public static let tunnel = Condition(profile: "tunnel")
}

/// The reply of the lab's name servers to a query.
public enum DNSReply: Hashable, Sendable {
    /// The addresses of the lab's origin.
    case origin
    /// The name does not exist.
    case nonexistent
    /// The server failed.
    case serverFailure
    /// No reply.
    case silent
    /// These addresses.
    case addresses([String])

    var json: JSONValue {
        switch self {
        case .origin: .text("origin")
        case .nonexistent: .text("nxdomain")
        case .serverFailure: .text("servfail")
        case .silent: .text("silent")
        case .addresses(let addresses): .list(addresses.map { .text($0) })
        }
    }
}

/// A change of the network.
public struct NetworkChange: Hashable, Sendable {
    private let subject: String
    private let value: JSONValue

    private init(_ subject: String, _ value: JSONValue) {
        self.subject = subject
        self.value = value
    }

    /// An interface enters a state.
    public static func state(_ interface: InterfaceKind, _ state: InterfaceState) -> NetworkChange {
        NetworkChange(interface.rawValue, .object(["state": .text(state.rawValue)]))
    }
    /// An interface goes down.
    public static func down(_ interface: InterfaceKind) -> NetworkChange { .state(interface, .down) }
    /// An interface comes up.
    public static func up(_ interface: InterfaceKind) -> NetworkChange { .state(interface, .up) }
    /// An interface gets a condition.
    public static func condition(_ interface: InterfaceKind, _ condition: Condition) -> NetworkChange {
        NetworkChange(interface.rawValue, .object(condition.fields))
    }
    /// An interface goes down and up repeatedly.
    public static func flapping(
        _ interface: InterfaceKind, times: Int, downFor: Duration, upFor: Duration
    ) -> NetworkChange {
        NetworkChange(
            interface.rawValue,
            .object([
                "flapping": .object([
                    "times": .integer(Int64(times)), "downFor": .text(downFor.protocolText),
                    "upFor": .text(upFor.protocolText),
                ])
            ]))
    }
    /// The marks of an interface: expensive, or constrained by the user.
    public static func cost(_ interface: InterfaceKind, expensive: Bool, constrained: Bool = false) -> NetworkChange {
        NetworkChange(
            interface.rawValue, .object(["expensive": .boolean(expensive), "constrained": .boolean(constrained)]))
    }
    /// NAT64 and DNS64 for a client with IPv6 only. Not possible at a moment, only at once.
    public static func nat64(_ isOn: Bool) -> NetworkChange { NetworkChange("nat64", .boolean(isOn)) }
    /// The reply to queries for a name.
    public static func dns(_ host: String, _ reply: DNSReply, delay: Duration? = nil) -> NetworkChange {
        guard let delay else { return NetworkChange("dns", .object([host: reply.json])) }
        return NetworkChange(
            "dns", .object([host: .object(["reply": reply.json, "delay": .text(delay.protocolText)])]))
    }
    /// Open connections over an interface end: silently, or with a reset.
    public static func endConnections(on interface: InterfaceKind, reset: Bool = false) -> NetworkChange {
        NetworkChange(
            "connections", .object(["on": .text(interface.rawValue), "end": .text(reset ? "reset-both" : "drop")]))
    }
    /// An interface gets new addresses.
    public static func renumber(_ interface: InterfaceKind) -> NetworkChange {
        NetworkChange("renumber", .list([.text(interface.rawValue)]))
    }

    /// Returns the object `change`. A single word of an interface is written as text.
    static func merged(_ changes: [NetworkChange]) -> JSONValue {
        var fields: [String: JSONValue] = [:]
        for change in changes {
            if case .object(let old)? = fields[change.subject], case .object(let new) = change.value {
                fields[change.subject] = .object(old.merging(new) { $1 })
            } else if case .list(let old)? = fields[change.subject], case .list(let new) = change.value {
                fields[change.subject] = .list(old + new)
            } else {
                fields[change.subject] = change.value
            }
        }
        return .object(
            fields.mapValues { value in
                guard let object = value.object, object.count == 1, let word = object["state"] ?? object["profile"]
                else { return value }
                return word
            })
    }
}

extension Duration {
    /// The text of a duration in the protocol, in milliseconds.
    var protocolText: String {
        let (seconds, attoseconds) = components
        let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: 1000)
        if rest == 0 { return "\(whole)ms" }
        let digits = String(rest)
        return "\(whole).\(String(repeating: "0", count: 3 - digits.count))\(digits)ms"
    }
}
