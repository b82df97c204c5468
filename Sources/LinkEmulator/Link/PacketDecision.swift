/// All decisions about one packet of a direction: one line of the decision log, sufficient to replay it.
package struct PacketDecision: Hashable, Sendable {
    package var index: UInt64
    package var drop: DropReason?
    package var delayOffset: Int64
    package var mayOvertake: Bool
    package var reordered: Bool
    package var duplicated: Bool
    package var corruptedBit: Int?

    package init(
        index: UInt64, drop: DropReason? = nil, delayOffset: Int64 = 0, mayOvertake: Bool = false,
        reordered: Bool = false,
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

    /// Creates the decision made when the packet was offered. A `LateDrop` replaces it.
    package init(_ fate: PacketFate) {
        switch fate.outcome {
        case .dropped(let reason): self.init(index: fate.index, drop: reason)
        case .delivered, .queued:
            self.init(
                index: fate.index, delayOffset: fate.delayOffset, mayOvertake: fate.mayOvertake,
                reordered: fate.reordered,
                duplicated: fate.duplicated, corruptedBit: fate.corruptedBit)
        }
    }

    /// True if the packet was delivered unchanged; a log may omit it.
    package var isPlain: Bool { self == PacketDecision(index: index) }
}

extension LinkEffect.Loss {
    /// Returns a model that loses the packets that were lost on the link in `decisions`, for whatever reason.
    package static func replaying(_ decisions: [PacketDecision]) -> LinkEffect.Loss {
        var lost: Set<UInt64> = []
        for decision in decisions where decision.drop != nil { lost.insert(decision.index) }
        return .packets(lost)
    }
}
