import AdapterProtocol

/// The capabilities that an implementation must have for a scenario: named by the file, implied by its steps and by the
/// events that they await, required
/// by its checks.
enum NeededCapabilities {
    static func of(_ scenario: Scenario) -> Set<Capability> {
        var needs: Set<Capability> = []
        for session in scenario.sessions { needs.formUnion(session.configuration.needs) }
        for step in scenario.script { needs.formUnion(of(step, scenario.origin)) }
        for entry in scenario.timeline { needs.formUnion(entry.trigger.needs) }
        let proxies = ofProxies(scenario)
        // The task then responds to the proxy's challenge, not to one for a valid certificate.
        if proxies.contains(.proxyChallenge), scenario.origin.tls?.certificate == .valid {
            needs.remove(.serverTrustChallenge)
        }
        needs.formUnion(proxies)
        for expectation in scenario.expectations { needs.formUnion(expectation.check.needs) }
        return ofUploads(scenario, needs)
    }

    /// Replaces the capability for resume data of downloads by that of uploads; checks and steps name the task, not its
    /// kind.
    private static func ofUploads(_ scenario: Scenario, _ needs: Set<Capability>) -> Set<Capability> {
        let tasks = scenario.script.compactMap { step in
            if case .task(let task, body: _, starts: _) = step { task } else { nil }
        }
        let resumable: Set<Capability> = [.resumeData, .cancelProducingResumeData]
        guard !needs.isDisjoint(with: resumable), tasks.contains(where: { $0.kind == .upload }) else { return needs }
        let downloads = tasks.contains { $0.kind == .download || $0.policies.response == .becomeDownload }
        return (downloads ? needs : needs.subtracting(resumable)).union([.uploadResumeData])
    }

    private static func ofProxies(_ scenario: Scenario) -> Set<Capability> {
        var needs: Set<Capability> = []
        let used = Set(scenario.sessions.compactMap(\.configuration.proxy?.port))
        for proxy in scenario.proxies where used.contains(proxy.port) || proxy.isSystem {
            if used.contains(proxy.port) {
                needs.insert(.sessionProxy)
                switch proxy.kind {
                case .http: break
                case .https: needs.insert(.secureProxy)
                case .socks5: needs.insert(.socksProxy)
                }
            } else {
                needs.insert(.systemProxy)
            }
            if case .challenge = proxy.access { needs.insert(.proxyChallenge) }
            if scenario.readsLater(proxy) { needs.insert(.proxyChallenge) }
        }
        return needs
    }

    private static func of(_ step: ScriptStep, _ origin: OriginPlan) -> Set<Capability> {
        switch step {
        case .task(let task, _, _): of(task, origin)
        case .command(let command): command.needs
        case .await(let trigger): trigger.needs
        case .change: []
        }
    }

    private static func of(_ task: TaskDescription, _ origin: OriginPlan) -> Set<Capability> {
        var needs = task.needs
        if !task.policies.challenges.isEmpty { needs.formUnion(challenges(of: origin)) }
        if task.policies.redirect == nil, reachesRedirect(task.url, origin) { needs.insert(.followRedirects) }
        return needs
    }

    /// Without a policy for redirects they are followed.
    private static func reachesRedirect(_ url: String, _ origin: OriginPlan) -> Bool {
        let missingLocation = Place(file: "", line: 1, column: 1)
        guard let target = try? RequestTarget.parse(url, secure: false, at: missingLocation) else { return false }
        return origin.routes.contains { route in
            guard case .redirect = route.content else { return false }
            return route.path == target.path && (route.host == nil || route.host == target.host?.lowercased())
        }
    }

    private static func challenges(of origin: OriginPlan) -> Set<Capability> {
        var needs: Set<Capability> = []
        for route in origin.routes {
            // One scheme is enough: of several, the most widely supported one is required.
            let known = route.authentication?.schemes.compactMap(\.challenge) ?? []
            let order: [Capability] = [.basicChallenge, .digestChallenge, .ntlmChallenge, .negotiateChallenge]
            if let easiest = order.first(where: known.contains) { needs.insert(easiest) }
        }
        // Without a route that requires credentials, the challenge can only be about the certificate.
        if let tls = origin.tls, tls.clientCertificate != .none, needs.isEmpty { return [.clientCertificateChallenge] }
        if let tls = origin.tls, needs.isEmpty || tls.certificate != .valid { needs.insert(.serverTrustChallenge) }
        return needs
    }
}

extension AuthenticationPlan.Scheme {
    /// The capability for reporting this challenge; nil if none is defined for it.
    fileprivate var challenge: Capability? {
        switch self {
        case .basic: .basicChallenge
        case .digest: .digestChallenge
        case .ntlm: .ntlmChallenge
        case .negotiate: .negotiateChallenge
        case .bearer, .other: nil
        }
    }
}

extension Scenario {
    /// Returns true if a change makes this proxy require credentials.
    fileprivate func readsLater(_ proxy: ProxyPlan) -> Bool {
        let steps = script.flatMap { step -> [NetworkChange] in
            if case .change(let changes) = step { changes } else { [] }
        }
        return (timeline.flatMap(\.changes) + steps).contains { change in
            guard case .proxy(let changed) = change, changed.proxy == proxy.name, case .challenge? = changed.access
            else { return false }
            return true
        }
    }
}
