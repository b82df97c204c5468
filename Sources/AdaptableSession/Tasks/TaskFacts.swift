import Foundation
import FoundationNetworking

/// What a task shows of itself to any thread. Written by the session's event loop, except for the state, which follows the caller's
/// word at once (TASK-02).
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
    var priority: Float = 0.5
    var description: String?
    var delegate: (any AdaptableSessionTaskDelegate)?
}
