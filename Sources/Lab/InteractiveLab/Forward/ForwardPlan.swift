import InternetAddresses
import LabKernel
import NetworkMonitor
import ScenarioLanguage

/// The addresses in the lab for the forwarded names.
package struct ForwardPlan: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package var forward: Forward
        var addresses: [IPAddress]
        /// The addresses of the host's server, in the order to try.
        var targets: [SocketAddress] = []

        /// The verification of the server's certificate; nil without TLS to the server.
        var trust: Trust? {
            guard case .terminate(hostUsesTLS: true, let verification) = forward.treatment else { return nil }
            if verification == .never { return .everyone(isRequested: true) }
            return targets.allSatisfy(\.address.isLoopback) ? .everyone(isRequested: false) : .machineAuthorities
        }

        /// The name in the server's TLS handshake. A verified server must have a certificate for the host that the option names; on
        /// loopback the name is that inside the lab.
        var serverName: String { trust == .machineAuthorities ? forward.host : forward.name }
    }

    /// The certificates that a forward accepts.
    enum Trust: Hashable, Sendable {
        case machineAuthorities
        case everyone(isRequested: Bool)
    }

    package private(set) var entries: [Entry] = []
    /// The names in the order of their first mention.
    private(set) var names: [(name: String, addresses: [IPAddress])] = []

    /// The number of addresses between the translator's pool and the tunnel's network in the address plan.
    static let mostNames = 31
    private static func address4(_ index: Int) -> IPAddress {
        .v4(IPv4Address(0xCB00_7141 + UInt32(index)))  // 203.0.113.65 …
    }
    private static func address6(_ index: Int) -> IPAddress {
        .v6(high: 0x2001_0DB8_0113_0000, low: 0x000F_0000 + UInt64(index) + 1)  // 2001:db8:113::f:1 …
    }

    package init(_ forwards: [Forward]) throws(ForwardError) {
        for forward in forwards {
            if entries.contains(where: { $0.forward.place == forward.place }) { throw .twice(forward.place) }
            let known = names.first { $0.name == forward.name }?.addresses
            let addresses = known ?? [Self.address4(names.count), Self.address6(names.count)]
            if known == nil {
                guard names.count < Self.mostNames else { throw .tooMany(Self.mostNames) }
                names.append((forward.name, addresses))
            }
            entries.append(Entry(forward: forward, addresses: addresses))
        }
    }

    /// Resolves every host name in the network in which the program was started.
    package mutating func resolve(_ host: InteractiveLabHost) throws(ForwardError) {
        for index in entries.indices {
            let forward = entries[index].forward
            let addresses: [IPAddress]
            do throws(SystemCallError) {
                addresses = try host.network.addresses(of: forward.host)
            } catch {
                throw .noHost(forward.host, "it cannot be resolved on this machine: \(error.cause)")
            }
            if addresses.isEmpty { throw .noHost(forward.host, "the name does not exist on this machine") }
            entries[index].targets = addresses.map { SocketAddress($0, port: forward.hostPort) }
        }
    }

    /// The rules of the name server for the forwarded names.
    var rules: [DNSRule] {
        names.map { DNSRule(host: $0.name, content: .addresses($0.addresses.map(\.description))) }
    }

    /// Returns the rule with `origin` for a forwarded name replaced by the address of its forward.
    func resolved(_ rule: DNSRule) -> DNSRule {
        guard let own = names.first(where: { $0.name == rule.host }) else { return rule }
        return rule.replacingOrigin(with: own.addresses.map(\.description))
    }

    package static func == (left: ForwardPlan, right: ForwardPlan) -> Bool { left.entries == right.entries }
    package func hash(into hasher: inout Hasher) { hasher.combine(entries) }
}
