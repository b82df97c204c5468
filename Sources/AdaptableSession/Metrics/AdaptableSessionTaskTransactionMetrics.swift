public import Foundation
public import FoundationNetworking

/// One request and its answer. A date is nil when the step did not happen, or not to its end; those of the connection are nil when it
/// was there already.
public struct AdaptableSessionTaskTransactionMetrics: Sendable {
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
    /// As agreed in TLS: `http/1.1` or `h2`.
    public internal(set) var networkProtocolName: String?
    public internal(set) var isProxyConnection = false
    public internal(set) var isReusedConnection = false
    public internal(set) var resourceFetchType = ResourceFetchType.unknown
    public internal(set) var countOfRequestBodyBytesSent: Int64 = 0
    public internal(set) var countOfResponseBodyBytesReceived: Int64 = 0
    public internal(set) var localAddress: String?
    public internal(set) var localPort: Int?
    public internal(set) var remoteAddress: String?
    public internal(set) var remotePort: Int?
    public internal(set) var negotiatedTLSProtocolVersion: AdaptableTLSVersion?

    init(request: URLRequest) { self.request = request }
}
