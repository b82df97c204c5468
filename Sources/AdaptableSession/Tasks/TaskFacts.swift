import Foundation
import FoundationNetworking

/// The properties of a task that any thread can read. The event loop writes them, except for the state, which each call
/// of the application changes immediately (TASK-02).
struct TaskFacts: Sendable {
    var state = AdaptableSessionTask.State.suspended
    var originalRequest: URLRequest?
    var currentRequest: URLRequest?
    var response: URLResponse?
    var error: (any Error)?
    var received: Int64 = 0
    var sent: Int64 = 0
    var expectedToReceive = AdaptableSession.transferSizeUnknown
    var expectedToSend: Int64 = 0
    var earliestBeginDate: Date?
    var clientExpectsToSend = AdaptableSession.transferSizeUnknown
    var clientExpectsToReceive = AdaptableSession.transferSizeUnknown
    var priority: Float = 0.5
    var description: String?
    var avoidsCostlyPaths = false
    var delegate: (any AdaptableSessionTaskDelegate)?
    /// The download that a data task became, until the delegate has received it: the state is the download's.
    var successor: AdaptableSessionDownloadTask?
}
