/// The reason why a packet never arrives.
package enum DropReason: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    /// The link is down, or went down while the packet was on it.
    case down
    /// Inside an outage of an `LinkEffect.Outages`.
    case outage
    case loss
    /// The queue had no room for the packet itself or, with head drop, for a later one.
    case queueFull
    /// CoDel dropped it because packets waited too long.
    case codel
    /// Longer than the link's MTU; the sender is to be notified.
    case tooBig
    /// Longer than the link's MTU; the sender is not notified.
    case swallowedTooBig
    /// Longer than the slots the direction was created with: an error of the caller, counted apart from the link's
    /// drops.
    case longerThanSlot
    /// Dropped before the link, by a packet filter or the cut of its connection.
    case filtered
}

/// The fate of an offered packet, as far as it is known at that time.
package struct PacketFate: Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
        case delivered(releaseAt: LinkTime)
        /// It waits for a transmitter that may still drop it; `release` reports the final outcome.
        case queued
        case dropped(DropReason)
    }
    /// Index of the packet in its direction, counted from 1; probes have an index of their own.
    package var index: UInt64
    /// The jitter added to the link's delay, in nanoseconds; the sum is at least zero.
    package var delayOffset: Int64 = 0
    package var outcome: Outcome
    package var isProbe: Bool
    /// True if it may be released before an earlier packet.
    package var mayOvertake = false
    /// True if a second copy is on the link as well.
    package var duplicated = false
    /// The bit that was flipped, counted from the most significant bit of the first byte.
    package var corruptedBit: Int?
    /// True if the packet skipped the delay.
    package var reordered = false

    package init(index: UInt64, isProbe: Bool, outcome: Outcome) {
        self.index = index
        self.outcome = outcome
        self.isProbe = isProbe
    }

    package var corrupted: Bool { corruptedBit != nil }
}

/// The metadata of a packet that leaves the link.
package struct ReleaseInfo: Hashable, Sendable {
    package var index: UInt64
    package var isProbe: Bool
    /// True for the second copy of a duplicated packet.
    package var isDuplicate: Bool
    /// The work left before a wire could carry the packet.
    package var offload: GSOMetadata
    package var arrival: LinkTime
    package var planned: LinkTime
    package var released: LinkTime
    /// The time from the planned to the actual release, in nanoseconds.
    package var lateness: Int64 { released - planned }
}

/// A packet with fate `.queued` that the queue dropped later.
package struct LateDrop: Hashable, Sendable {
    package var index: UInt64
    package var isProbe: Bool
    /// True if only the second copy was dropped; the first one is not affected.
    package var isDuplicate: Bool
    package var reason: DropReason
    package var arrival: LinkTime
    package var dropped: LinkTime

    /// Its line in the decision log, after the line of its offer.
    package var decision: PacketDecision { PacketDecision(index: index, drop: reason) }
}
