import AdapterProtocol

/// Converts `session:` or `sessions:` into configurations.
struct SessionReader {
    static let shape = Shape.object(SessionConfiguration.settings.map(\.key))

    /// A session among several.
    static let named = Shape.object(
        SessionConfiguration.settings.map(\.key) + [
            Field(
                "app", .text,
                "The app that makes it: it runs at first if the first session names it, otherwise after `app: launch` with this name. Default: all belong to one app."
            )
        ])

    static let delegateQueue = Shape.object([
        Field(
            "width", .integer(1...64), required: true,
            "The number of callbacks that may run at a time; 1 is a serial queue.")
    ])

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
                "`session` and `sessions` exclude each other; move `session` into `sessions` as `main`")
        }
        guard root.has("sessions") else {
            return [SessionPlan(name: .main, configuration: configuration(root.fields("session"), of: .main))]
        }
        let pairs = root.pairs("sessions")
        if pairs.isEmpty, root.fields("sessions") != nil {
            findings.refuse(root.place(of: "sessions"), "`sessions` is empty; leave it out or name a session")
        }
        let plans = pairs.map { pair in
            if !HTTPHeadSyntax.isName(pair.key) {
                findings.refuse(
                    pair.place,
                    "`\(pair.key.shortened)` is not a session name: letters, digits, hyphens and underscores only")
            }
            let name = SessionName(pair.key)
            let app = pair.value.fields?.text("app")
            if let app, !HTTPHeadSyntax.isName(app) {
                findings.refuse(
                    pair.value.place,
                    "`\(app.shortened)` is not an app's name: letters, digits, hyphens and underscores only")
            }
            return SessionPlan(name: name, configuration: configuration(pair.value.fields, of: name), app: app)
        }
        if plans.contains(where: { $0.app != nil }), let plain = plans.first(where: { $0.app == nil }) {
            findings.refuse(
                root.place(of: "sessions"),
                "the session `\(plain.name)` does not name its app, and others do; write `app:` under each")
        }
        return plans
    }

    private mutating func configuration(_ fields: Fields?, of session: SessionName) -> SessionConfiguration {
        var configuration = SessionConfiguration()
        guard let fields else { return configuration }
        for setting in SessionConfiguration.settings {
            setting.read(fields, into: &configuration, isSecure: isSecure, &findings)
        }
        configuration.delegateQueue = Findings.int(fields.fields("delegateQueue")?.integer("width")).map {
            DelegateQueue(width: $0)
        }
        var reader = ProxyReader()
        configuration.proxy = reader.address(fields, among: proxies)
        findings.add(reader.findings.errors)
        var stores = StoreReader(isSecure: isSecure)
        configuration.cache = stores.cache(fields, of: session)
        configuration.cookies = stores.cookies(fields)
        configuration.credentials = stores.credentials(fields)
        findings.add(stores.findings.errors)
        var protocols = ProtocolReader(isSecure: isSecure)
        configuration.protocolClasses = protocols.classes(fields)
        findings.add(protocols.findings.errors)
        checkSpies(configuration, fields)
        if !configuration.hasDelegate, configuration.delegateMethods != nil {
            findings.refuse(
                fields.place(of: "delegateImplements"),
                "the session does not have a delegate; leave `delegate: none` out")
        }
        if configuration.kind == .shared { checkShared(&configuration, fields) }
        if let low = configuration.minimumTLSVersion, let high = configuration.maximumTLSVersion, low > high {
            findings.refuse(
                fields.place(of: "minimumTLS"),
                "the lowest TLS version \(low.rawValue) is above the highest \(high.rawValue)")
        }
        return configuration
    }

    private mutating func checkSpies(_ configuration: SessionConfiguration, _ fields: Fields) {
        let shared: [(SpyStore, Bool, String)] = [
            (.cookies, configuration.cookies?.storage != nil, "cookies"), (.cache, configuration.cache != nil, "cache"),
            (.credentials, configuration.credentials?.storage != nil, "credentials"),
        ]
        for (store, isChosen, name) in shared where configuration.spies.contains(store) && isChosen {
            findings.refuse(
                fields.place(of: name),
                "a spy on the \(store.rawValue) uses a store of its own; leave out either the spy or `\(name)`")
        }
    }

    private mutating func checkShared(_ configuration: inout SessionConfiguration, _ fields: Fields) {
        for entry in fields.entries where entry.name != "kind" && entry.name != "protocolClasses" {
            findings.refuse(
                entry.place, "the shared session cannot be configured; leave `\(entry.name)` out")
        }
        if configuration.protocolClasses.contains(where: { !$0.isRegistered }) {
            findings.refuse(
                fields.place(of: "protocolClasses"),
                "the shared session does not have its own list of classes; write `registered: true`, which registers the class with the process"
            )
        }
        configuration.hasDelegate = false
    }

    /// Reads the values that `configure` writes to the configuration of an existing session.
    mutating func change(_ fields: Fields, of session: SessionName) -> SessionConfiguration {
        for name in ["kind", "delegate", "delegateImplements", "spy", "protocolClasses"] where fields.has(name) {
            findings.refuse(
                fields.place(of: name), "`\(name)` is chosen when a session is created; leave it out of `configure`")
        }
        return configuration(fields, of: session)
    }
}
