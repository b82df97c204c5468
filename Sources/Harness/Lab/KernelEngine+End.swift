import LinuxNet

extension KernelEngine {
    /// The interface at one end of a link: what leaves through it takes the link in this direction.
    struct End {
        /// Packets, and bytes of layer 3.
        struct Amount {
            var packets: UInt64 = 0
            var bytes: UInt64 = 0
        }

        let index: CInt
        let netlink: NetlinkSocket
        private var carriedBefore = Amount()
        private var droppedBefore: UInt64 = 0
        private var kernelBefore: UInt64 = 0
        /// What disciplines had dropped that were replaced, and took their counters with them.
        private var droppedEarlier: UInt64 = 0

        init(_ index: CInt, _ netlink: NetlinkSocket) {
            self.index = index
            self.netlink = netlink
        }

        /// What was sent so far is left out of the counts.
        mutating func begin() throws(NetlinkError) {
            carriedBefore = try carriedEver
            droppedBefore = try droppedEver
            kernelBefore = try netlink.link(index).sentICMPv6
        }

        mutating func apply(_ qdisc: EgressQdisc) throws(NetlinkError) {
            let before = try droppedNow
            try netlink.applyEgress(index, qdisc)
            let after = try droppedNow
            if after < before { droppedEarlier += before - after }
        }

        var carried: Amount {
            get throws(NetlinkError) {
                let now = try carriedEver
                return Amount(packets: now.packets &- carriedBefore.packets, bytes: now.bytes &- carriedBefore.bytes)
            }
        }

        /// Everything that somebody sent, without what the kernel itself says of groups and neighbours. Bytes of what a discipline drops are not
        /// counted.
        var offered: Amount {
            get throws(NetlinkError) {
                var amount = try carried
                let kernel = try netlink.link(index).sentICMPv6 &- kernelBefore
                amount.packets += try droppedEver &- droppedBefore
                amount.packets -= min(amount.packets, kernel)
                return amount
            }
        }

        private var carriedEver: Amount {
            get throws(NetlinkError) {
                let sent = try netlink.link(index).statistics.sent
                return Amount(packets: sent.packets, bytes: sent.bytes &- sent.packets &* UInt64(KernelEngine.linkHeader))
            }
        }

        private var droppedEver: UInt64 { get throws(NetlinkError) { droppedEarlier + (try droppedNow) } }
        private var droppedNow: UInt64 { get throws(NetlinkError) { try netlink.egressStatistics(index).first?.dropped ?? 0 } }
    }
}
