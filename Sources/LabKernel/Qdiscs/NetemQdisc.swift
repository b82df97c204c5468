import CNetlink
import NetworkMonitor

/// Delay, loss, duplication, corruption and reordering of one direction (`netem`).
///
/// Every attribute is sent each time, including zeros, because `replace` keeps every omitted value. That also applies
/// to the distribution of the delay: a uniform one is sent as a table, because an absent table means the previous one.
package struct NetemQdisc: Equatable, Sendable {
    package enum Loss: Equatable, Sendable {
        case none
        /// Each packet independently, with this probability.
        case independent(Double)
        /// Two states: `toBad` and `toGood` are the probabilities per packet of a transition, the others the loss
        /// within each state.
        case gilbertElliott(toBad: Double, toGood: Double, lossInBad: Double, lossInGood: Double)
        /// Received in a gap (1), received within a burst (2), lost within a burst (3), isolated loss (4): the
        /// probabilities per packet of a transition from one to another.
        case fourState(p13: Double, p31: Double, p32: Double, p23: Double, p14: Double)
    }

    /// Packets leave in batches: none for `minimumGap...maximumGap` nanoseconds, then up to the limits at once.
    package struct Slots: Equatable, Sendable {
        package var minimumGap: Int64
        package var maximumGap: Int64
        package var packets: Int32
        package var bytes: Int32

        package init(minimumGap: Int64, maximumGap: Int64, packets: Int32 = 0, bytes: Int32 = 0) {
            self.minimumGap = minimumGap
            self.maximumGap = maximumGap
            self.packets = packets
            self.bytes = bytes
        }
    }

    /// The number of packets in transit above which packets are dropped.
    package var limit: UInt32 = 1_000
    /// The one-way delay in nanoseconds.
    package var delay: Int64 = 0
    /// The jitter in nanoseconds: the half-width of `uniform`, the standard deviation of the others.
    package var jitter: Int64 = 0
    package var distribution: DelayDistribution = .uniform
    package var loss: Loss = .none
    /// Marks packets that allow it instead of dropping them (RFC 3168).
    package var marksECN = false
    package var duplicate: Double = 0
    package var corrupt: Double = 0
    /// The share of packets sent without delay, from each `reorderGap`-th packet on.
    package var reorder: Double = 0
    package var reorderGap: UInt32 = 1
    /// The rate in bytes per second; 0 means no limit.
    package var bytesPerSecond: UInt64 = 0
    package var slots: Slots?
    /// The seed of the random losses. Requires Linux 6.6.
    package var seed: UInt64?

    package init() {}

    static let kind = "netem"
    /// The headers of older distributions end at TCA_NETEM_SLOT_DIST (13); this number has been part of the kernel's
    /// ABI since 6.6.
    static let seedAttribute = 14

    func validate() throws(NetlinkError) {
        if reorder > 0, delay == 0 {
            throw .unsupported("netem can reorder only packets that it delays: add a delay or remove the reordering")
        }
        if delay < 0 || jitter < 0 { throw .unsupported("netem does not support a negative delay or jitter") }
        if bytesPerSecond > 0, bytesPerSecond < 8 {
            throw .unsupported("netem's slowest rate is 8 bytes per second")
        }
    }

    /// Converts 0...1 to netem's 0...2^32-1.
    static func fraction(_ probability: Double) -> UInt32 {
        guard probability > 0 else { return 0 }
        return probability >= 1 ? .max : UInt32((probability * Double(UInt32.max)).rounded())
    }

    func putOptions(into request: inout NetlinkRequest) {
        request.nest(Int(TCA_OPTIONS)) { options in
            var independent: UInt32 = 0
            if case .independent(let probability) = loss { independent = Self.fraction(probability) }
            // struct tc_netem_qopt: latency and jitter (superseded below), limit, loss, gap, duplicate
            let gap = reorder > 0 ? max(reorderGap, 1) : 0
            options.append(
                UInt32(0).hostBytes + limit.hostBytes + independent.hostBytes + gap.hostBytes
                    + Self.fraction(duplicate).hostBytes + UInt32(0).hostBytes)
            // No correlations: the kernel's are known not to preserve the requested probability.
            options.put(Int(TCA_NETEM_CORR), bytes: [UInt8](repeating: 0, count: 12))
            options.put(Int(TCA_NETEM_DELAY_DIST), bytes: distribution.table().flatMap(\.hostBytes))
            options.put(Int(TCA_NETEM_REORDER), bytes: Self.fraction(reorder).hostBytes + UInt32(0).hostBytes)
            options.put(Int(TCA_NETEM_CORRUPT), bytes: Self.fraction(corrupt).hostBytes + UInt32(0).hostBytes)
            options.put(Int(TCA_NETEM_ECN), UInt32(marksECN ? 1 : 0))
            options.put(Int(TCA_NETEM_LATENCY64), delay)
            options.put(Int(TCA_NETEM_JITTER64), jitter)
            // struct tc_netem_rate: rate, packet overhead, cell size, cell overhead
            options.put(
                Int(TCA_NETEM_RATE),
                bytes: UInt32(clamping: bytesPerSecond).hostBytes + [UInt8](repeating: 0, count: 12))
            if bytesPerSecond > UInt64(UInt32.max) { options.put(Int(TCA_NETEM_RATE64), bytesPerSecond) }
            putLossModel(into: &options)
            // struct tc_netem_slot: min and max delay, max packets and bytes, distribution delay and jitter
            let slot = slots ?? Slots(minimumGap: 0, maximumGap: 0)
            options.put(
                Int(TCA_NETEM_SLOT),
                bytes: slot.minimumGap.hostBytes + slot.maximumGap.hostBytes + slot.packets.hostBytes
                    + slot.bytes.hostBytes
                    + Int64(0).hostBytes + Int64(0).hostBytes)
            if let seed { options.put(Self.seedAttribute, seed) }
        }
    }

    private func putLossModel(into options: inout NetlinkRequest) {
        switch loss {
        case .none, .independent: break
        case .gilbertElliott(let toBad, let toGood, let lossInBad, let lossInGood):
            options.nest(Int(TCA_NETEM_LOSS)) { model in
                // struct tc_netem_gemodel: p, r, h (the share delivered in the bad state), k1 (loss in the good state)
                let words = [toBad, toGood, 1 - lossInBad, lossInGood].map(Self.fraction)
                model.put(Int(NETEM_LOSS_GE), bytes: words.flatMap(\.hostBytes))
            }
        case .fourState(let p13, let p31, let p32, let p23, let p14):
            options.nest(Int(TCA_NETEM_LOSS)) { model in
                // struct tc_netem_gimodel: p13, p31, p32, p14, p23. The kernel adds the transition probabilities of a
                // state in 32 bits, and a sum that wraps would mean no transition at all.
                let single = Self.fraction(p14)
                let back = Self.fraction(p32)
                let words = [
                    min(Self.fraction(p13), .max - single), min(Self.fraction(p31), .max - back), back, single,
                    Self.fraction(p23),
                ]
                model.put(Int(NETEM_LOSS_GI), bytes: words.flatMap(\.hostBytes))
            }
        }
    }
}
