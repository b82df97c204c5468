import CNetlink
import NetworkMonitor

/// A rate limit with a queue in front, counted in bytes (`tbf`).
package struct TokenBucketQdisc: Equatable, Sendable {
    /// The rate in bytes per second; the link-layer header counts except for `uncountedHeader`.
    package var bytesPerSecond: UInt64
    /// The number of bytes that may leave at once after a pause. At least one packet: a larger packet is split or
    /// dropped.
    package var burstBytes: UInt32
    /// The rule that selects the packets dropped from the queue.
    package enum Discipline: Equatable, Sendable {
        /// Drops the newest packet.
        case dropTail
        /// Drops the packet that has waited longest (`pfifo_head_drop`); counts packets.
        case headDrop
        /// Drops departing packets after too long a wait (`codel`); nanoseconds, which the kernel reduces to whole
        /// microseconds. Counts packets.
        case codel(target: Int64, interval: Int64)
    }

    /// The number of bytes that wait before packets are dropped.
    package var queueBytes: UInt32
    /// The number of packets that wait, instead of `queueBytes`.
    package var queuePackets: UInt32?
    package var discipline: Discipline
    /// Bytes of link-layer header, 14 on Ethernet, that count neither for the rate nor for the queue.
    package var uncountedHeader: Int32

    package init(
        bytesPerSecond: UInt64, burstBytes: UInt32, queueBytes: UInt32, queuePackets: UInt32? = nil,
        discipline: Discipline = .dropTail, uncountedHeader: Int32 = 0
    ) {
        self.bytesPerSecond = bytesPerSecond
        self.burstBytes = burstBytes
        self.queueBytes = queueBytes
        self.queuePackets = queuePackets
        self.discipline = discipline
        self.uncountedHeader = uncountedHeader
    }

    static let kind = "tbf"

    /// Adds the kernel's size table, which is empty except for the overhead added to the length of each packet (`tc
    /// stab overhead -14`). Omitting it removes an earlier one.
    func putSizeTable(into request: inout NetlinkRequest) {
        guard uncountedHeader != 0 else { return }
        request.nest(Int(TCA_STAB)) { table in
            // struct tc_sizespec: cell_log, size_log, cell_align, overhead, link layer, mpu, mtu, table size
            let shape: [UInt8] = [0, 0] + UInt16(0).hostBytes
            table.put(
                Int(TCA_STAB_BASE), bytes: shape + (-uncountedHeader).hostBytes + [UInt8](repeating: 0, count: 16))
        }
    }

    func putOptions(into request: inout NetlinkRequest) {
        request.nest(Int(TCA_OPTIONS)) { options in
            // struct tc_tbf_qopt: two tc_ratespec, limit, buffer, mtu. The kernel computes its own tables if the link
            // layer is given (1 = Ethernet), and reads the burst in bytes from TCA_TBF_BURST.
            let rate = UInt32(clamping: bytesPerSecond)
            let parameters =
                Self.rateSpecification(rate) + Self.rateSpecification(0) + queueBytes.hostBytes
                + UInt32(0).hostBytes + UInt32(0).hostBytes
            options.put(Int(TCA_TBF_PARMS), bytes: parameters)
            options.put(Int(TCA_TBF_BURST), burstBytes)
            if bytesPerSecond > UInt64(UInt32.max) { options.put(Int(TCA_TBF_RATE64), bytesPerSecond) }
        }
    }

    /// `struct tc_ratespec`
    private static func rateSpecification(_ rate: UInt32) -> [UInt8] {
        [0, 1 /* TC_LINKLAYER_ETHERNET */] + UInt16(0).hostBytes + UInt16(0).hostBytes + UInt16(0).hostBytes
            + rate.hostBytes
    }
}
