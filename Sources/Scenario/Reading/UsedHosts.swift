import AdapterProtocol

/// Hosts that a scenario's URLs use resolve to the origin without being listed.
enum UsedHosts {
    /// A `*` rule is the author's own answer for every unlisted name, so nothing is added beside it.
    static func addRules(to scenario: inout Scenario) {
        var listed = Set(scenario.network.names.rules.map(\.host))
        guard !listed.contains("*") else { return }
        for host in hosts(of: scenario) where !AddressText.isAddress(host) && listed.insert(host).inserted {
            scenario.network.names.rules.append(NameRule(host: host, answer: .origin))
        }
    }

    private static func hosts(of scenario: Scenario) -> [String] {
        var urls: [String] = []
        for step in scenario.script {
            guard case .task(let task, _, _) = step else { continue }
            urls.append(task.url)
            if case .to(let url) = task.policies.redirect { urls.append(url) }
        }
        for route in scenario.origin.routes {
            if let host = route.host { urls.append("http://\(host)/") }
            if case .redirect(_, let to) = route.content, !to.hasPrefix("/") || to.hasPrefix("//") { urls.append(to) }
        }
        let nowhere = Place(file: scenario.file, line: 1, column: 1)
        return urls.compactMap { (try? RequestTarget.parse($0, secure: false, at: nowhere))?.host?.lowercased() }
    }
}
