/// The configuration of a session; a nil field means the implementation's default.
package struct SessionConfiguration: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        case standard = "default"
        case ephemeral
        case background
        /// The session of the whole process (CONF-18); nothing else can be configured.
        case shared
    }
    /// `networkServiceType` (CONF-14).
    package enum ServiceType: String, CaseIterable, Hashable, Sendable {
        case standard = "default"
        case background, video, voice
    }
    package var kind: Kind = .ephemeral
    /// The identifier of a background session (BKGD-04); nil: the session's name.
    package var identifier: String?
    /// `isDiscretionary` of a background session (DISC-01).
    package var isDiscretionary: Bool?
    /// `sessionSendsLaunchEvents` of a background session (BKGD-32).
    package var sendsLaunchEvents: Bool?
    /// `sharedContainerIdentifier` of a background session: a folder below the adapter's private folder.
    package var sharedContainer: String?
    package var waitsForConnectivity: Bool?
    /// `timeoutIntervalForRequest`: the longest silence (TIME-01).
    package var requestTimeout: Duration?
    /// `timeoutIntervalForResource`: the whole load (TIME-04).
    package var resourceTimeout: Duration?
    package var headers: [HeaderField] = []
    package var maximumConnectionsPerHost: Int?
    /// `httpShouldUsePipelining` (POOL-06).
    package var pipelining: Bool?
    package var allowsCellularAccess: Bool?
    package var allowsExpensiveNetworkAccess: Bool?
    package var allowsConstrainedNetworkAccess: Bool?
    package var minimumTLSVersion: TLSVersion?
    package var maximumTLSVersion: TLSVersion?
    /// `connectionProxyDictionary` (PRXY-01); nil leaves the system's setting in force.
    package var proxy: ProxyAddress?
    package var cache: CacheSettings?
    /// `requestCachePolicy` (CACH-11).
    package var cachePolicy: CachePolicy?
    package var cookies: CookieSettings?
    package var credentials: CredentialSettings?
    /// nil: the session makes its own queue. With a given queue, the adapter reports when each callback begins and
    /// ends.
    package var delegateQueue: DelegateQueue?
    package var serviceType: ServiceType?
    /// False: the session is made without a delegate (CONF-17).
    package var hasDelegate = true
    /// The only methods that the delegate implements; nil: all (DLGT-19).
    package var delegateMethods: DelegateMethods?
    /// Stores of a class of the adapter that reports each access and then behaves like the stock class. Unless other
    /// settings apply, each is new and empty.
    package var spies: Set<SpyStore> = []
    /// Classes of the adapter that load requests, each a distinct class, in the order in which the session queries
    /// them. Each reports what it loads (`protocolLoad`), with its number in this list.
    package var protocolClasses: [ProtocolClass] = []
    package init() {}
}

