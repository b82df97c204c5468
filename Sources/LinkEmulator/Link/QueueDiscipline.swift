/// What a queue in front of a transmitter drops.
package enum QueueDiscipline: Hashable, Sendable {
    /// The packet that comes when there is no room.
    case dropTail
    /// The packets that have waited longest, until there is room for the one that comes.
    case headDrop
    /// Packets that leave after the shortest wait of a whole interval exceeded the target (RFC 8289). What comes when there
    /// is no room is dropped as well.
    case codel(targetNanoseconds: Int64, intervalNanoseconds: Int64)

    /// RFC 8289 §4.4.
    package static let codel = QueueDiscipline.codel(targetNanoseconds: 5_000_000, intervalNanoseconds: 100_000_000)
}
