/// Why a packet never arrives.
package enum DropReason: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    /// The link is down, or went down while the packet was on it.
    case down
    /// Inside an outage of an `OutagePattern`.
    case outage
    case loss
    /// There was no room in the queue: for the packet itself, or, where the head is dropped, for one that came later.
    case queueFull
    /// CoDel dropped it because packets wait too long.
    case codel
    /// Longer than the link's MTU; the sender is to be told.
    case tooBig
    /// Longer than the link's MTU, and nobody is told.
    case swallowedTooBig
    /// Longer than the slots the direction was made with: the caller's mistake, counted apart from the link's doing.
    case longerThanSlot
    /// Never came to the link: a packet filter, or the cut of its connection, took it.
    case filtered
}

/// What becomes of one offered packet, as far as it is known when it is offered.
package struct PacketFate: Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
        case delivered(releaseAt: LinkTime)
        /// It waits for a transmitter that may still drop it; `release` tells what became of it.
        case queued
        case dropped(DropReason)
    }
    /// Place of the packet in its direction, counted from 0; probes count in a space of their own.
    package var index: UInt64
    /// What jitter adds to the link's delay, in nanoseconds; the sum never goes below zero.
    package var delayOffset: Int64 = 0
    package var outcome: Outcome
    package var isProbe: Bool
    /// It may be released before an earlier packet.
    package var mayOvertake = false
    /// A second copy is on the link as well.
    package var duplicated = false
    /// The bit that was flipped, counted from the most significant bit of the first byte.
    package var corruptedBit: Int?
    /// The packet skipped the delay.
    package var reordered = false

    package init(index: UInt64, isProbe: Bool, outcome: Outcome) {
        self.index = index
        self.outcome = outcome
        self.isProbe = isProbe
    }

    package var corrupted: Bool { corruptedBit != nil }
    package var isDropped: Bool {
        switch outcome {
        case .delivered, .queued: false
        case .dropped: true
        }
    }
}

/// What accompanies a packet that leaves the link.
package struct ReleaseInfo: Hashable, Sendable {
    package var index: UInt64
    package var isProbe: Bool
    /// This is the second copy of a duplicated packet.
    package var isDuplicate: Bool
    /// What is left to do before a wire could carry it.
    package var offload: PacketOffload
    package var arrival: LinkTime
    package var planned: LinkTime
    package var released: LinkTime
    /// How long after its planned moment the packet was let go, in nanoseconds.
    package var lateness: Int64 { released - planned }
}

/// A packet whose fate was `.queued`, and that the queue dropped after all.
package struct LateDrop: Hashable, Sendable {
    package var index: UInt64
    package var isProbe: Bool
    /// Only the second copy was dropped; the first one goes its own way.
    package var isDuplicate: Bool
    package var reason: DropReason
    package var arrival: LinkTime
    package var dropped: LinkTime

    /// Its line in the decision log, after the one of its offer.
    package var decision: PacketDecision { PacketDecision(index: index, drop: reason) }
}
