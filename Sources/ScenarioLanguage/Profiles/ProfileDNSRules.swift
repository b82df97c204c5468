package import Record

/// The DNS rules that profiles add.
package enum ProfileDNSRules {
    /// Returns the rules to insert before `own`, without rules for hosts that `own` already covers.
    package static func rules(
        _ profiles: [(kind: InterfaceKind, profile: LinkProfile)], in plan: NetworkPlan, besides own: [DNSRule] = []
    ) -> [DNSRule] {
        let taken = Set(own.map(\.host))
        let found = profiles.flatMap { rules(of: $0.profile, on: $0.kind, in: plan) }.filter {
            !taken.contains($0.host)
        }
        guard found.contains(where: { $0.host == "*" && $0.interface != nil }) else { return found }
        // The name servers of the other networks know the origin; a rule per host would override this network's reply
        // for every name.
        return [DNSRule(host: "*", content: .origin)] + found
    }

    /// Returns the rules of one profile; with several interfaces, they are limited to the name server of the profile's
    /// network.
    package static func rules(of profile: LinkProfile, on kind: InterfaceKind, in plan: NetworkPlan) -> [DNSRule] {
        profile.dnsRules.map { rule in
            var rule = rule
            if plan.interfaces.count > 1 { rule.interface = kind }
            return rule
        }
    }

    /// Returns copies of a `*` rule for hosts that the harness gives rules but the scenario does not.
    package static func copies(of rule: DNSRule, for hosts: [String]) -> [DNSRule] {
        guard rule.host == "*" else { return [] }
        return hosts.map { host in
            var copy = rule
            copy.host = host
            return copy
        }
    }
}
