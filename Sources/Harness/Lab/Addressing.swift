package import Scenario

/// The lab's address plan. Every lab uses the same one; they cannot see each other. All of it is documentation space
/// (RFC 5737, RFC 3849), so nothing that leaks could reach a real machine.
package enum Addressing {
    package static let origin4 = "203.0.113.10"
    package static let origin6 = "2001:db8:113::10"
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

    package static func interface(_ kind: InterfaceKind) -> Interface {
        switch kind {
        case .wifi: Interface(client4: "192.0.2.2", network4: "192.0.2.1", client6: "2001:db8:1::2", network6: "2001:db8:1::1")
        case .cellular:
            Interface(client4: "198.51.100.2", network4: "198.51.100.1", client6: "2001:db8:2::2", network6: "2001:db8:2::1")
        case .wired:
            Interface(client4: "203.0.113.130", network4: "203.0.113.129", client6: "2001:db8:3::2", network6: "2001:db8:3::1")
        case .vpn:
            Interface(client4: "203.0.113.98", network4: "203.0.113.97", client6: "2001:db8:4::2", network6: "2001:db8:4::1")
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
