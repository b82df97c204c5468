import InternetAddresses
import ScenarioLanguage
import TestServer

/// A proxy's own resolution of names: by the scenario's rules, without DNS queries, so that its lookups do not count as
/// the client's.
struct ProxyDNSResolver: Sendable {
    let plan: DNSPlan
    let origin: [IPAddress]

    /// Returns the addresses of a name; empty when the name does not exist or its queries get no reply.
    func addresses(of host: String) -> [IPAddress] {
        if let literal = IPAddress(host) { return [literal] }
        let host = host.lowercased()
        let rules = plan.rules.filter { $0.interface == nil }
        guard let rule = rules.first(where: { $0.host == host }) ?? rules.first(where: { $0.host == "*" }) else {
            return []
        }
        switch rule.content {
        case .origin: return origin
        case .addresses(let texts): return texts.compactMap { IPAddress($0) }
        case .nxdomain, .servfail, .refused, .silent: return []
        }
    }
}
