import AdapterProtocol
import InternetAddresses

/// Adds DNS rules that resolve the hosts in a scenario's URLs to the origin without being listed.
enum UsedHosts {
    /// Adds the rules, unless the author's `*` rule already covers every unlisted name.
    static func addRules(to scenario: inout Scenario) {
        var listed = Set(scenario.network.dns.rules.map(\.host))
        guard !listed.contains("*") else { return }
        var added: [String] = []
        for host in hosts(of: scenario) where IPAddress(host) == nil && listed.insert(host).inserted {
            scenario.network.dns.rules.append(DNSRule(host: host, content: .origin))
            added.append(host)
        }
        carryEverything(to: added, in: &scenario)
    }

    /// Copies changes of `*` to these hosts: rules that were added automatically must not hide them.
    private static func carryEverything(to added: [String], in scenario: inout Scenario) {
        var lists = scenario.timeline.map(\.changes)
        for step in scenario.script { if case .change(let changes) = step { lists.append(changes) } }
        var written: Set<String> = []
        for change in lists.joined() { if case .name(let rule) = change { written.insert(rule.host) } }
        let hosts = added.filter { !written.contains($0) }
        func carried(_ changes: [NetworkChange]) -> [NetworkChange] {
            changes.flatMap { change -> [NetworkChange] in
                guard case .name(let rule) = change else { return [change] }
                return [change] + ProfileDNSRules.copies(of: rule, for: hosts).map { .name($0) }
            }
        }
        for index in scenario.timeline.indices {
            scenario.timeline[index].changes = carried(scenario.timeline[index].changes)
        }
        for index in scenario.script.indices {
            if case .change(let changes) = scenario.script[index] { scenario.script[index] = .change(carried(changes)) }
        }
    }

    private static func hosts(of scenario: Scenario) -> [String] {
        var urls: [String] = scenario.proxies.isEmpty ? [] : ["http://\(ProxyPlan.host)/"]
        for step in scenario.script {
            guard case .task(let task, _, _) = step else { continue }
            urls.append(task.kind == .stream ? task.url.replacing("tcp:", with: "http:") : task.url)
            if case .to(let url, _, _) = task.policies.redirect { urls.append(url) }
        }
        for session in scenario.sessions {
            for case .forwarded(let url) in session.configuration.protocolClasses.map(\.response) { urls.append(url) }
        }
        for route in scenario.origin.routes {
            if let host = route.host { urls.append("http://\(host)/") }
            for case .redirect(let redirect) in route.contents
            where !redirect.to.hasPrefix("/") || redirect.to.hasPrefix("//") {
                urls.append(redirect.to)
            }
        }
        let missingLocation = Place(file: scenario.file, line: 1, column: 1)
        return urls.compactMap {
            (try? RequestTarget.parse($0, secure: false, at: missingLocation))?.host?.lowercased()
        }
    }
}
