package import Scenario

/// The lab's address plan. Every lab uses the same one; they cannot see each other. All of it is documentation space
/// (RFC 5737, RFC 3849), so nothing that leaks could reach a real machine.
package enum Addressing {
    package static let origin4 = "203.0.113.10"
    package static let origin6 = "2001:db8:113::10"
    /// The name server of the Wi-Fi; `names(_:)` has that of every interface.
    package static let names4 = "203.0.113.53"
    package static let names6 = "2001:db8:113::53"
    /// The translator's IPv4 side (RFC 6146 pool of one address).
    package static let translatorPool4 = "203.0.113.64"
    /// The host that script paths are relative to.
    package static let defaultHost = "api.test"

    package struct Interface {
        package var client4: String
        package var network4: String
        package var client6: String
        package var network6: String
    }

    /// One address of each family.
    package struct Pair: Hashable, Sendable {
        package var v4: String
        package var v6: String
    }

    /// Client addresses that a network hands out in turn, so that no renumbering gives the old address back at once.
    package static let leases = 8

    /// `lease` counts the renumberings of this interface.
    package static func interface(_ kind: InterfaceKind, lease: Int = 0) -> Interface {
        let turn = lease % leases
        let (network4, firstClient4) =
            switch kind {
            case .wifi: ("192.0.2", 2)
            case .cellular: ("198.51.100", 2)
            case .wired: ("203.0.113", 130)
            case .vpn: ("203.0.113", 98)
            }
        let network6 = "2001:db8:\(number(kind))"
        return Interface(
            client4: "\(network4).\(firstClient4 + turn)", network4: "\(network4).\(firstClient4 - 1)",
            client6: "\(network6)::\(2 + turn)", network6: "\(network6)::1")
    }

    /// The name server that the network of this interface hands out: another one for each, as providers have it.
    package static func names(_ kind: InterfaceKind) -> Pair {
        switch kind {
        case .wifi: Pair(v4: names4, v6: names6)
        case .cellular: Pair(v4: "203.0.113.54", v6: "2001:db8:113::54")
        case .wired: Pair(v4: "203.0.113.55", v6: "2001:db8:113::55")
        case .vpn: Pair(v4: "203.0.113.56", v6: "2001:db8:113::56")
        }
    }

    /// Which network each name server's address belongs to.
    package static let nameServers: [String: InterfaceKind] = Dictionary(
        uniqueKeysWithValues: InterfaceKind.allCases.flatMap { kind in [(names(kind).v4, kind), (names(kind).v6, kind)] })

    private static func number(_ kind: InterfaceKind) -> Int {
        switch kind {
        case .wifi: 1
        case .cellular: 2
        case .wired: 3
        case .vpn: 4
        }
    }

    /// Prefix lengths of the client networks.
    package static func prefixLength4(_ kind: InterfaceKind) -> Int {
        switch kind {
        case .wifi, .cellular: 24
        case .wired: 25
        case .vpn: 27
        }
    }
    package static let prefixLength6 = 64
}
