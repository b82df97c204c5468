import AdaptableSession
import AdapterProtocol
import AdapterSupport
import Foundation
import FoundationNetworking

/// Caches, cookie stores and credential stores by the names under which sessions share them.
struct SessionStores {
    private var caches: [String: AdaptableURLCache] = [:]
    private var cookies: [String: AdaptableCookieStorage] = [:]
    private var credentials: [String: AdaptableCredentialStorage] = [:]

    mutating func configuration(_ asked: SessionConfiguration, _ watch: StoreSpy) -> AdaptableSessionConfiguration {
        let configuration = asked.newConfiguration
        for store in asked.spies {
            switch store {
            case .cookies: configuration.httpCookieStorage = SpyCookieStorage(watch)
            case .cache: configuration.urlCache = SpyCache(watch)
            case .credentials: configuration.urlCredentialStorage = SpyCredentialStorage(watch)
            }
        }
        write(asked, to: configuration)
        return configuration
    }

    /// Writes the given settings; the rest stays unchanged.
    mutating func write(_ asked: SessionConfiguration, to configuration: AdaptableSessionConfiguration) {
        asked.write(to: configuration)
        if let cache = asked.cache { configuration.urlCache = store(cache) }
        if let policy = asked.cachePolicy { configuration.requestCachePolicy = policy.adaptable }
        if let settings = asked.cookies {
            if let storage = settings.storage { configuration.httpCookieStorage = cookieStore(storage) }
            if let acceptance = settings.acceptance { configuration.httpCookieAcceptPolicy = acceptance.adaptable }
            if let sends = settings.sends { configuration.httpShouldSetCookies = sends }
        }
        if let settings = asked.credentials {
            if let storage = settings.storage { configuration.urlCredentialStorage = credentialStore(storage) }
            for stored in settings.stored { configuration.urlCredentialStorage?.keep(stored) }
        }
    }

    /// Kept in memory: a run that is killed would leave a disk cache behind.
    private mutating func store(_ settings: CacheSettings) -> AdaptableURLCache? {
        switch settings.storage {
        case .none: return nil
        case .shared: return AdaptableURLCache.shared
        case .named(let name):
            if let known = caches[name] { return known }
            let made = AdaptableURLCache(
                memoryCapacity: settings.memoryCapacity.map { Int($0) } ?? AdaptableURLCache.shared.memoryCapacity)
            caches[name] = made
            return made
        }
    }

    private mutating func cookieStore(_ choice: StorageChoice) -> AdaptableCookieStorage? {
        switch choice {
        case .none: return nil
        case .shared: return AdaptableCookieStorage.shared
        case .named(let name):
            if let known = cookies[name] { return known }
            let made = AdaptableCookieStorage()
            cookies[name] = made
            return made
        }
    }

    private mutating func credentialStore(_ choice: StorageChoice) -> AdaptableCredentialStorage? {
        switch choice {
        case .none: return nil
        case .shared: return AdaptableCredentialStorage.shared
        case .named(let name):
            if let known = credentials[name] { return known }
            let made = AdaptableCredentialStorage()
            credentials[name] = made
            return made
        }
    }
}

extension AdaptableCredentialStorage {
    fileprivate func keep(_ stored: StoredCredential) {
        let space = URLProtectionSpace(
            host: stored.host, port: stored.port, protocol: stored.scheme, realm: stored.realm,
            authenticationMethod: stored.method.adaptable)
        let credential = URLCredential(
            user: stored.user, password: stored.password, persistence: stored.persistence.adaptable)
        if stored.isDefault { setDefaultCredential(credential, for: space) } else { set(credential, for: space) }
    }
}

extension StoredCredential.Method {
    fileprivate var adaptable: String {
        switch self {
        case .basic: NSURLAuthenticationMethodHTTPBasic
        case .digest: NSURLAuthenticationMethodHTTPDigest
        case .ntlm: NSURLAuthenticationMethodNTLM
        case .negotiate: NSURLAuthenticationMethodNegotiate
        }
    }
}
