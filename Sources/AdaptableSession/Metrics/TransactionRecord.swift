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

    /// The metrics of the current exchange, changed in place.
    private final class Transaction {
        var metrics: AdaptableSessionTaskTransactionMetrics

        init(_ request: URLRequest, start: Date) {
            metrics = AdaptableSessionTaskTransactionMetrics(request: request)
            metrics.fetchStartDate = start
        }
    }

    private let calendar = Calendar()
    private var finished: [AdaptableSessionTaskTransactionMetrics] = []
    /// An exchange of which nothing but its start is known: a queued task needs no metrics of 300 bytes yet.
    private var begun: (request: URLRequest, time: Int64)?
    private var transaction: Transaction?

    /// The current exchange; nil before the first and after the last one.
    private var current: Transaction? {
        mutating get {
            if let (request, time) = begun {
                begun = nil
                transaction = Transaction(request, start: calendar.date(time))
            }
            return transaction
        }
    }

    mutating func begin(_ request: URLRequest) {
        end()
        begun = (request, MonotonicTime.now())
    }

    mutating func requestBegins(_ exchange: Exchange) {
        let (current, connection) = (current, exchange.connection)
        current?.metrics.requestStartDate = calendar.now
        current?.metrics.isReusedConnection = exchange.isReused
        current?.metrics.isProxyConnection = !connection.key.route.isEmpty
        current?.metrics.resourceFetchType = .networkLoad
        current?.metrics.networkProtocolName = connection.tls?.alpn ?? "http/1.1"
        current?.metrics.negotiatedTLSProtocolVersion = connection.tls.map { AdaptableTLSVersion($0.version) }
        current?.metrics.negotiatedTLSCipherSuite = connection.tls?.cipherSuite.flatMap(tls_ciphersuite_t.init)
        current?.metrics.localAddress = connection.channel.localAddress?.ipAddress
        current?.metrics.localPort = connection.channel.localAddress?.port
        current?.metrics.remoteAddress = connection.channel.remoteAddress?.ipAddress
        current?.metrics.remotePort = connection.channel.remoteAddress?.port
        let traits = connection.interface?.traits ?? []
        current?.metrics.isCellular = traits.contains(.cellular)
        current?.metrics.isExpensive = traits.contains(.expensive)
        current?.metrics.isConstrained = traits.contains(.constrained)
        guard !exchange.isReused else { return }
        let times = connection.times
        // The connection may have been started for another task: for this task no step begins before it needs the
        // connection.
        let begin = current?.metrics.fetchStartDate ?? calendar.now
        let date = { [calendar] (time: Int64?) in calendar.date(time).map { max($0, begin) } }
        current?.metrics.domainLookupStartDate = date(times.lookupStart)
        current?.metrics.domainLookupEndDate = date(times.lookupEnd)
        current?.metrics.connectStartDate = date(times.connectStart)
        current?.metrics.secureConnectionStartDate = date(times.secureStart)
        current?.metrics.secureConnectionEndDate = date(times.secureEnd)
        current?.metrics.connectEndDate = date(times.secureEnd ?? times.connectEnd)
    }

    mutating func sentHead(_ count: Int64) { current?.metrics.countOfRequestHeaderBytesSent = count }

    mutating func requestEnds() { current?.metrics.requestEndDate = calendar.now }

    mutating func sent(_ count: Int) { current?.metrics.countOfRequestBodyBytesSent += Int64(count) }

    mutating func responseBegins(_ response: URLResponse) {
        if current?.metrics.responseStartDate == nil { current?.metrics.responseStartDate = calendar.now }
        current?.metrics.response = response
    }

    mutating func receivedHead(_ count: Int64) { current?.metrics.countOfResponseHeaderBytesReceived = count }

    mutating func received(_ count: Int) { current?.metrics.countOfResponseBodyBytesReceived += Int64(count) }

    /// Adds bytes that were passed on after decoding.
    mutating func decoded(_ count: Int) { current?.metrics.countOfResponseBodyBytesAfterDecoding += Int64(count) }

    mutating func cached(_ response: URLResponse) {
        current?.metrics.resourceFetchType = .localCache
        current?.metrics.response = response
    }

    /// Ends the current exchange, complete or abandoned.
    mutating func end() {
        guard let done = current else { return }
        if done.metrics.responseStartDate != nil { done.metrics.responseEndDate = calendar.now }
        finished.append(done.metrics)
        transaction = nil
    }

    func metrics(redirects: Int) -> AdaptableSessionTaskMetrics {
        var metrics = AdaptableSessionTaskMetrics()
        metrics.transactionMetrics = finished
        metrics.taskInterval = DateInterval(start: calendar.start, end: max(calendar.start, calendar.now))
        metrics.redirectCount = redirects
        return metrics
    }
}
