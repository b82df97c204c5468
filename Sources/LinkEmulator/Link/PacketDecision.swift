/// Everything that was decided about one packet of a direction: one line of the decision log, enough to do it again.
package struct PacketDecision: Hashable, Sendable {
    package var index: UInt64
    package var drop: DropReason?
    package var delayOffset: Int64
    package var mayOvertake: Bool
    package var reordered: Bool
    package var duplicated: Bool
    package var corruptedBit: Int?

    package init(
        index: UInt64, drop: DropReason? = nil, delayOffset: Int64 = 0, mayOvertake: Bool = false, reordered: Bool = false,
        duplicated: Bool = false, corruptedBit: Int? = nil
    ) {
        self.index = index
        self.drop = drop
        self.delayOffset = delayOffset
        self.mayOvertake = mayOvertake
        self.reordered = reordered
        self.duplicated = duplicated
        self.corruptedBit = corruptedBit
    }

    /// What was decided when the packet was offered. A `LateDrop` takes the place of it.
    package init(_ fate: PacketFate) {
        switch fate.outcome {
        case .dropped(let reason): self.init(index: fate.index, drop: reason)
        case .delivered, .queued:
            self.init(
                index: fate.index, delayOffset: fate.delayOffset, mayOvertake: fate.mayOvertake, reordered: fate.reordered,
                duplicated: fate.duplicated, corruptedBit: fate.corruptedBit)
        }
    }

    /// Nothing befell the packet; a log may leave it out.
    package var isPlain: Bool { self == PacketDecision(index: index) }
}

extension LossModel {
    /// Loses the packets that were lost on the link in `decisions`, whatever made it lose them there.
    package static func replaying(_ decisions: [PacketDecision]) -> LossModel {
        var lost: Set<UInt64> = []
        for decision in decisions where decision.drop != nil { lost.insert(decision.index) }
        return .packets(lost)
    }
}
