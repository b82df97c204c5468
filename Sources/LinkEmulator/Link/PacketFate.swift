/// Why a packet never arrives.
package enum DropReason: UInt8, Hashable, Sendable, CaseIterable {
    /// The link is down, or went down while the packet was on it.
    case down
    /// Inside an outage of an `OutagePattern`.
    case outage
    case loss
    case queueFull
    /// Longer than the link's MTU.
    case tooBig
    /// Longer than the slots the direction was made with: the caller's mistake, counted apart from the link's doing.
    case longerThanSlot
}

/// What becomes of one offered packet; decided at once, when it is offered.
package struct PacketFate: Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
        case delivered(releaseAt: LinkTime)
        case dropped(DropReason)
    }
    /// Place of the packet in its direction, counted from 0; probes count in a space of their own.
    package var index: UInt64
    package var isProbe: Bool
    package var outcome: Outcome
    /// A second copy is on the link as well.
    package var duplicated = false
    /// The bit that was flipped, counted from the most significant bit of the first byte.
    package var corruptedBit: Int?
    /// The packet skipped the delay.
    package var reordered = false

    package var corrupted: Bool { corruptedBit != nil }
    package var isDropped: Bool {
        switch outcome {
        case .delivered: false
        case .dropped: true
        }
    }
}

/// One line of the decision log: enough to compare two runs, and to replay the losses of one.
package struct PacketDecision: Hashable, Sendable {
    package var time: LinkTime
    package var length: Int
    package var fate: PacketFate

    package init(time: LinkTime, length: Int, fate: PacketFate) {
        self.time = time
        self.length = length
        self.fate = fate
    }
}

extension LossModel {
    /// Loses the packets that were lost on the link in `decisions`, whatever made it lose them there.
    package static func replaying(_ decisions: [PacketDecision]) -> LossModel {
        var lost: Set<UInt64> = []
        for decision in decisions where decision.fate.isDropped && !decision.fate.isProbe { lost.insert(decision.fate.index) }
        return .packets(lost)
    }
}

/// What accompanies a packet that leaves the link.
package struct ReleaseInfo: Hashable, Sendable {
    package var index: UInt64
    package var isProbe: Bool
    /// This is the second copy of a duplicated packet.
    package var isDuplicate: Bool
    package var arrival: LinkTime
    package var planned: LinkTime
    package var released: LinkTime
    /// How long after its planned moment the packet was let go, in nanoseconds.
    package var lateness: Int64 { released - planned }
}
