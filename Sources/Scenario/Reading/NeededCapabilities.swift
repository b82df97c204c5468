import AdapterProtocol

/// The capabilities that an implementation must have for a scenario: named by the file, implied by its steps, required
/// by its checks.
enum NeededCapabilities {
    static func of(_ scenario: Scenario) -> Set<Capability> {
        var needs: Set<Capability> = []
        for session in scenario.sessions { needs.formUnion(of(session.configuration)) }
        for step in scenario.script { needs.formUnion(of(step, scenario.origin)) }
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

    private static func of(_ configuration: SessionConfiguration) -> Set<Capability> {
        var needs: Set<Capability> = []
        if configuration.kind == .background { needs.insert(.backgroundSession) }
        if configuration.kind == .shared {
            needs.insert(.sharedSession)
        } else if !configuration.hasDelegate {
            needs.insert(.sessionWithoutDelegate)
        }
        if configuration.serviceType != nil { needs.insert(.networkServiceType) }
        if !configuration.protocolClasses.isEmpty { needs.insert(.protocolClasses) }
        for store in configuration.spies {
            switch store {
            case .cookies: needs.formUnion([.cookies, .cookieSpy])
            case .cache: needs.formUnion([.cache, .cacheSpy])
            case .credentials: needs.formUnion([.credentialStorage, .credentialSpy])
            }
        }
        if configuration.waitsForConnectivity == true { needs.insert(.waitsForConnectivity) }
        if configuration.requestTimeout != nil { needs.insert(.requestTimeout) }
        if configuration.resourceTimeout != nil { needs.insert(.resourceTimeout) }
        if configuration.delegateQueue != nil { needs.insert(.delegateQueue) }
        if !configuration.headers.isEmpty { needs.insert(.sessionHeaders) }
        if configuration.maximumConnectionsPerHost != nil { needs.insert(.maximumConnectionsPerHost) }
        if configuration.allowsCellularAccess == false { needs.insert(.allowsCellularAccess) }
        if configuration.minimumTLSVersion != nil || configuration.maximumTLSVersion != nil {
            needs.insert(.tlsVersionLimits)
        }
        return needs.union(OfStores.of(configuration))
    }

    private static func of(_ step: ScriptStep, _ origin: OriginPlan) -> Set<Capability> {
        switch step {
        case .task(let task, _, _): of(task, origin)
        case .resume, .await, .change: []
        case .suspend: [.suspend]
        case .cancel: [.cancel]
        case .cancelProducingResumeData: [.cancelProducingResumeData]
        case .inspect: [.inspectTask]
        case .release: [.heldDecisions]
        case .readRetained: [.readRetained]
        case .progress: [.progress]
        case .stream(_, .secure): [.streamTask, .tls]
        case .stream(_, .captureStreams), .stream(_, .readCaptured), .stream(_, .writeCaptured),
            .stream(_, .closeCaptured):
            [.streamTask, .streamCapture]
        case .stream: [.streamTask]
        case .inspectCache: [.cache, .cacheLookup]
        case .readProperty: [.taskProperties]
        case .readSessionProperty: [.sessionProperties]
        case .configure(_, _, let configuration): of(configuration).union([.configurationObjects])
        case .invalidate: [.invalidate]
        }
    }

    private static func of(_ task: TaskDescription, _ origin: OriginPlan) -> Set<Capability> {
        var needs: Set<Capability> = []
        switch task.kind {
        case .data: needs.insert(.data)
        case .upload: needs.insert(.upload)
        case .download: needs.insert(.download)
        case .stream: needs.insert(.streamTask)
        }
        switch task.delivery {
        case .delegate: needs.insert(.delegate)
        case .completionHandler: needs.insert(.completionHandler)
        }
        if task.resumesFrom != nil { needs.insert(.resumeData) }
        if task.stream != nil { needs.insert(.streamedUpload) }
        if !task.policies.held.isEmpty { needs.insert(.heldDecisions) }
        if task.policies.held.contains(.redirect) { needs.insert(.redirectDecision) }
        if task.policies.held.contains(.response) { needs.insert(.responseDisposition) }
        if !task.policies.blockedCallbacks.isEmpty { needs.insert(.blockedCallbacks) }
        if task.watchesProgress || task.jointProgress != nil { needs.insert(.progress) }
        if task.retainsDelivered { needs.insert(.readRetained) }
        if task.timeout != nil { needs.insert(.requestTimeout) }
        needs.formUnion(OfStores.of(task))
        if task.url.lowercased().hasPrefix("https:") { needs.insert(.tls) }
        if task.url.lowercased().hasPrefix("file:") { needs.insert(.fileURLs) }
        if task.url.lowercased().hasPrefix("data:") { needs.insert(.dataURLs) }
        if !task.policies.challenges.isEmpty { needs.formUnion(challenges(of: origin)) }
        switch task.policies.redirect {
        case nil: if reachesRedirect(task.url, origin) { needs.insert(.followRedirects) }
        case .follow: needs.insert(.followRedirects)
        case .refuse, .to: needs.insert(.redirectDecision)
        }
        switch task.policies.response {
        case nil: break
        case .allow, .cancel: needs.insert(.responseDisposition)
        case .becomeDownload: needs.formUnion([.responseDisposition, .becomeDownload, .download])
        }
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
