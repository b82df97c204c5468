/// How what arrives is handed to callbacks.
package struct DeliveryPolicy: Hashable, Sendable {
    /// Bytes that may wait for a task's callbacks, or for the disk, before its connection is not read any more.
    package var backlog = 512 * 1024

    /// The body of a redirect or a challenge is read to its end up to this length, so that its connection can be used again.
    package var drained = 64 * 1024

    /// Only `cancel(byProducingResumeData:)` makes resume data of a cancelled download.
    package var plainCancelLeavesResumeData = false

    /// Completion handlers run on the delegate queue (CONV-09).
    package var handlersOnQueue = true

    package init() {}
}
