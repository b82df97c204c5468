import AdapterProtocol
import AdapterSupport
import Foundation
import FoundationNetworking

/// Caches, cookie stores and credential stores by the names under which sessions share them.
struct SessionStores {
    private var caches: [String: URLCache] = [:]
    private var cookies: [String: HTTPCookieStorage] = [:]
    private var credentials: [String: URLCredentialStorage] = [:]

    mutating func configuration(_ asked: SessionConfiguration, _ watch: StoreSpy) -> URLSessionConfiguration {
        let configuration = asked.newConfiguration
        if asked.spies.contains(.cache) { configuration.urlCache = SpyCache(watch) }
        write(asked, to: configuration)
        return configuration
    }

    /// Writes the given settings; the rest stays unchanged.
    mutating func write(_ asked: SessionConfiguration, to configuration: URLSessionConfiguration) {
        asked.write(to: configuration)
        if let cache = asked.cache { configuration.urlCache = store(cache) }
        if let policy = asked.cachePolicy { configuration.requestCachePolicy = policy.foundation }
        if let settings = asked.cookies {
            if let storage = settings.storage { configuration.httpCookieStorage = store(storage) }
            if let acceptance = settings.acceptance { configuration.httpCookieAcceptPolicy = acceptance.foundation }
            if let sends = settings.sends { configuration.httpShouldSetCookies = sends }
        }
        if let settings = asked.credentials {
            if let storage = settings.storage { configuration.urlCredentialStorage = credentialStore(storage) }
            for stored in settings.stored { configuration.urlCredentialStorage?.keep(stored) }
        }
    }

    private mutating func store(_ settings: CacheSettings) -> URLCache? {
        switch settings.storage {
        case .none: return nil
        case .shared: return URLCache.shared
        case .named(let name):
            if let known = caches[name] { return known }
            // Capacities without a value are those of the shared cache. Without a folder it would write to the
            // harness's working directory.
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
            let made = URLCache(
                memoryCapacity: settings.memoryCapacity.map { Int($0) } ?? URLCache.shared.memoryCapacity,
                diskCapacity: settings.diskCapacity.map { Int($0) } ?? URLCache.shared.diskCapacity, diskPath: folder)
            caches[name] = made
            return made
        }
    }

    private mutating func store(_ choice: StorageChoice) -> HTTPCookieStorage? {
        switch choice {
        case .none: return nil
        case .shared: return HTTPCookieStorage.shared
        case .named(let name):
            if let known = cookies[name] { return known }
            // The only private store that this library makes is that of an ephemeral configuration.
            let made = URLSessionConfiguration.ephemeral.httpCookieStorage
            cookies[name] = made
            return made
        }
    }

    private mutating func credentialStore(_ choice: StorageChoice) -> URLCredentialStorage? {
        switch choice {
        case .none: return nil
        case .shared: return URLCredentialStorage.shared
        case .named(let name):
            if let known = credentials[name] { return known }
            let made = URLSessionConfiguration.ephemeral.urlCredentialStorage
            credentials[name] = made
            return made
        }
    }
}

extension URLCredentialStorage {
    fileprivate func keep(_ stored: StoredCredential) {
        let space = URLProtectionSpace(
            host: stored.host, port: stored.port, protocol: stored.scheme, realm: stored.realm,
            authenticationMethod: stored.method.foundation)
        let credential = URLCredential(
            user: stored.user, password: stored.password, persistence: stored.persistence.foundation)
        if stored.isDefault { setDefaultCredential(credential, for: space) } else { set(credential, for: space) }
    }
}

extension CachePolicy {
    var foundation: URLRequest.CachePolicy {
        switch self {
        case .useProtocolCachePolicy: .useProtocolCachePolicy
        case .reloadIgnoringLocalCacheData: .reloadIgnoringLocalCacheData
        case .reloadIgnoringLocalAndRemoteCacheData: .reloadIgnoringLocalAndRemoteCacheData
        case .returnCacheDataElseLoad: .returnCacheDataElseLoad
        case .returnCacheDataDontLoad: .returnCacheDataDontLoad
        case .reloadRevalidatingCacheData: .reloadRevalidatingCacheData
        }
    }
}

extension CookieSettings.Acceptance {
    var foundation: HTTPCookie.AcceptPolicy {
        switch self {
        case .always: .always
        case .never: .never
        case .onlyFromMainDocumentDomain: .onlyFromMainDocumentDomain
        }
    }
}

extension CredentialPersistence {
    var foundation: URLCredential.Persistence {
        switch self {
        case .none: .none
        case .forSession: .forSession
        case .permanent: .permanent
        }
    }
}

extension StoredCredential.Method {
    fileprivate var foundation: String {
        switch self {
        case .basic: NSURLAuthenticationMethodHTTPBasic
        case .digest: NSURLAuthenticationMethodHTTPDigest
        case .ntlm: NSURLAuthenticationMethodNTLM
        case .negotiate: NSURLAuthenticationMethodNegotiate
        }
    }
}

extension TaskEvent.StoredResponse {
    init(_ cached: CachedURLResponse) {
        self.init(response: TaskEvent.Response(cached.response), body: Array(cached.data))
    }
}
