/// The counters of one direction since its creation. Probes are included only in the lateness.
package struct LinkCounters: Hashable, Sendable {
    package var offered: UInt64 = 0
    package var bytesIn: UInt64 = 0
    /// Packets that left the link, including second copies of duplicated ones.
    package var delivered: UInt64 = 0
    package var bytesOut: UInt64 = 0
    package var duplicated: UInt64 = 0
    package var corrupted: UInt64 = 0
    package var reordered: UInt64 = 0
    package var droppedDown: UInt64 = 0
    package var droppedOutage: UInt64 = 0
    package var droppedLoss: UInt64 = 0
    package var droppedQueueFull: UInt64 = 0
    package var droppedCodel: UInt64 = 0
    package var droppedTooBig: UInt64 = 0
    package var droppedSwallowedTooBig: UInt64 = 0
    package var droppedLongerThanSlot: UInt64 = 0
    package var droppedFiltered: UInt64 = 0
    /// Releases that exceeded their planned time by more than the direction's tolerance.
    package var late: UInt64 = 0
    package var maximumLateness: Int64 = 0

    package init() {}

    package var dropped: UInt64 {
        droppedDown + droppedOutage + droppedLoss + droppedQueueFull + droppedCodel + droppedTooBig
            + droppedSwallowedTooBig
            + droppedLongerThanSlot + droppedFiltered
    }

    package func dropped(_ reason: DropReason) -> UInt64 {
        switch reason {
        case .down: droppedDown
        case .outage: droppedOutage
        case .loss: droppedLoss
        case .queueFull: droppedQueueFull
        case .codel: droppedCodel
        case .tooBig: droppedTooBig
        case .swallowedTooBig: droppedSwallowedTooBig
        case .longerThanSlot: droppedLongerThanSlot
        case .filtered: droppedFiltered
        }
    }

    mutating func countDrop(_ reason: DropReason, _ count: UInt64 = 1) {
        switch reason {
        case .down: droppedDown += count
        case .outage: droppedOutage += count
        case .loss: droppedLoss += count
        case .queueFull: droppedQueueFull += count
        case .codel: droppedCodel += count
        case .tooBig: droppedTooBig += count
        case .swallowedTooBig: droppedSwallowedTooBig += count
        case .longerThanSlot: droppedLongerThanSlot += count
        case .filtered: droppedFiltered += count
        }
    }
}
