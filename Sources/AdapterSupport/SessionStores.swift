import AdapterProtocol
import Foundation
import FoundationNetworking

/// The stores of one kind by the names under which sessions share them.
struct NamedStores<Store> {
    private var known: [String: Store] = [:]

    /// Returns the store for a choice, and makes a named one on its first use.
    mutating func store(_ choice: StorageChoice, shared: Store, make: (String) -> Store?) -> Store? {
        switch choice {
        case .none: return nil
        case .shared: return shared
        case .named(let name):
            let store = known[name] ?? make(name)
            known[name] = store
            return store
        }
    }
}

/// Writes settings to configurations; holds the caches, cookie stores and credential stores that sessions share.
struct SessionStores<Implementation: SessionImplementation> {
    typealias Configuration = Implementation.Configuration

    let implementation: Implementation
    private var caches = NamedStores<Configuration.Cache>()
    private var cookies = NamedStores<Configuration.CookieStorage>()
    private var credentials = NamedStores<Configuration.CredentialStorage>()

    init(_ implementation: Implementation) { self.implementation = implementation }

    mutating func configuration(_ asked: SessionConfiguration, of session: SessionName, _ spy: StoreSpy)
        -> Configuration
    {
        let configuration =
            switch asked.kind {
            case .standard, .shared: implementation.defaultConfiguration
            case .background:
                implementation.backgroundConfiguration(asked, identifier: asked.identifier ?? session.text)
                    ?? implementation.defaultConfiguration
            case .ephemeral: implementation.ephemeralConfiguration
            }
        for store in asked.spies { implementation.add(store, spy, to: configuration) }
        write(asked, to: configuration)
        return configuration
    }

    /// Writes the given settings; the rest stays unchanged.
    mutating func write(_ asked: SessionConfiguration, to configuration: Configuration) {
        implementation.write(asked, to: configuration)
        if let serviceType = asked.serviceType { configuration.networkServiceType = serviceType.value }
        if let timeout = asked.requestTimeout { configuration.timeoutIntervalForRequest = timeout.seconds }
        if let timeout = asked.resourceTimeout { configuration.timeoutIntervalForResource = timeout.seconds }
        if let maximum = asked.maximumConnectionsPerHost { configuration.httpMaximumConnectionsPerHost = maximum }
        if let allows = asked.allowsCellularAccess { configuration.allowsCellularAccess = allows }
        if let proxy = asked.proxy { configuration.connectionProxyDictionary = implementation.dictionary(of: proxy) }
        if !asked.headers.isEmpty {
            configuration.httpAdditionalHeaders =
                Dictionary(asked.headers.map { ($0.name, $0.value) }) { "\($0), \($1)" }
        }
        if let policy = asked.cachePolicy { configuration.requestCachePolicy = policy.value }
        if let settings = asked.cache {
            configuration.urlCache = caches.store(settings.storage, shared: implementation.sharedCache) {
                [implementation] in
                implementation.cache(named: $0, settings)
            }
        }
        if let settings = asked.cookies { write(settings, to: configuration) }
        if let settings = asked.credentials { write(settings, to: configuration) }
    }

    private mutating func write(_ settings: CookieSettings, to configuration: Configuration) {
        if let storage = settings.storage {
            configuration.httpCookieStorage = cookies.store(storage, shared: implementation.sharedCookieStorage) {
                [implementation] _ in
                implementation.newCookieStorage()
            }
        }
        if let acceptance = settings.acceptance { configuration.httpCookieAcceptPolicy = acceptance.value }
        if let sends = settings.sends { configuration.httpShouldSetCookies = sends }
    }

    private mutating func write(_ settings: CredentialSettings, to configuration: Configuration) {
        if let storage = settings.storage {
            configuration.urlCredentialStorage =
                credentials.store(storage, shared: implementation.sharedCredentialStorage) { [implementation] _ in
                    implementation.newCredentialStorage()
                }
        }
        for stored in settings.stored { configuration.urlCredentialStorage?.keep(stored) }
    }
}

extension ClientCredentialStorage {
    fileprivate func keep(_ stored: StoredCredential) {
        let space = URLProtectionSpace(
            host: stored.host, port: stored.port, protocol: stored.scheme, realm: stored.realm,
            authenticationMethod: stored.method.value)
        let credential = URLCredential(
            user: stored.user, password: stored.password, persistence: stored.persistence.value)
        if stored.isDefault { setDefaultCredential(credential, for: space) } else { set(credential, for: space) }
    }
}

extension ClientConfiguration {
    /// Every setting that the implementation declares except the stores.
    var settingsText: String {
        let headers = (httpAdditionalHeaders ?? [:]).map { "\($0.key): \($0.value)" }.sorted()
        let proxies = (connectionProxyDictionary ?? [:]).map { "\($0.key): \($0.value)" }.sorted()
        let settings: [(String, Any)] = [
            ("timeoutIntervalForRequest", timeoutIntervalForRequest),
            ("timeoutIntervalForResource", timeoutIntervalForResource),
            ("allowsCellularAccess", allowsCellularAccess), ("connectionProxyDictionary", proxies),
            ("httpAdditionalHeaders", headers), ("httpMaximumConnectionsPerHost", httpMaximumConnectionsPerHost),
            ("requestCachePolicy", requestCachePolicy.rawValue), ("networkServiceType", networkServiceType.rawValue),
            ("httpShouldSetCookies", httpShouldSetCookies), ("httpCookieAcceptPolicy", httpCookieAcceptPolicy.rawValue),
        ]
        return (settings + ownSettings).map { "\($0.0) \($0.1)" }.joined(separator: "; ")
    }
}
