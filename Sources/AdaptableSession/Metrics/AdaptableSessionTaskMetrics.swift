public import Foundation

/// What a task's exchanges took.
public struct AdaptableSessionTaskMetrics: Sendable {
    /// One for each request and its answer, in order.
    public internal(set) var transactionMetrics: [AdaptableSessionTaskTransactionMetrics] = []
    /// From the making of the task to its completion.
    public internal(set) var taskInterval = DateInterval()
    public internal(set) var redirectCount = 0
}
