package import AdapterProtocol
package import Record

/// The capabilities that an implementation must have for a scenario: named by the file, implied by its steps and by the
/// events that they await, required
/// by its checks.
enum NeededCapabilities {
    /// - Parameters:
    ///   - reports: the events that the client reports; nil: every event.
    ///   - isJudged: false for expectations that are left out.
    static func of(
        _ scenario: Scenario, reports: ReportedEvents? = nil, isJudged: (Expectation) -> Bool = { _ in true }
    ) -> Set<Capability> {
        // A list of events replaces the capabilities that stand for reporting.
        let listed = reports == nil ? [] : Capability.ofReporting
        var needs: Set<Capability> = []
        for session in scenario.sessions { needs.formUnion(session.configuration.needs) }
        for step in scenario.script {
            let awaits = if case .await = step { true } else { false }
            needs.formUnion(of(step, scenario.origin).subtracting(awaits ? listed : []))
        }
        if !scenario.origin.protocols.contains(.http1) { needs.insert(.http2) }
        for entry in scenario.timeline { needs.formUnion(entry.trigger.needs.subtracting(listed)) }
        let proxies = ofProxies(scenario)
        // The task then responds to the proxy's challenge, not to one for a valid certificate.
        if proxies.contains(.proxyChallenge), scenario.origin.tls?.certificate == .valid {
            needs.remove(.serverTrustChallenge)
        }
        needs.formUnion(proxies)
        for expectation in scenario.expectations where isJudged(expectation) {
            needs.formUnion(expectation.check.needs(in: scenario).subtracting(listed))
        }
        if reports != nil {
            ofListedEvents(scenario, isJudged, &needs)
        } else {
            needs.subtract(Capability.ofListedEvents)
        }
        return ofUploads(scenario, needs)
    }

    /// Changes the capabilities to those of a client that lists its events.
    private static func ofListedEvents(
        _ scenario: Scenario, _ isJudged: (Expectation) -> Bool, _ needs: inout Set<Capability>
    ) {
        // The delegate's callbacks are events, too; every client reports the end of a task.
        needs.remove(.delegate)
        if !scenario.namedNeeds.isDisjoint(with: Capability.timeouts) || !scenario.needsTimeouts(isJudged) {
            needs.remove(.requestTimeout)
        }
        if scenario.origin.routes.contains(where: \.isCoded) { needs.insert(.contentDecoding) }
        if scenario.tasks.contains(where: \.policies.decidesChallenges) { needs.insert(.challengeDecision) }
    }

    /// Replaces the capability for resume data of downloads by that of uploads; checks and steps name the task, not its
    /// kind.
    private static func ofUploads(_ scenario: Scenario, _ needs: Set<Capability>) -> Set<Capability> {
        let tasks = scenario.tasks
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
        case .app(.background), .app(.foreground): [.applicationState]
        case .app, .launch, .daemon: []
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

extension Scenario {
    /// Returns the capabilities that a client must have to be asked with this profile, if it reports these events.
    ///
    /// Without a list of events, and with every expectation asked, these are `needs`.
    package func needs(of profile: ClientProfile, reports: ReportedEvents?) -> Set<Capability> {
        let named = reports == nil ? namedNeeds.subtracting(Capability.ofListedEvents) : namedNeeds
        return named.union(
            NeededCapabilities.of(self, reports: reports) { expectation in
                basis(of: expectation, outside: profile) == nil
                    && expectation.check.neededEvents.allSatisfy { reports?.contains($0) ?? true }
            })
    }

    /// The tasks that the steps make, in their order.
    package var tasks: [TaskDescription] {
        script.compactMap { if case .task(let task, body: _, starts: _) = $0 { task } else { nil } }
    }

    /// Returns false if every task is expected to succeed: a timeout is then only a safety net, which a client without
    /// one can do without.
    fileprivate func needsTimeouts(_ isJudged: (Expectation) -> Bool) -> Bool {
        let succeeding = Set(expectations.filter(isJudged).compactMap(\.check.succeedingTask))
        return !tasks.allSatisfy { succeeding.contains($0.task) }
    }

    /// Returns the scenario without timeouts of requests, for a client that has none.
    package var withoutRequestTimeouts: Scenario {
        var scenario = self
        scenario.sessions = sessions.map { session in
            var session = session
            session.configuration.requestTimeout = nil
            return session
        }
        scenario.script = script.map { step in
            guard case .task(var task, let body, let starts) = step else { return step }
            task.timeout = nil
            return .task(task, body: body, starts: starts)
        }
        return scenario
    }

    /// Returns the awaited events of steps and timeline that the client cannot report.
    package func awaitedEvents(missingIn reports: ReportedEvents?) -> [EventReference] {
        guard let reports else { return [] }
        let steps = script.compactMap { if case .await(let trigger) = $0 { trigger } else { nil } }
        return (steps + timeline.map(\.trigger)).compactMap(\.event).filter { !reports.contains($0.name) }
    }

    /// Returns the scenario for a client with these events: where it awaits the delivery of a file, which the client
    /// does not report, it awaits the end of the task, which comes right after it.
    package func substitutingEvents(missingIn reports: ReportedEvents?) -> Scenario {
        guard let reports, !reports.contains(.didFinishDownloading) else { return self }
        func substitute(_ trigger: Trigger) -> Trigger {
            guard case .event(let task, .didFinishDownloading, let count) = trigger.moment else { return trigger }
            var trigger = trigger
            trigger.moment = .event(task, .didComplete, count: count)
            return trigger
        }
        var scenario = self
        scenario.script = script.map { if case .await(let trigger) = $0 { .await(substitute(trigger)) } else { $0 } }
        scenario.timeline = timeline.map { TimelineEntry(trigger: substitute($0.trigger), changes: $0.changes) }
        return scenario
    }
}

extension Route {
    /// True if a body of the route has a content coding.
    fileprivate var isCoded: Bool {
        contents.contains { if case .resource(let resource) = $0 { resource.encoding != nil } else { false } }
    }
}

extension TaskPolicies {
    /// True if the decisions are not just one credential, which a client can have from the beginning. Certificates have
    /// capabilities of their own.
    fileprivate var decidesChallenges: Bool {
        let decisions = challenges.filter {
            switch $0 {
            case .serverTrust, .clientCertificate: false
            case .credential, .performDefaultHandling, .rejectProtectionSpace, .cancel: true
            }
        }
        guard let first = decisions.first else { return false }
        if decisions.count > 1 { return true }
        if case .credential = first { return false }
        return true
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
