import NetworkMonitor
import LabKernel

extension KernelEngine {
    /// The interface at one end of a link. Packets that leave through it are sent in this direction of the link.
    struct End {
        /// A number of packets and of layer 3 bytes.
        struct Amount {
            var packets: UInt64 = 0
            var bytes: UInt64 = 0
        }

        let index: CInt
        let netlink: NetlinkSocket
        private var before = Counters()
        private var droppedBefore: UInt64 = 0
        /// Packets that were in the discipline when counting began.
        private var waitingBefore: UInt64 = 0
        /// Drops of replaced queueing disciplines, whose counters were removed with them.
        private var droppedEarlier: UInt64 = 0

        /// Counters that were read at the same time.
        private struct Counters {
            var carried = Amount()
            /// Packets that the kernel itself sends for multicast groups and neighbours.
            var kernel: UInt64 = 0
        }

        init(_ index: CInt, _ netlink: NetlinkSocket) {
            self.index = index
            self.netlink = netlink
        }

        /// Starts counting; packets sent before are excluded.
        mutating func begin() throws(NetlinkError) {
            // Nothing of the client has been sent yet, so what waits in the discipline is the kernel's: it was counted as
            // ICMPv6 when it was made and counts as sent when it leaves. The two numbers belong together if nothing has
            // left between their readings.
            for _ in 0..<100 {
                before = try ever
                droppedBefore = try droppedEver
                waitingBefore = try netlink.egressStatistics(index).first.map { UInt64($0.backlogPackets) } ?? 0
                if try ever.carried.packets == before.carried.packets { return }
            }
        }

        mutating func apply(_ qdisc: EgressQdisc) throws(NetlinkError) {
            let before = try droppedNow
            try netlink.applyEgress(index, qdisc)
            let after = try droppedNow
            if after < before { droppedEarlier += before - after }
        }

        var carried: Amount { get throws(NetlinkError) { try since.carried } }

        /// All packets that were sent, without those of the kernel itself. The bytes of packets that a discipline drops
        /// are not counted.
        var offered: Amount {
            get throws(NetlinkError) {
                let now = try since
                var amount = now.carried
                amount.packets += try droppedEver &- droppedBefore
                amount.packets -= min(amount.packets, now.kernel + waitingBefore)
                return amount
            }
        }

        private var since: Counters {
            get throws(NetlinkError) {
                let now = try ever
                return Counters(
                    carried: Amount(
                        packets: now.carried.packets &- before.carried.packets,
                        bytes: now.carried.bytes &- before.carried.bytes),
                    kernel: now.kernel &- before.kernel)
            }
        }

        private var ever: Counters {
            get throws(NetlinkError) {
                let link = try netlink.link(index)
                let sent = link.statistics.sent
                let bytes = sent.bytes &- sent.packets &* UInt64(KernelEngine.linkHeader)
                return Counters(carried: Amount(packets: sent.packets, bytes: bytes), kernel: link.sentICMPv6)
            }
        }

        private var droppedEver: UInt64 { get throws(NetlinkError) { droppedEarlier + (try droppedNow) } }
        private var droppedNow: UInt64 {
            get throws(NetlinkError) { try netlink.egressStatistics(index).first?.dropped ?? 0 }
        }
    }
}
