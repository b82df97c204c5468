public import Foundation
public import FoundationNetworking
import OpenSSLTLS
import Synchronization

/// The settings of a session; a session copies them when it is created. It can be read and changed on any thread.
public final class AdaptableSessionConfiguration: Sendable {
    private struct State: Sendable {
        var settings: SessionSettings
        var follower: (@Sendable (SessionSettings) -> Void)?
    }

    private let state: Mutex<State>

    init(settings: SessionSettings) { state = Mutex(State(settings: settings)) }

    var settings: SessionSettings {
        get { self[\.self] }
        set { self[\.self] = newValue }
    }

    /// Called on every change, in the order of the changes; nil where configurations are copied.
    func follow(with follower: @escaping @Sendable (SessionSettings) -> Void) {
        state.withLock { $0.follower = follower }
    }

    subscript<Value: Sendable>(_ setting: WritableKeyPath<SessionSettings, Value>) -> Value {
        get { state.withLock { $0.settings[keyPath: setting] } }
        set {
            // The previous value is released outside the lock: a store's deinitializer may use this configuration.
            let released = state.withLock { state in
                let old = state.settings[keyPath: setting]
                state.settings[keyPath: setting] = newValue
                state.follower?(state.settings)
                return old
            }
            withExtendedLifetime(released) {}
        }
    }

    /// A new configuration on every access, with the stores that the process shares (CONF-03, CONF-04).
    public static var `default`: AdaptableSessionConfiguration {
        AdaptableSessionConfiguration(settings: SessionSettings())
    }

    /// A configuration with separate stores in memory; otherwise like `default` (CONF-05, CONF-07).
    public static var ephemeral: AdaptableSessionConfiguration {
        var settings = SessionSettings()
        settings.isEphemeral = true
        settings.credentialStorage = AdaptableCredentialStorage()
        settings.cookieStorage = AdaptableCookieStorage()
        settings.urlCache = AdaptableURLCache(memoryCapacity: 4 << 20)
        return AdaptableSessionConfiguration(settings: settings)
    }

    /// The longest time in seconds without a byte sent or received; then the task fails with `URLError.timedOut`
    /// (TIME-01). Default: 60 seconds, also for zero, negative and NaN values.
    public var timeoutIntervalForRequest: TimeInterval {
        get { self[\.requestTimeout] }
        set { self[\.requestTimeout] = newValue }
    }

    /// The longest duration of a whole load in seconds; then the task fails with `URLError.timedOut` (TIME-04).
    /// Default: 7 days, also for zero, negative and NaN values.
    public var timeoutIntervalForResource: TimeInterval {
        get { self[\.resourceTimeout] }
        set { self[\.resourceTimeout] = newValue }
    }

    /// If true, a task that cannot connect waits for connectivity instead of failing (CONN-05). Default: false.
    public var waitsForConnectivity: Bool {
        get { self[\.waitsForConnectivity] }
        set { self[\.waitsForConnectivity] = newValue }
    }

    /// If false, requests do not use cellular interfaces (CONF-12). While a cellular interface exists, DNS queries also
    /// use the other interfaces only: names are resolved with the hosts file and the name servers of resolv.conf,
    /// without the other sources of nsswitch.conf. A resolver on this machine may still be queried; the route of its
    /// own queries is controlled by the system.
    public var allowsCellularAccess: Bool {
        get { self[\.allowsCellularAccess] }
        set { self[\.allowsCellularAccess] = newValue }
    }

    /// If false, requests do not use expensive interfaces; otherwise like `allowsCellularAccess`. Default: true.
    public var allowsExpensiveNetworkAccess: Bool {
        get { self[\.allowsExpensiveNetworkAccess] }
        set { self[\.allowsExpensiveNetworkAccess] = newValue }
    }

    /// If false, requests do not use constrained interfaces; otherwise like `allowsCellularAccess`. Default: true.
    public var allowsConstrainedNetworkAccess: Bool {
        get { self[\.allowsConstrainedNetworkAccess] }
        set { self[\.allowsConstrainedNetworkAccess] = newValue }
    }

    /// The proxies for all requests (PRXY-01), with the keys `HTTPEnable`, `HTTPProxy`, `HTTPPort`, the same for
    /// `HTTPS` and `SOCKS`, `SOCKSUser`, `SOCKSPassword` and `ExceptionsList`. nil: the system's settings, on Linux the
    /// environment variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`. Empty: no proxies.
    public var connectionProxyDictionary: [AnyHashable: Any]? {
        get { settings.proxies?.dictionary }
        set { self[\.proxies] = newValue.map { ProxyConfiguration(dictionary: $0) } }
    }

    /// Header fields added to every request that does not set the field itself (CONF-08, CONF-09).
    public var httpAdditionalHeaders: [AnyHashable: Any]? {
        get {
            let headers = settings.additionalHeaders.dictionary
            return headers.isEmpty
                ? nil : Dictionary(uniqueKeysWithValues: headers.map { (AnyHashable($0.key), $0.value as Any) })
        }
        set {
            let pairs = (newValue ?? [:]).map { ("\($0.key)", "\($0.value)") }
            self[\.additionalHeaders] = HeaderFields(dictionary: Dictionary(pairs) { first, _ in first })
        }
    }

    /// The maximum number of connections per host. Values below 1 mean 1. Default: 6.
    public var httpMaximumConnectionsPerHost: Int {
        get { self[\.maximumConnectionsPerHost] }
        set { self[\.maximumConnectionsPerHost] = max(1, newValue) }
    }

