internal import AdapterProtocol

/// The simulated network of the Crosswind lab that this program runs in.
///
/// ```swift
/// try await Network.current.wifi.down()
/// try await Network.current.set(.cellular, to: .edge)
/// ```
///
/// Each method returns when the change is in force. One lab has one network, so tests that change it must not run at the
/// same time in one lab.
public struct Network: Hashable, Sendable {
    let connection: ControlConnection
    /// The number of the last request before those that ``requests()`` returns.
    private let firstRequest: Int

    /// The number of requests before the present test.
    @TaskLocal package static var requestsBefore = 0

    init(connection: ControlConnection, after firstRequest: Int = 0) {
        self.connection = connection
        self.firstRequest = firstRequest
    }

    /// The network of the lab around this program. Throws ``NetworkError/notInLab`` outside a lab.
    public static var current: Network {
        get throws(NetworkError) {
            guard let path = ControlConnection.pathOfLab else { throw .notInLab }
            return Network(connection: ControlConnection(path: path), after: requestsBefore)
        }
    }

    /// True if this program runs in a lab whose network it can change.
    public static var isAvailable: Bool { ControlConnection.pathOfLab != nil }

    /// The Wi-Fi interface.
    public var wifi: Interface { Interface(kind: .wifi, network: self) }
    /// The cellular interface.
    public var cellular: Interface { Interface(kind: .cellular, network: self) }
    /// The wired interface.
    public var wired: Interface { Interface(kind: .wired, network: self) }
    /// The VPN interface.
    public var vpn: Interface { Interface(kind: .vpn, network: self) }

    /// The kinds of the lab's interfaces, in the order in which they were given to `crosswind exec`.
    public var interfaces: [InterfaceKind] {
        get async throws(NetworkError) {
            let lab = try await connection.send(["do": .text("describe")])["lab"]?.object
            return (lab?["interfaces"]?.list ?? []).compactMap { $0.text.map(InterfaceKind.init(rawValue:)) }
        }
    }

    /// Gives an interface another condition.
    public func set(_ interface: InterfaceKind, to condition: Condition) async throws(NetworkError) {
        try await set(.condition(interface, condition))
    }

    /// Gives an interface another state.
    public func set(_ interface: InterfaceKind, to state: InterfaceState) async throws(NetworkError) {
        try await set(.state(interface, state))
    }

    /// Makes several changes with one request. Returns descriptions of the changes that are in force.
    @discardableResult
    public func set(_ changes: NetworkChange...) async throws(NetworkError) -> [String] {
        let reply = try await connection.send(["do": .text("set"), "change": NetworkChange.merged(changes)])
        return reply.texts("done")
    }

    /// Makes the network IPv6 only, with NAT64 and DNS64, or ends that. The lab must have started with both address
    /// families.
    public func nat64(_ isOn: Bool) async throws(NetworkError) { try await set(.nat64(isOn)) }

    /// Sets the reply to queries for a name; `*` stands for all names without a rule of their own.
    public func dns(_ host: String, _ reply: DNSReply, delay: Duration? = nil) async throws(NetworkError) {
        try await set(.dns(host, reply, delay: delay))
    }

    /// Makes changes at a moment, counted from now. Returns at once; the lab makes them even if the program is busy.
    public func after(_ moment: Moment, _ changes: NetworkChange...) async throws(NetworkError) {
        _ = try await connection.send([
            "do": .text("after"), "when": moment.json, "change": NetworkChange.merged(changes),
        ])
    }

    /// Makes changes at a packet, counted from now: the packet is the last one under the old conditions.
    ///
    /// - Parameters:
    ///   - packet: the number of the packet, from 1.
    ///   - interface: may be nil in a lab with one interface.
    ///   - direction: the direction in which packets are counted.
    public func after(
        packet: Int, on interface: InterfaceKind? = nil, in direction: Direction = .downlink,
        _ changes: NetworkChange...
    ) async throws(NetworkError) {
        _ = try await connection.send([
            "do": .text("after"), "when": Moment.packet(packet, on: interface, in: direction).json,
            "change": NetworkChange.merged(changes),
        ])
    }

    /// Waits for a moment, counted from now.
    public func wait(for moment: Moment) async throws(NetworkError) {
        _ = try await connection.send(["do": .text("after"), "when": moment.json, "wait": .boolean(true)])
    }

    /// Replaces the faults of the lab's own origin; none removes them.
    public func faults(_ faults: OriginFault...) async throws(NetworkError) {
        _ = try await connection.send(["do": .text("faults"), "faults": .list(faults.map(\.json))])
    }

    /// Returns the requests that the lab's origin has received so far: since the beginning of the test under the trait
    /// of CrosswindTesting, otherwise since the start of the lab.
    public func requests() async throws(NetworkError) -> [Request] {
        try await seen(after: firstRequest).requests
    }

    /// Returns the requests, DNS queries and changes that the lab has seen.
    ///
    /// - Parameter number: requests up to this number are left out.
    public func seen(after number: Int = 0) async throws(NetworkError) -> History {
        let reply = try await connection.send(["do": .text("seen"), "after": .integer(Int64(number))])
        return try History(reply["seen"])
    }

    /// Restores the network, the names and the faults of the lab's start, and removes moments that were not reached.
    @discardableResult
    public func reset() async throws(NetworkError) -> [String] {
        try await connection.send(["do": .text("reset")]).texts("done")
    }
}

/// One interface of the lab.
public struct Interface: Hashable, Sendable {
    /// The kind of the interface.
    public let kind: InterfaceKind
    private let network: Network

    init(kind: InterfaceKind, network: Network) {
        self.kind = kind
        self.network = network
    }

    /// Takes the interface down.
    public func down() async throws(NetworkError) { try await network.set(kind, to: InterfaceState.down) }
    /// Brings the interface up.
    public func up() async throws(NetworkError) { try await network.set(kind, to: InterfaceState.up) }
    /// Gives the interface another condition.
    public func set(_ condition: Condition) async throws(NetworkError) { try await network.set(kind, to: condition) }
    /// Gives the interface another state.
    public func set(_ state: InterfaceState) async throws(NetworkError) { try await network.set(kind, to: state) }
    /// Takes the interface down and up repeatedly; returns at once.
    public func flap(times: Int, downFor: Duration, upFor: Duration) async throws(NetworkError) {
        try await network.set(.flapping(kind, times: times, downFor: downFor, upFor: upFor))
    }
}

extension [String: JSONValue] {
    func texts(_ name: String) -> [String] { (self[name]?.list ?? []).compactMap(\.text) }
}
