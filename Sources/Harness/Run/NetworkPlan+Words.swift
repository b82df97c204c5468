package import Scenario

extension NetworkPlan {
    /// A description of the network, in lines.
    package var words: [String] {
        var lines = interfaces.map { interface in
            "\(interface.kind.rawValue) (\(interface.kind.linuxName)) \(interface.state.rawValue): \(interface.link.name); "
                + "down: \(interface.link.down.summary); up: \(interface.link.up.summary)"
        }
        if interfaces.isEmpty { lines.append("no interfaces") }
        if let nat64 {
            lines.append("IPv6 only, behind NAT64 with prefix \(nat64.prefix)\(nat64.dns64 ? " and DNS64" : ", no DNS64")")
        } else {
            lines.append("addresses: \(families.rawValue)")
        }
        lines += names.rules.map(\.summary)
        return lines
    }
}
