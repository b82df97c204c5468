/// The rules for delivering received data to callbacks.
package struct DeliveryPolicy: Hashable, Sendable {
    /// The number of bytes that may wait for a task's callbacks, or for the disk, before reading from its connection
    /// pauses.
    package var backlog = 512 * 1024

    /// The body of a redirect or a challenge is read to its end up to this number of bytes, so that its connection can
    /// be reused.
    package var drained = 64 * 1024
    /// The time limit for reading such a body, in nanoseconds.
    package var drainedFor: Int64 = 1_000_000_000

    /// False: only `cancel(byProducingResumeData:)` creates resume data for a cancelled download.
    package var plainCancelLeavesResumeData = false

    /// Callbacks run on the queue that the program gave the session (DLGT-01).
    package var usesCallerQueue = true

    /// The number of callbacks that may run at the same time; nil means as many as the queue allows (DLGT-15, DLGT-18).
    package var queueWidth: Int?

    /// The callbacks of one task run one after another, regardless of the queue's width (DLGT-17).
    package var keepsTaskOrder = true

    /// A load that paused because its callbacks were blocked continues after they return (DLGT-13).
    package var continuesAfterBlock = true
    /// Completion handlers run on the delegate queue (CONV-09).
    package var handlersOnQueue = true

    package init() {}
}