    /// If true, requests with the methods GET, HEAD and OPTIONS and without a body may be sent over HTTP/1.1 before
    /// earlier responses on their connection have arrived (POOL-06; RFC 9112 §9.3.2). Default: false.
    ///
    /// Requests are pipelined when all connections that the host may have are busy, and only to a server that has kept
    /// the connection open after a response. Responses come in the order of the requests, so a slow one delays those
    /// behind it. A request that gets no response because of an earlier one is sent again on another connection. Set
    /// `URLRequest.httpShouldUsePipelining` to false to exclude a request; its default on Linux is true.
    public var httpShouldUsePipelining: Bool {
        get { self[\.usesPipelining] }
        set { self[\.usesPipelining] = newValue }
    }

    /// The cache policy of requests with the default policy. Default: `useProtocolCachePolicy`.
    public var requestCachePolicy: NSURLRequest.CachePolicy {
        get { self[\.requestCachePolicy] }
        set { self[\.requestCachePolicy] = newValue }
    }

    /// A classification of the traffic, which never changes the result of a load (CONF-14).
    public var networkServiceType: NSURLRequest.NetworkServiceType {
        get { self[\.networkServiceType] }
        set { self[\.networkServiceType] = newValue }
    }

    /// If true, requests contain cookies from the cookie storage. Default: true.
    public var httpShouldSetCookies: Bool {
        get { self[\.setsCookies] }
        set { self[\.setsCookies] = newValue }
    }

    /// The rule for storing received cookies. Default: `onlyFromMainDocumentDomain`.
    public var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy {
        get { self[\.cookieAcceptPolicy] }
        set { self[\.cookieAcceptPolicy] = newValue }
    }

    /// The cookie storage; nil for none. Its methods must return without blocking.
    public var httpCookieStorage: AdaptableCookieStorage? {
        get { self[\.cookieStorage] }
        set { self[\.cookieStorage] = newValue }
    }

    /// The response cache; nil for none (CACH-09, CACH-18).
    public var urlCache: AdaptableURLCache? {
        get { self[\.urlCache] }
        set { self[\.urlCache] = newValue }
    }

    /// The credential storage; nil for none.
    public var urlCredentialStorage: AdaptableCredentialStorage? {
        get { self[\.credentialStorage] }
        set { self[\.credentialStorage] = newValue }
    }

    /// The lowest TLS version that a connection may use. Default: TLS 1.2.
    public var tlsMinimumSupportedProtocolVersion: AdaptableTLSVersion {
        get { AdaptableTLSVersion(settings.tlsVersions.minimum) }
        set { self[\.tlsVersions.minimum] = newValue.value }
    }

    /// The highest TLS version that a connection may use. Default: TLS 1.3.
    public var tlsMaximumSupportedProtocolVersion: AdaptableTLSVersion {
        get { AdaptableTLSVersion(settings.tlsVersions.maximum) }
        set { self[\.tlsVersions.maximum] = newValue.value }
    }

    /// The protocol classes that may load requests of this session, queried in this order before the session handles a
    /// request itself (PROT-01, PROT-02, PROT-04). Classes from `AdaptableURLProtocol.registerClass` follow them.
    /// Default: nil, for none.
    public var protocolClasses: [AdaptableURLProtocol.Type]? {
        get { self[\.protocolClasses] }
        set { self[\.protocolClasses] = newValue }
    }

    /// The places where downloads are written; nil for the folder of temporary files.
    package var downloads: DownloadPlacement? {
        get { self[\.downloads] }
        set { self[\.downloads] = newValue }
    }

    /// The decisions that the documentation leaves open.
    package var policies: SessionPolicies {
        get { self[\.policies] }
        set { self[\.policies] = newValue }
    }

    /// Returns a copy; later changes to one do not affect the other. The stores are shared.
    public func copy() -> AdaptableSessionConfiguration { AdaptableSessionConfiguration(settings: settings) }
}

/// A session's private copy of its configuration (CONF-01).
struct SessionSettings: Sendable {
    /// The timeouts in seconds where none, or none above 0, is set (TIME-01, TIME-04).
    static let usualRequestTimeout: TimeInterval = 60
    static let usualResourceTimeout: TimeInterval = 7 * 24 * 60 * 60

    var isEphemeral = false
    /// The settings that only a background session has; nil for another kind.
    var background: BackgroundSettings?
    var requestTimeout = usualRequestTimeout
    var resourceTimeout = usualResourceTimeout
    var waitsForConnectivity = false
    var allowsCellularAccess = true
    var allowsExpensiveNetworkAccess = true
    var allowsConstrainedNetworkAccess = true
    var additionalHeaders = HeaderFields()
    var maximumConnectionsPerHost = 6
    var usesPipelining = false
    var requestCachePolicy = NSURLRequest.CachePolicy.useProtocolCachePolicy
    var networkServiceType = NSURLRequest.NetworkServiceType.default
    var setsCookies = true
    var cookieAcceptPolicy = HTTPCookie.AcceptPolicy.onlyFromMainDocumentDomain
    var credentialStorage: AdaptableCredentialStorage? = .shared
    var cookieStorage: AdaptableCookieStorage? = .shared
    var urlCache: AdaptableURLCache? = .shared
    /// The session's proxies; nil for the system's, empty for none.
    var proxies: ProxyConfiguration?
    var systemProxies = ProxyConfiguration(environment: ProcessInfo.processInfo.environment)
    var tlsVersions = TLSVersionRange()
    var protocolClasses: [AdaptableURLProtocol.Type]?
    var downloads: DownloadPlacement?
    var policies = SessionPolicies.installed
}

extension SessionSettings {
    /// Passes non-default policies to the stores, which implement a part of them. Stores may be shared between
    /// sessions, so the default policies are not applied.
    func applyStorePolicies() {
        if policies.cache != CachePolicy() { urlCache?.adopt(policies.cache) }
        if policies.cookies != CookiePolicy() { cookieStorage?.adopt(policies.cookies) }
    }
}
