import LinkEmulator
import Record

extension PacketFate {
    /// The packet's fate as the record has it.
    var recorded: NetworkFact.Fate {
        var parts: [String] = []
        if duplicated { parts.append("duplicated") }
        if let bit = corruptedBit { parts.append("bit \(bit) flipped") }
        if reordered { parts.append("overtakes") }
        switch outcome {
        case .delivered, .queued: return parts.isEmpty ? .passes : .changed(parts.joined(separator: ", "))
        case .dropped(let reason): return .dropped(([reason.description] + parts).joined(separator: ", "))
        }
    }
}

extension LateDrop {
    /// The fate of a packet that was dropped after it had entered the queue.
    var recorded: NetworkFact.Fate {
        isDuplicate ? .changed("copy dropped: \(reason.description)") : .dropped(reason.description)
    }
}

extension DropReason {
    fileprivate var description: String {
        switch self {
        case .down: "link down"
        case .outage: "drop-out"
        case .loss: "loss"
        case .queueFull: "queue full"
        case .codel: "waited too long (CoDel)"
        case .tooBig: "larger than the MTU"
        case .swallowedTooBig: "larger than the MTU, unannounced"
        case .longerThanSlot: "larger than the emulator takes"
        case .filtered: "filtered"
        }
    }
}

extension NetworkFact.Measurement {
    init(traffic measured: LinkMeasurement) {
        var words = ["\(measured.packets) packets", "\(measured.lost) lost"]
        if let delay = measured.delay {
            words.append("delay \(Milliseconds(delay.p50)) (p99 \(Milliseconds(delay.p99)))")
        }
        if let rate = measured.busyBitsPerSecond { words.append("\(Int(rate / 1000)) kbit/s while busy") }
        if let lateness = measured.lateness { words.append("released late by p99 \(Milliseconds(lateness.p99))") }
        self.init(
            means: .traffic, packets: Int(measured.packets), lost: Int(measured.lost),
            delayMinimum: measured.delay?.minimum,
            delayMedian: measured.delay?.p50, delayMaximum: measured.delay?.maximum,
            bitsPerSecond: measured.busyBitsPerSecond.map { UInt64($0) }, lateness: measured.lateness?.p99,
            text: words.joined(separator: ", "))
    }
}

/// Formats nanoseconds as milliseconds with up to three decimals.
package struct Milliseconds: CustomStringConvertible {
    private let nanoseconds: Int64
    package init(_ nanoseconds: Int64) { self.nanoseconds = nanoseconds }
    package var description: String { "\(Double(nanoseconds / 1000) / 1000) ms" }
}