extension SessionConfiguration {
    /// The options in the order of the language reference.
    package static let settings: [Setting<SessionConfiguration>] = [
        Setting("kind", \.kind, .word, default: .ephemeral, isRequired: true, "Default ephemeral.")
            .needing {
                switch $0.kind {
                case .standard, .ephemeral: []
                case .background: [.backgroundSession]
                case .shared: [.sharedSession]
                }
            },
        Setting(
            "identifier", \.identifier, .text, needs: [.backgroundSession],
            "The identifier of a background session; default its name. Two sessions with one identifier compete for it."
        ),
        Setting(
            "discretionary", field: "isDiscretionary", \.isDiscretionary, .boolean, needs: [.backgroundSession],
            "isDiscretionary of a background session."),
        Setting(
            "sendsLaunchEvents", \.sendsLaunchEvents, .boolean, needs: [.backgroundSession],
            "sessionSendsLaunchEvents of a background session: the app is launched for its events."),
        Setting(
            "sharedContainer", \.sharedContainer, .text, needs: [.backgroundSession],
            "The folder of a background session's files, below the private folder of the client."),
        Setting(
            "waitsForConnectivity", \.waitsForConnectivity, .boolean, needs: [.waitsForConnectivity], when: true,
            "Wait for connectivity instead of failing without it."),
        Setting(
            "requestTimeout", \.requestTimeout, .duration, needs: [.requestTimeout],
            "timeoutIntervalForRequest: the longest time without data."),
        Setting(
            "resourceTimeout", \.resourceTimeout, .duration, needs: [.resourceTimeout],
            "timeoutIntervalForResource: the longest time for the whole load."),
        Setting(
            "headers", \.headers, .headers, default: [], needs: [.sessionHeaders],
            "Sent with every request of the session."),
        Setting(
            "maximumConnectionsPerHost", \.maximumConnectionsPerHost, .integer(1...1000),
            needs: [.maximumConnectionsPerHost], "The largest number of simultaneous connections to one host."),
        Setting(
            "pipelining", \.pipelining, .boolean, needs: [.pipelining], when: true,
            "httpShouldUsePipelining: HTTP/1.1 requests are sent before earlier responses have arrived."),
        Setting(
            "allowsCellularAccess", \.allowsCellularAccess, .boolean, needs: [.allowsCellularAccess], when: false,
            "True: the session may use cellular."),
        Setting(
            "allowsExpensiveNetworkAccess", \.allowsExpensiveNetworkAccess, .boolean,
            needs: [.allowsExpensiveNetworkAccess], when: false, "True: the session may use expensive interfaces."),
        Setting(
            "allowsConstrainedNetworkAccess", \.allowsConstrainedNetworkAccess, .boolean,
            needs: [.allowsConstrainedNetworkAccess], when: false,
            "True: the session may use interfaces in low data mode."),
        Setting(
            "delegateQueue", \.delegateQueue, .object(.delegateQueue), needs: [.delegateQueue],
            "The queue of the session's callbacks; each callback then reports when it begins and ends."),
        Setting("proxy", \.proxy, .object(.proxy), "The proxy of this session, by its name under `proxies`.")
            .needing { configuration in
                guard let proxy = configuration.proxy, proxy.scheme != nil || !proxy.exceptions.isEmpty else {
                    return []
                }
                return [.proxySelection]
            },
        Setting(
            "minimumTLS", field: "minimumTLSVersion", \.minimumTLSVersion, .word, needs: [.tlsVersionLimits],
            "The lowest TLS version the client accepts."),
        Setting(
            "maximumTLS", field: "maximumTLSVersion", \.maximumTLSVersion, .word, needs: [.tlsVersionLimits],
            "The highest TLS version the client offers."),
        Setting(
            "serviceType", \.serviceType, .word, needs: [.networkServiceType],
            "networkServiceType: the purpose of the traffic."),
        Setting(
            "delegate", field: "hasDelegate", \.hasDelegate, .unlessNone, default: true,
            "Creates the session without a delegate; its tasks have `completionHandler: true`."
        ).needing { $0.hasDelegate || $0.kind == .shared ? [] : [.sessionWithoutDelegate] },
        Setting(
            "delegateImplements", field: "delegateMethods", \.delegateMethods, .word,
            needs: [.optionalDelegateMethods],
            "The only methods that the session's delegate implements; default all. `completion`: the end of a task."),
        Setting(
            "spy", field: "spied", \.spies, .words(), default: [],
            "Stores implemented by the client, which report each access for a task (`storeAccess`)."
        ).needing {
            $0.spies.reduce(into: []) { needs, store in
                switch store {
                case .cookies: needs.formUnion([.cookies, .cookieSpy])
                case .cache: needs.formUnion([.cache, .cacheSpy])
                case .credentials: needs.formUnion([.credentialStorage, .credentialSpy])
                }
            }
        },
        Setting(
            "protocolClasses", \.protocolClasses, .objects(.protocolClasses), default: [], needs: [.protocolClasses],
            "The client's own protocol classes, in the order in which they are tried; each reports its loads (`protocolLoad`)."
        ),
        Setting(
            "cache", \.cache, .object(.cache),
            "The session's cache: none, shared (that of the process), a name, or sizes; default: the implementation's."
        ).needing { configuration in
            guard let cache = configuration.cache else { return [] }
            // A default session already uses the shared store of the process.
            return cache.storage == .shared ? [.cache] : [.cache, .cacheStorage]
        },
        Setting(
            "cachePolicy", \.cachePolicy, .word, needs: [.cache, .cachePolicy], "requestCachePolicy of the session."),
        Setting("cookies", \.cookies, .object(.cookies), "The session's cookie store and policy.")
            .needing { configuration in
                guard let cookies = configuration.cookies else { return [] }
                var needs: Set<Capability> = [.cookies]
                if cookies.acceptance != nil { needs.insert(.cookieAcceptance) }
                if cookies.sends != nil { needs.insert(.cookieControl) }
                if let storage = cookies.storage, storage != .shared { needs.insert(.cookieStorage) }
                return needs
            },
        Setting(
            "credentials", \.credentials, .object(.credentials), needs: [.credentialStorage],
            "The session's credential store."),
    ]
}

extension SessionConfiguration {
    /// The capabilities that the values of its options need.
    package var needs: Set<Capability> { Self.settings.needs(self) }
}

extension SessionConfiguration: WireStructure {
    var wire: WireObject {
        var object = WireObject()
        Self.settings.encode(self, into: &object)
        return object
    }

    init(_ fields: WireFields) throws(WireError) {
        self.init()
        try Self.settings.decode(fields, into: &self)
    }
}

package enum TLSVersion: String, CaseIterable, Hashable, Sendable, Comparable {
    case tls10 = "1.0"
    case tls11 = "1.1"
    case tls12 = "1.2"
    case tls13 = "1.3"
    package static func < (left: TLSVersion, right: TLSVersion) -> Bool { left.rawValue < right.rawValue }
}

/// One header field, name as written; names compare without case (RFC 9110 §5.1).
package struct HeaderField: Hashable, Sendable {
    package var name: String
    package var value: String
    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// The methods of a delegate that does not implement all; the session decides as if it were not asked in the others.
package enum DelegateMethods: String, CaseIterable, Hashable, Sendable {
    /// The end of a task.
    case completion
}
