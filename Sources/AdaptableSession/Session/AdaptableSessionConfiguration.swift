public import Foundation
public import FoundationNetworking
import OpenSSLTLS

/// What a session is made with; copied when the session is made.
public final class AdaptableSessionConfiguration {
    var settings: SessionSettings { didSet { follower?(settings) } }
    /// Hears of every change; nobody does where configurations are copied.
    var follower: ((SessionSettings) -> Void)?

    init(settings: SessionSettings) { self.settings = settings }

    /// A fresh configuration on every access, with the stores that are shared by the process (CONF-03, CONF-04).
    public static var `default`: AdaptableSessionConfiguration {
        AdaptableSessionConfiguration(settings: SessionSettings())
    }

    /// As `default`, with stores of its own that live in memory (CONF-05, CONF-07).
    public static var ephemeral: AdaptableSessionConfiguration {
        var settings = SessionSettings()
        settings.isEphemeral = true
        settings.credentialStorage = AdaptableCredentialStorage()
        settings.cookieStorage = AdaptableCookieStorage()
        settings.urlCache = AdaptableURLCache(memoryCapacity: 4 << 20)
        return AdaptableSessionConfiguration(settings: settings)
    }

    /// The longest silence in seconds (TIME-01). 0, less, and what is no number stand for the usual 60 s.
    public var timeoutIntervalForRequest: TimeInterval {
        get { settings.requestTimeout }
        set { settings.requestTimeout = newValue }
    }

    /// The longest whole load in seconds (TIME-04). 0, less, and what is no number stand for the usual 7 days.
    public var timeoutIntervalForResource: TimeInterval {
        get { settings.resourceTimeout }
        set { settings.resourceTimeout = newValue }
    }

    /// A task that cannot connect waits until it can, instead of failing (CONN-05).
    public var waitsForConnectivity: Bool {
        get { settings.waitsForConnectivity }
        set { settings.waitsForConnectivity = newValue }
    }

    /// Where a forbidden interface exists, connections leave by the others only, and so do questions for names: by the hosts file and
    /// the name servers of resolv.conf, without the other sources of nsswitch.conf (CONF-12). A resolver on this machine is asked too;
    /// what it sends on by itself is the system's business.
    public var allowsCellularAccess: Bool {
        get { settings.allowsCellularAccess }
        set { settings.allowsCellularAccess = newValue }
    }

    public var allowsExpensiveNetworkAccess: Bool {
        get { settings.allowsExpensiveNetworkAccess }
        set { settings.allowsExpensiveNetworkAccess = newValue }
    }

    public var allowsConstrainedNetworkAccess: Bool {
        get { settings.allowsConstrainedNetworkAccess }
        set { settings.allowsConstrainedNetworkAccess = newValue }
    }

    /// Which proxies every request of the session goes through (PRXY-01), with the keys `HTTPEnable`, `HTTPProxy`, `HTTPPort`, the same for
    /// `HTTPS` and `SOCKS`, `SOCKSUser`, `SOCKSPassword` and `ExceptionsList`. nil: the system's, which on Linux the environment names
    /// (`http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`). Empty: none.
    public var connectionProxyDictionary: [AnyHashable: Any]? {
        get { settings.proxies?.dictionary }
        set { settings.proxies = newValue.map { ProxyConfiguration(dictionary: $0) } }
    }

    /// Added to every request that has not the field itself (CONF-08, CONF-09).
    public var httpAdditionalHeaders: [AnyHashable: Any]? {
        get {
            let headers = settings.additionalHeaders.dictionary
            return headers.isEmpty
                ? nil : Dictionary(uniqueKeysWithValues: headers.map { (AnyHashable($0.key), $0.value as Any) })
        }
        set {
            let pairs = (newValue ?? [:]).map { ("\($0.key)", "\($0.value)") }
            settings.additionalHeaders = HeaderFields(dictionary: Dictionary(pairs) { first, _ in first })
        }
    }

    public var httpMaximumConnectionsPerHost: Int {
        get { settings.maximumConnectionsPerHost }
        set { settings.maximumConnectionsPerHost = max(1, newValue) }
    }

    public var requestCachePolicy: NSURLRequest.CachePolicy {
        get { settings.requestCachePolicy }
        set { settings.requestCachePolicy = newValue }
    }

    /// Marks the traffic; never changes the result of a load (CONF-14).
    public var networkServiceType: NSURLRequest.NetworkServiceType {
        get { settings.networkServiceType }
        set { settings.networkServiceType = newValue }
    }

    public var httpShouldSetCookies: Bool {
        get { settings.setsCookies }
        set { settings.setsCookies = newValue }
    }

    public var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy {
        get { settings.cookieAcceptPolicy }
        set { settings.cookieAcceptPolicy = newValue }
    }

    /// Where cookies are looked for and kept; nil for nowhere. It must answer without waiting for anything.
    public var httpCookieStorage: AdaptableCookieStorage? {
        get { settings.cookieStorage }
        set { settings.cookieStorage = newValue }
    }

    /// Where responses are looked for and kept; nil for nowhere (CACH-09, CACH-18).
    public var urlCache: AdaptableURLCache? {
        get { settings.urlCache }
        set { settings.urlCache = newValue }
    }

    /// Where credentials are looked for and kept; nil for nowhere.
    public var urlCredentialStorage: AdaptableCredentialStorage? {
        get { settings.credentialStorage }
        set { settings.credentialStorage = newValue }
    }

    public var tlsMinimumSupportedProtocolVersion: AdaptableTLSVersion {
        get { AdaptableTLSVersion(settings.tlsVersions.minimum) }
        set { settings.tlsVersions.minimum = newValue.value }
    }

    public var tlsMaximumSupportedProtocolVersion: AdaptableTLSVersion {
        get { AdaptableTLSVersion(settings.tlsVersions.maximum) }
        set { settings.tlsVersions.maximum = newValue.value }
    }

    /// Classes that load requests of this session in their own way, asked in this order before the session handles a request itself
    /// (PROT-01, PROT-02, PROT-04); behind them come those of `AdaptableURLProtocol.registerClass`. nil, as at first: no class of its own.
    public var protocolClasses: [AdaptableURLProtocol.Type]? {
        get { settings.protocolClasses }
        set { settings.protocolClasses = newValue }
    }

    /// Every decision that the documents leave open.
    package var policies: SessionPolicies {
        get { settings.policies }
        set { settings.policies = newValue }
    }

    public func copy() -> AdaptableSessionConfiguration { AdaptableSessionConfiguration(settings: settings) }
}
