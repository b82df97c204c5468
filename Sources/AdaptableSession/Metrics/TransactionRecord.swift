import Foundation
import FoundationNetworking
import NIOCore
import OpenSSLTLS

/// Records the times of a load's exchanges for its metrics.
struct TransactionRecord {
    /// Converts times of the monotonic clock to dates.
    private struct Calendar {
        let start = Date()
        let startTime = MonotonicTime.now()

        func date(_ time: Int64) -> Date { start.addingTimeInterval(Double(time - startTime) / 1e9) }
        func date(_ time: Int64?) -> Date? { time.map { date($0) } }
        var now: Date { date(MonotonicTime.now()) }
    }

    private let calendar = Calendar()
    private var finished: [AdaptableSessionTaskTransactionMetrics] = []
    private var current: AdaptableSessionTaskTransactionMetrics?

    mutating func begin(_ request: URLRequest) {
        end()
        current = AdaptableSessionTaskTransactionMetrics(request: request)
        current?.fetchStartDate = calendar.now
    }

    mutating func requestBegins(_ exchange: Exchange) {
        let connection = exchange.connection
        current?.requestStartDate = calendar.now
        current?.isReusedConnection = exchange.isReused
        current?.isProxyConnection = !connection.key.route.isEmpty
        current?.resourceFetchType = .networkLoad
        current?.networkProtocolName = connection.tls?.alpn ?? "http/1.1"
        current?.negotiatedTLSProtocolVersion = connection.tls.map { AdaptableTLSVersion($0.version) }
        current?.negotiatedTLSCipherSuite = connection.tls?.cipherSuite.flatMap(tls_ciphersuite_t.init)
        current?.localAddress = connection.channel.localAddress?.ipAddress
        current?.localPort = connection.channel.localAddress?.port
        current?.remoteAddress = connection.channel.remoteAddress?.ipAddress
        current?.remotePort = connection.channel.remoteAddress?.port
        let traits = connection.interface?.traits ?? []
        current?.isCellular = traits.contains(.cellular)
        current?.isExpensive = traits.contains(.expensive)
        current?.isConstrained = traits.contains(.constrained)
        guard !exchange.isReused else { return }
        let times = connection.times
        // The connection may have been started for another task: for this task no step begins before it needs the
        // connection.
        let begin = current?.fetchStartDate ?? calendar.now
        let date = { [calendar] (time: Int64?) in calendar.date(time).map { max($0, begin) } }
        current?.domainLookupStartDate = date(times.lookupStart)
        current?.domainLookupEndDate = date(times.lookupEnd)
        current?.connectStartDate = date(times.connectStart)
        current?.secureConnectionStartDate = date(times.secureStart)
        current?.secureConnectionEndDate = date(times.secureEnd)
        current?.connectEndDate = date(times.secureEnd ?? times.connectEnd)
    }

    mutating func sentHead(_ count: Int64) { current?.countOfRequestHeaderBytesSent = count }

    mutating func requestEnds() { current?.requestEndDate = calendar.now }

    mutating func sent(_ count: Int) { current?.countOfRequestBodyBytesSent += Int64(count) }

    mutating func responseBegins(_ response: URLResponse) {
        if current?.responseStartDate == nil { current?.responseStartDate = calendar.now }
        current?.response = response
    }

    mutating func receivedHead(_ count: Int64) { current?.countOfResponseHeaderBytesReceived = count }

    mutating func received(_ count: Int) { current?.countOfResponseBodyBytesReceived += Int64(count) }

    /// Adds bytes that were passed on after decoding.
    mutating func decoded(_ count: Int) { current?.countOfResponseBodyBytesAfterDecoding += Int64(count) }

    mutating func cached(_ response: URLResponse) {
        current?.resourceFetchType = .localCache
        current?.response = response
    }

    /// Ends the current exchange, complete or abandoned.
    mutating func end() {
        guard var done = current else { return }
        if done.responseStartDate != nil { done.responseEndDate = calendar.now }
        finished.append(done)
        current = nil
    }

    func metrics(redirects: Int) -> AdaptableSessionTaskMetrics {
        var metrics = AdaptableSessionTaskMetrics()
        metrics.transactionMetrics = finished
        metrics.taskInterval = DateInterval(start: calendar.start, end: max(calendar.start, calendar.now))
        metrics.redirectCount = redirects
        return metrics
    }
}
