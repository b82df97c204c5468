import AdapterProtocol

/// Converts `session:` or `sessions:` into configurations.
struct SessionReader {
    var findings = Findings()
    let proxies: [ProxyPlan]
    let isSecure: Bool

    init(proxies: [ProxyPlan] = [], isSecure: Bool = false) {
        self.proxies = proxies
        self.isSecure = isSecure
    }

    mutating func sessions(_ root: Fields) -> [SessionPlan] {
        if root.has("session"), root.has("sessions") {
            findings.refuse(
                root.place(of: "sessions"),
                "`session` and `sessions` exclude each other; move the one into the other as `main`")
        }
        guard root.has("sessions") else {
            return [SessionPlan(name: .main, configuration: configuration(root.fields("session"), of: .main))]
        }
        let pairs = root.pairs("sessions")
        if pairs.isEmpty, root.fields("sessions") != nil {
            findings.refuse(root.place(of: "sessions"), "`sessions` is empty; leave it out or name a session")
        }
        return pairs.map { pair in
            if !HTTPHeadSyntax.isName(pair.key) {
                findings.refuse(
                    pair.place,
                    "`\(pair.key.shortened)` is no session name: letters, digits, hyphens and underscores only")
            }
            let name = SessionName(pair.key)
            return SessionPlan(name: name, configuration: configuration(pair.value.fields, of: name))
        }
    }

    private mutating func configuration(_ fields: Fields?, of session: SessionName) -> SessionConfiguration {
        var configuration = SessionConfiguration()
        guard let fields else { return configuration }
        configuration.kind = fields.text("kind").flatMap(SessionConfiguration.Kind.init(rawValue:)) ?? .ephemeral
        configuration.waitsForConnectivity = fields.boolean("waitsForConnectivity")
        configuration.requestTimeout = positive("requestTimeout", of: fields)
        configuration.resourceTimeout = positive("resourceTimeout", of: fields)
        configuration.headers = findings.headers("headers", of: fields).map { HeaderField($0.name, $0.value) }
        configuration.maximumConnectionsPerHost = Findings.int(fields.integer("maximumConnectionsPerHost"))
        configuration.allowsCellularAccess = fields.boolean("allowsCellularAccess")
        configuration.minimumTLSVersion = fields.text("minimumTLS").flatMap(TLSVersion.init(rawValue:))
        configuration.maximumTLSVersion = fields.text("maximumTLS").flatMap(TLSVersion.init(rawValue:))
        configuration.delegateQueue = Findings.int(fields.fields("delegateQueue")?.integer("width")).map {
            DelegateQueue(width: $0)
        }
        var reader = ProxyReader()
        configuration.proxy = reader.address(fields, among: proxies)
        findings.add(reader.findings.errors)
        var stores = StoreReader(isSecure: isSecure)
        configuration.cache = stores.cache(fields, of: session)
        configuration.cachePolicy = fields.text("cachePolicy").flatMap(CachePolicy.init(rawValue:))
        configuration.cookies = stores.cookies(fields)
        configuration.credentials = stores.credentials(fields)
        findings.add(stores.findings.errors)
        var protocols = ProtocolReader(isSecure: isSecure)
        configuration.protocolClasses = protocols.classes(fields)
        findings.add(protocols.findings.errors)
        readOwn(fields, into: &configuration)
        if let low = configuration.minimumTLSVersion, let high = configuration.maximumTLSVersion, low > high {
            findings.refuse(
                fields.place(of: "minimumTLS"),
                "the lowest TLS version \(low.rawValue) is above the highest \(high.rawValue)")
        }
        return configuration
    }

    private mutating func readOwn(_ fields: Fields, into configuration: inout SessionConfiguration) {
        configuration.serviceType = fields.text("serviceType").flatMap(SessionConfiguration.ServiceType.init(rawValue:))
        configuration.hasDelegate = !fields.has("delegate")
        configuration.spies = Set(fields.texts("spy").compactMap(SpyStore.init(rawValue:)))
        let shared: [(SpyStore, Bool, String)] = [
            (.cookies, configuration.cookies?.storage != nil, "cookies"), (.cache, configuration.cache != nil, "cache"),
            (.credentials, configuration.credentials?.storage != nil, "credentials"),
        ]
        for (store, isChosen, name) in shared where configuration.spies.contains(store) && isChosen {
            findings.refuse(
                fields.place(of: name),
                "the \(store.rawValue) are watched, so their store is a new one; leave `\(name)` out of one of the two")
        }
        guard configuration.kind == .shared else { return }
        for entry in fields.entries where entry.name != "kind" && entry.name != "protocolClasses" {
            findings.refuse(
                entry.place, "the shared session is there already and cannot be configured; leave `\(entry.name)` out")
        }
        if configuration.protocolClasses.contains(where: { !$0.isRegistered }) {
            findings.refuse(
                fields.place(of: "protocolClasses"),
                "the shared session has no list of its own; write `registered: true`, which puts a class into that of the process"
            )
        }
        configuration.hasDelegate = false
    }

    /// Reads the values that `configure` writes to the configuration of an existing session.
    mutating func change(_ fields: Fields, of session: SessionName) -> SessionConfiguration {
        for name in ["kind", "delegate", "spy", "protocolClasses"] where fields.has(name) {
            findings.refuse(
                fields.place(of: name), "`\(name)` is chosen when a session is made; leave it out of `configure`")
        }
        return configuration(fields, of: session)
    }

    private mutating func positive(_ name: String, of fields: Fields) -> Duration? {
        guard let duration = fields.duration(name) else { return nil }
        if duration == .zero {
            findings.refuse(fields.place(of: name), "`\(name)` is zero; leave it out for the default")
        }
        return duration
    }
}
