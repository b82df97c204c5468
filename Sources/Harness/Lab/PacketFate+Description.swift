import LinkEmulator
import Scenario

extension PacketFate {
    /// A description of a packet's fate; nil for one that passed unchanged.
    var description: String? {
        var parts: [String] = []
        switch outcome {
        case .delivered, .queued: break
        case .dropped(let reason): parts.append("dropped: \(reason.description)")
        }
        if duplicated { parts.append("duplicated") }
        if let bit = corruptedBit { parts.append("bit \(bit) flipped") }
        if reordered { parts.append("overtakes") }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

extension LateDrop {
    /// A description of a packet that was dropped after it had entered the queue.
    var description: String { isDuplicate ? "copy dropped: \(reason.description)" : "dropped: \(reason.description)" }
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
struct Milliseconds: CustomStringConvertible {
    private let nanoseconds: Int64
    init(_ nanoseconds: Int64) { self.nanoseconds = nanoseconds }
    var description: String { "\(Double(nanoseconds / 1000) / 1000) ms" }
}
