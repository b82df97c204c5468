public import Foundation

/// The times and byte counts of a task's exchanges.
public struct AdaptableSessionTaskMetrics: Sendable {
    /// The source of a response, under URLSession's name.
    public typealias ResourceFetchType = AdaptableSessionTaskTransactionMetrics.ResourceFetchType

    /// The metrics of each request and its response, in order.
    public internal(set) var transactionMetrics: [AdaptableSessionTaskTransactionMetrics] = []
    /// The time from the creation of the task to its completion.
    public internal(set) var taskInterval = DateInterval()
    /// The number of redirects that the task followed.
    public internal(set) var redirectCount = 0
}
