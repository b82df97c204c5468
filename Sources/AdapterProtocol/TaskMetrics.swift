/// The metrics of a task as its delegate receives them: its requests, and when each step of them happened.
package struct TaskMetrics: Hashable, Sendable {
    /// The source of a response (`resourceFetchType`).
    package enum Source: String, CaseIterable, Hashable, Sendable { case unknown, network, push, cache }

    /// The dates of a transaction, by their names without `Date`.
    package enum Step: String, CaseIterable, Hashable, Sendable {
        case fetchStart, domainLookupStart, domainLookupEnd, connectStart, secureConnectionStart, secureConnectionEnd,
            connectEnd
        case requestStart, requestEnd, responseStart, responseEnd
    }

    /// One request and its response.
    package struct Transaction: Hashable, Sendable {
        package var source = Source.unknown
        package var isReused = false
        /// `networkProtocolName`, such as `h2`.
        package var protocolName: String?
        /// Microseconds since the start of the task's interval; a step without a date is missing.
        package var times: [Step: Int64] = [:]
        package var bodyBytesSent: Int64 = 0
        package var bodyBytesReceived: Int64 = 0
        package var bodyBytesDecoded: Int64 = 0
        package init() {}
    }

    package var redirects: Int
    /// The length of the task's interval in microseconds.
    package var length: Int64
    package var transactions: [Transaction]
    package init(redirects: Int, length: Int64, transactions: [Transaction]) {
        self.redirects = redirects
        self.length = length
        self.transactions = transactions
    }
}
