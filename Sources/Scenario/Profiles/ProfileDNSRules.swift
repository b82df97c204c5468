/// The rules that profiles bring to the name service.
package enum ProfileDNSRules {
    /// What goes in front of `own`, which keeps every host that it has a rule for.
    package static func rules(
        _ profiles: [(kind: InterfaceKind, profile: LinkProfile)], in plan: NetworkPlan, besides own: [DNSRule] = []
    ) -> [DNSRule] {
        let taken = Set(own.map(\.host))
        let found = profiles.flatMap { rules(of: $0.profile, on: $0.kind, in: plan) }.filter {
            !taken.contains($0.host)
        }
        guard found.contains(where: { $0.host == "*" && $0.interface != nil }) else { return found }
        // The other networks' name servers know the origin; a rule per host would hide this network's answer for every name.
        return [DNSRule(host: "*", content: .origin)] + found
    }

    /// With several interfaces only the name server of the profile's network answers so.
    package static func rules(of profile: LinkProfile, on kind: InterfaceKind, in plan: NetworkPlan) -> [DNSRule] {
        profile.dnsRules.map { rule in
            var rule = rule
            if plan.interfaces.count > 1 { rule.interface = kind }
            return rule
        }
    }

    /// The same answer for hosts that nobody gave a rule, but that have one nevertheless.
    package static func copies(of rule: DNSRule, for hosts: [String]) -> [DNSRule] {
        guard rule.host == "*" else { return [] }
        return hosts.map { host in
            var copy = rule
            copy.host = host
            return copy
        }
    }
}
