/// How what arrives is handed to callbacks.
package struct DeliveryPolicy: Hashable, Sendable {
    /// Bytes that may wait for a task's callbacks, or for the disk, before its connection is not read any more.
    package var backlog = 512 * 1024

    /// The body of a redirect or a challenge is read to its end up to this length, so that its connection can be used again.
    package var drained = 64 * 1024
    /// And for so many nanoseconds.
    package var drainedFor: Int64 = 1_000_000_000

    /// Only `cancel(byProducingResumeData:)` makes resume data of a cancelled download.
    package var plainCancelLeavesResumeData = false

    /// Callbacks run on the queue that the session was given (DLGT-01).
    package var usesCallerQueue = true

    /// nil: so many callbacks at a time as that queue is wide (DLGT-15, DLGT-18).
    package var queueWidth: Int?

    /// The callbacks of one task run one after another, whatever the queue's width (DLGT-17).
    package var keepsTaskOrder = true

    /// A load whose callbacks held it up goes on when they have returned (DLGT-13).
    package var continuesAfterBlock = true
    /// Completion handlers run on the delegate queue (CONV-09).
    package var handlersOnQueue = true

    package init() {}
}
