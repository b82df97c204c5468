import CNetlink

/// A rate limit with a queue of bytes behind it (`tbf`).
package struct TokenBucketQdisc: Equatable, Sendable {
    /// Bytes per second; the link-layer header counts but for `uncountedHeader`.
    package var bytesPerSecond: UInt64
    /// How many bytes may leave at once after a pause. At least one packet: a packet larger than this is split or dropped.
    package var burstBytes: UInt32
    /// What is dropped from the queue.
    package enum Discipline: Equatable, Sendable {
        /// What comes last.
        case dropTail
        /// What has waited longest (`pfifo_head_drop`); counts packets.
        case headDrop
        /// What leaves after too long a wait (`codel`); nanoseconds, of which the kernel takes whole microseconds. Counts packets.
        case codel(target: Int64, interval: Int64)
    }

    /// How many bytes wait before packets are dropped.
    package var queueBytes: UInt32
    /// How many packets wait, in place of `queueBytes`.
    package var queuePackets: UInt32?
    package var discipline: Discipline
    /// Bytes of link-layer header, 14 on Ethernet, that neither rate nor queue count.
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

    /// The kernel's size table, empty but for what it adds to the length of each packet (`tc stab overhead -14`). Left out, it
    /// takes an earlier one away.
    func putSizeTable(into request: inout NetlinkRequest) {
        guard uncountedHeader != 0 else { return }
        request.nest(Int(TCA_STAB)) { table in
            // struct tc_sizespec: cell_log, size_log, cell_align, overhead, link layer, mpu, mtu, table size
            let shape: [UInt8] = [0, 0] + UInt16(0).hostBytes
            table.put(Int(TCA_STAB_BASE), bytes: shape + (-uncountedHeader).hostBytes + [UInt8](repeating: 0, count: 16))
        }
    }

    func putOptions(into request: inout NetlinkRequest) {
        request.nest(Int(TCA_OPTIONS)) { options in
            // struct tc_tbf_qopt: two tc_ratespec, limit, buffer, mtu. The kernel computes its own tables when the link layer is
            // named (1 = Ethernet), and takes the burst in bytes from TCA_TBF_BURST.
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
        [0, 1 /* TC_LINKLAYER_ETHERNET */] + UInt16(0).hostBytes + UInt16(0).hostBytes + UInt16(0).hostBytes + rate.hostBytes
    }
}
