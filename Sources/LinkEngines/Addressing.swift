package import Record

/// The lab's address plan. Every lab uses the same one, because labs are isolated from each other. All addresses are
/// documentation space (RFC 5737, RFC 3849), so leaked packets could not reach a real machine.
package enum Addressing {
    package static let origin4 = "203.0.113.10"
    package static let origin6 = "2001:db8:113::10"
    /// The name server of the Wi-Fi network; `names(_:)` returns that of every interface.
    package static let names4 = "203.0.113.53"
    package static let names6 = "2001:db8:113::53"
    /// The translator's IPv4 side (RFC 6146, a pool of one address).
    package static let translatorPool4 = "203.0.113.64"
    /// The host that paths in scripts are relative to.
    package static let defaultHost = "api.test"

    package struct Interface {
        package var client4: String
        package var network4: String
        package var client6: String
        package var network6: String
    }

    /// An address of each family.
    package struct Pair: Hashable, Sendable {
        package var v4: String
        package var v6: String
    }

    /// The number of client addresses that a network assigns in turn, so that renumbering never returns the old address
    /// at once.
    package static let leases = 8

    /// Returns the addresses of an interface; `lease` counts its renumberings.
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

    /// Returns the name server that the network of this interface announces; each network has its own, as with real
    /// providers.
    package static func names(_ kind: InterfaceKind) -> Pair {
        switch kind {
        case .wifi: Pair(v4: names4, v6: names6)
        case .cellular: Pair(v4: "203.0.113.54", v6: "2001:db8:113::54")
        case .wired: Pair(v4: "203.0.113.55", v6: "2001:db8:113::55")
        case .vpn: Pair(v4: "203.0.113.56", v6: "2001:db8:113::56")
        }
    }

    /// The network of each name server address.
    package static let nameServers: [String: InterfaceKind] = Dictionary(
        uniqueKeysWithValues: InterfaceKind.allCases.flatMap { kind in [(names(kind).v4, kind), (names(kind).v6, kind)]
        })

    private static func number(_ kind: InterfaceKind) -> Int {
        switch kind {
        case .wifi: 1
        case .cellular: 2
        case .wired: 3
        case .vpn: 4
        }
    }

    /// Returns the prefix length of a client network.
    package static func prefixLength4(_ kind: InterfaceKind) -> Int {
        switch kind {
        case .wifi, .cellular: 24
        case .wired: 25
        case .vpn: 27
        }
    }
    package static let prefixLength6 = 64
}
