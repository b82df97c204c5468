package import AdapterProtocol
package import Foundation

/// The metrics of one request and its response, as `URLSessionTaskTransactionMetrics` declares them.
package protocol ClientTransactionMetrics {
    associatedtype FetchType: RawRepresentable<Int>
    var fetchStartDate: Date? { get }
    var domainLookupStartDate: Date? { get }
    var domainLookupEndDate: Date? { get }
    var connectStartDate: Date? { get }
    var secureConnectionStartDate: Date? { get }
    var secureConnectionEndDate: Date? { get }
    var connectEndDate: Date? { get }
    var requestStartDate: Date? { get }
    var requestEndDate: Date? { get }
    var responseStartDate: Date? { get }
    var responseEndDate: Date? { get }
    var networkProtocolName: String? { get }
    var isReusedConnection: Bool { get }
    var resourceFetchType: FetchType { get }
    var countOfRequestBodyBytesSent: Int64 { get }
    var countOfResponseBodyBytesReceived: Int64 { get }
    var countOfResponseBodyBytesAfterDecoding: Int64 { get }
}

extension TaskMetrics {
    package init(_ interval: DateInterval, redirects: Int, _ transactions: [some ClientTransactionMetrics]) {
        self.init(
            redirects: redirects, length: TaskMetrics.microseconds(interval.duration),
            transactions: transactions.map { Transaction($0, since: interval.start) })
    }

    /// Returns -1 for a time that no whole number can state.
    fileprivate static func microseconds(_ seconds: TimeInterval) -> Int64 {
        Int64(exactly: (seconds * 1e6).rounded()) ?? -1
    }
}

extension TaskMetrics.Transaction {
    fileprivate init(_ metrics: some ClientTransactionMetrics, since start: Date) {
        self.init()
        // The values of `ResourceFetchType`.
        source =
            switch metrics.resourceFetchType.rawValue {
            case 1: .network
            case 2: .push
            case 3: .cache
            default: .unknown
            }
        isReused = metrics.isReusedConnection
        protocolName = metrics.networkProtocolName
        let dates: [TaskMetrics.Step: Date?] = [
            .fetchStart: metrics.fetchStartDate, .domainLookupStart: metrics.domainLookupStartDate,
            .domainLookupEnd: metrics.domainLookupEndDate, .connectStart: metrics.connectStartDate,
            .secureConnectionStart: metrics.secureConnectionStartDate,
            .secureConnectionEnd: metrics.secureConnectionEndDate, .connectEnd: metrics.connectEndDate,
            .requestStart: metrics.requestStartDate, .requestEnd: metrics.requestEndDate,
            .responseStart: metrics.responseStartDate, .responseEnd: metrics.responseEndDate,
        ]
        times = dates.compactMapValues { date in
            date.map { TaskMetrics.microseconds($0.timeIntervalSince(start)) }
        }
        bodyBytesSent = metrics.countOfRequestBodyBytesSent
        bodyBytesReceived = metrics.countOfResponseBodyBytesReceived
        bodyBytesDecoded = metrics.countOfResponseBodyBytesAfterDecoding
    }
}
