/// The rule that selects the packets dropped from the queue in front of a transmitter.
package enum QueueDiscipline: Hashable, Sendable {
    /// Drops the arriving packet at a full queue.
    case dropTail
    /// Drops the packets that have waited longest, until there is room for the arriving one.
    case headDrop
    /// Drops departing packets after the minimum delay of a whole interval exceeded the target (RFC 8289). A packet
    /// that arrives at a full queue is dropped as well.
    case codel(targetNanoseconds: Int64, intervalNanoseconds: Int64)

    /// The default target and interval of RFC 8289 §4.4.
    package static let codel = QueueDiscipline.codel(targetNanoseconds: 5_000_000, intervalNanoseconds: 100_000_000)
}
