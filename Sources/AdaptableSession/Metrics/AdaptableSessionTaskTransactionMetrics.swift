public import Foundation
public import FoundationNetworking

/// The metrics of one request and its response. A date is nil if the step did not happen or did not complete; the dates
/// of lookup, connect and TLS are nil for a reused connection.
public struct AdaptableSessionTaskTransactionMetrics: Sendable {
    /// The source of the response.
    public typealias ResourceFetchType = AdaptableSessionTaskMetrics.ResourceFetchType

    /// The request as it was sent.
    public internal(set) var request: URLRequest
    /// The response; nil if none arrived.
    public internal(set) var response: URLResponse?
    /// The time at which the task began to get the response, from the network or the cache.
    public internal(set) var fetchStartDate: Date?
    /// The time at which the host's name began to be looked up.
    public internal(set) var domainLookupStartDate: Date?
    /// The time at which the last response of the lookup arrived.
    public internal(set) var domainLookupEndDate: Date?
    /// The time at which the first connection attempt started.
    public internal(set) var connectStartDate: Date?
    /// The time at which the TLS handshake started.
    public internal(set) var secureConnectionStartDate: Date?
    /// The time at which the TLS handshake was complete.
    public internal(set) var secureConnectionEndDate: Date?
    /// The time at which the connection was ready for the request, after the TLS handshake if there is one.
    public internal(set) var connectEndDate: Date?
    /// The time at which the first byte of the request was sent.
    public internal(set) var requestStartDate: Date?
    /// The time at which the last byte of the request was sent.
    public internal(set) var requestEndDate: Date?
    /// The time at which the response head arrived.
    public internal(set) var responseStartDate: Date?
    /// The time at which the response ended, completely or not.
    public internal(set) var responseEndDate: Date?
    /// The protocol negotiated with ALPN: `http/1.1` or `h2`. Without TLS: `http/1.1`.
    public internal(set) var networkProtocolName: String?
    /// True if the connection led through a proxy.
    public internal(set) var isProxyConnection = false
    /// True if an existing connection was used.
    public internal(set) var isReusedConnection = false
    /// The source of the response: the network or the cache.
    public internal(set) var resourceFetchType = ResourceFetchType.unknown
    /// Bytes of the request head that were sent. With HTTP/2, the bytes of its fields before compression, which depends
    /// on earlier requests.
    public internal(set) var countOfRequestHeaderBytesSent: Int64 = 0
    /// The number of bytes of the request body that were sent.
    public internal(set) var countOfRequestBodyBytesSent: Int64 = 0
    /// The number of bytes of the request body before a content coding; the session does not encode request bodies.
    public var countOfRequestBodyBytesBeforeEncoding: Int64 { countOfRequestBodyBytesSent }
    /// Bytes of the response head and of informational responses before it. With HTTP/2, the bytes of their fields after
    /// decompression.
    public internal(set) var countOfResponseHeaderBytesReceived: Int64 = 0
    /// Bytes of the response body as received, before content codings are removed.
    public internal(set) var countOfResponseBodyBytesReceived: Int64 = 0
    /// Bytes of the response body as the program receives them, after content codings are removed.
    public internal(set) var countOfResponseBodyBytesAfterDecoding: Int64 = 0
    /// True if the connection used a cellular interface.
    public internal(set) var isCellular = false
    /// True if the connection used an expensive interface.
    public internal(set) var isExpensive = false
    /// True if the connection used a constrained interface.
    public internal(set) var isConstrained = false
    /// False: the session does not use multipath TCP.
    public var isMultipath: Bool { false }
    /// The local IP address of the connection.
    public internal(set) var localAddress: String?
    /// The local port of the connection.
    public internal(set) var localPort: Int?
    /// The IP address to which the connection leads: the server's, or with a proxy the proxy's.
    public internal(set) var remoteAddress: String?
    /// The port to which the connection leads.
    public internal(set) var remotePort: Int?
    /// The negotiated TLS version; nil without TLS.
    public internal(set) var negotiatedTLSProtocolVersion: AdaptableTLSVersion?
    /// The negotiated cipher suite; nil without TLS, and for a suite that Foundation does not name.
    public internal(set) var negotiatedTLSCipherSuite: tls_ciphersuite_t?
    /// `unknown`: names are looked up by the system's resolver, which does not report its protocol.
    public var domainResolutionProtocol: AdaptableSessionTaskMetrics.DomainResolutionProtocol { .unknown }

    init(request: URLRequest) { self.request = request }
}

/// The times and byte counts of a task's exchanges.
public struct AdaptableSessionTaskMetrics: Sendable {
    /// The source of the response.
    public enum ResourceFetchType: Int, Hashable, Sendable {
        /// The request ended before a response was found.
        case unknown
        /// The response came from a server.
        case networkLoad
        /// The server pushed the response. HTTP/2 push is disabled, so this case does not occur.
        case serverPush
        /// The response was stored in the cache.
        case localCache
    }

    /// The protocol of the DNS queries for the host's name.
    public enum DomainResolutionProtocol: Int, Hashable, Sendable {
        /// The session does not know the protocol.
        case unknown
        /// UDP.
        case udp
        /// TCP.
        case tcp
        /// TLS (RFC 7858).
        case tls
        /// HTTPS (RFC 8484).
        case https
    }

    /// The metrics of each request and its response, in order.
    public internal(set) var transactionMetrics: [AdaptableSessionTaskTransactionMetrics] = []
    /// The time from the creation of the task to its completion.
    public internal(set) var taskInterval = DateInterval()
    /// The number of redirects that the task followed.
    public internal(set) var redirectCount = 0
}
