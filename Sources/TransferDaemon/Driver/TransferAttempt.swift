import AdaptableSession
import Foundation
import FoundationNetworking
import TransferProtocol

/// One attempt to do a task: a task of an in-process session.
struct TransferAttempt: Sendable {
    /// Why an attempt ends before its transfer does.
    enum Stop: Sendable {
        /// The task continues later, with the part that was received.
        case pause
        /// The client cancelled the task.
        case cancel
        /// The resource timeout has passed (BKGD-20).
        case timeOut
    }

    var task: AdaptableSessionTask
    var kind: TransferTask.Kind
    var counts: TransferCounts
    /// The bytes that were transferred before this attempt.
    var before: Int64
    var response: TransferResponse?
    /// True once the client knows of the response of its data task: from then on a failure is not hidden.
    var isVisible = false
    /// The body of an upload's response, which is delivered with the end of the task.
    var body = Data()
    /// True once the complete file is at the place that the store knows.
    var hasFile = false
    var stop: Stop?
    /// True if the task may run again before this attempt has ended.
    var startsAgain = false
    var lastProgress: DispatchTime?
    /// The time of the last fsync(2) of the part.
    var lastSync = DispatchTime.now()
    var throughput = ThroughputMonitor()
    /// The bytes that `throughput` has counted.
    var measured: Int64 = 0

    init(_ task: AdaptableSessionTask, _ stored: TransferTask) {
        self.task = task
        kind = stored.kind
        counts = stored.counts
        before = kind == .upload ? 0 : stored.counts.received
    }

    var hasProgress: Bool { (kind == .upload ? counts.sent : counts.received) > before }
}

/// A question that a task waits for.
enum TransferQuestion: Sendable {
    case response(@Sendable (AdaptableSession.ResponseDisposition) -> Void)
    case challenge(
        TransferChallenge, AdaptableServerTrust?,
        @Sendable (AdaptableSession.AuthChallengeDisposition, URLCredential?) -> Void)
    case delayedRequest(TransferRequest)
}
