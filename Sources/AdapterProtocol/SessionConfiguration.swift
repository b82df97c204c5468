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
    package var waitsForConnectivity: Bool?
    /// `timeoutIntervalForRequest`: the longest silence (TIME-01).
    package var requestTimeout: Duration?
    /// `timeoutIntervalForResource`: the whole load (TIME-04).
    package var resourceTimeout: Duration?
    package var headers: [HeaderField] = []
    package var maximumConnectionsPerHost: Int?
    package var allowsCellularAccess: Bool?
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
    /// Stores of a class of the adapter that reports each access and then behaves like the stock class. Unless other
    /// settings apply, each is new and empty.
    package var spies: Set<SpyStore> = []
    /// Classes of the adapter that load requests, each a distinct class, in the order in which the session queries
    /// them. Each reports what it loads (`protocolLoad`), with its number in this list.
    package var protocolClasses: [ProtocolClass] = []
    package init() {}
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
