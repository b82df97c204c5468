import Record
import LinkEmulator

extension NetworkPlan {
    /// A description of the network, in lines.
    package var descriptionLines: [String] {
        var lines = interfaces.map { interface in
            "\(interface.kind.rawValue) (\(interface.kind.linuxName)) \(interface.state.rawValue): \(interface.link.name); "
                + "down: \(interface.link.downlink.summary); up: \(interface.link.uplink.summary)"
        }
        if interfaces.isEmpty { lines.append("no interfaces") }
        if let nat64 {
            lines.append(
                "IPv6 only, behind NAT64 with prefix \(nat64.prefix)\(nat64.dns64 ? " and DNS64" : ", no DNS64")")
        } else {
            lines.append("addresses: \(families.rawValue)")
        }
        lines += dns.rules.map(\.summary)
        return lines
    }
}
