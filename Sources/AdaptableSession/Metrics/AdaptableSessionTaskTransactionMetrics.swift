public import Foundation
public import FoundationNetworking

/// The metrics of one request and its response. A date is nil if the step did not happen or did not complete; the dates
/// of lookup, connect and TLS are nil for a reused connection.
public struct AdaptableSessionTaskTransactionMetrics: Sendable {
    /// The source of the response.
    public enum ResourceFetchType: Int, Hashable, Sendable { case unknown, networkLoad, serverPush, localCache }

    public internal(set) var request: URLRequest
    public internal(set) var response: URLResponse?
    public internal(set) var fetchStartDate: Date?
    public internal(set) var domainLookupStartDate: Date?
    public internal(set) var domainLookupEndDate: Date?
    public internal(set) var connectStartDate: Date?
    public internal(set) var secureConnectionStartDate: Date?
    public internal(set) var secureConnectionEndDate: Date?
    public internal(set) var connectEndDate: Date?
    public internal(set) var requestStartDate: Date?
    public internal(set) var requestEndDate: Date?
    public internal(set) var responseStartDate: Date?
    public internal(set) var responseEndDate: Date?
    /// The protocol negotiated with ALPN: `http/1.1` or `h2`. Without TLS: `http/1.1`.
    public internal(set) var networkProtocolName: String?
    /// True if the connection led through a proxy.
    public internal(set) var isProxyConnection = false
    /// True if an existing connection was used.
    public internal(set) var isReusedConnection = false
    public internal(set) var resourceFetchType = ResourceFetchType.unknown
    public internal(set) var countOfRequestBodyBytesSent: Int64 = 0
    /// Bytes of the response body as received, before content codings are removed.
    public internal(set) var countOfResponseBodyBytesReceived: Int64 = 0
    public internal(set) var localAddress: String?
    public internal(set) var localPort: Int?
    public internal(set) var remoteAddress: String?
    public internal(set) var remotePort: Int?
    /// The negotiated TLS version; nil without TLS.
    public internal(set) var negotiatedTLSProtocolVersion: AdaptableTLSVersion?

    init(request: URLRequest) { self.request = request }
}

/// The times and byte counts of a task's exchanges.
public struct AdaptableSessionTaskMetrics: Sendable {
    /// The metrics of each request and its response, in order.
    public internal(set) var transactionMetrics: [AdaptableSessionTaskTransactionMetrics] = []
    /// The time from the creation of the task to its completion.
    public internal(set) var taskInterval = DateInterval()
    /// The number of redirects that the task followed.
    public internal(set) var redirectCount = 0
}
