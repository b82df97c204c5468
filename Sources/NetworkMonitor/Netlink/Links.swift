import CNetlink
import Glibc

/// An interface as the kernel describes it.
package struct Link: Equatable, Sendable {
    package let index: CInt
    package let name: String
    package let mtu: Int
    /// Administratively up (IFF_UP).
    package let isUp: Bool
    /// Able to carry packets now (IFF_LOWER_UP).
    package let hasCarrier: Bool
    /// Operational by RFC 2863 (IFF_RUNNING), which the kernel sets some time after the carrier; it notifies monitors
    /// then.
    package let isRunning: Bool
    /// The interface's alias (RFC 2863 `ifAlias`), free text for administrators; empty without one.
    package let alias: String
    package let hardwareAddress: [UInt8]
    package let queueLength: Int
    /// The root queueing discipline; `noop`, which drops everything, until the kernel has noticed the carrier.
    package let rootQdisc: String
    package let statistics: LinkStatistics
    /// ICMPv6 messages sent through it: neighbour, router and group messages, which the kernel sends on its own (RFC
    /// 4861, RFC 3810).
    package let sentICMPv6: UInt64
}

/// Counters of an interface since its creation.
package struct LinkStatistics: Equatable, Sendable {
    package struct Direction: Equatable, Sendable {
        package let packets: UInt64
        package let bytes: UInt64
        package let errors: UInt64
        package let dropped: UInt64
    }
    package let received: Direction
    package let sent: Direction
}

extension NetlinkSocket {
    package func links() throws(NetlinkError) -> [Link] {
        let request = NetlinkRequest(RTM_GETLINK, header: Link.header(index: 0))
        return try exchange(request, "listing the interfaces", dump: true).compactMap(Link.init)
    }

    package func link(named name: String) throws(NetlinkError) -> Link {
        var request = NetlinkRequest(RTM_GETLINK, header: Link.header(index: 0))
        request.put(IFLA_IFNAME, name)
        do throws(NetlinkError) {
            let replies = try exchange(request, "looking up interface \(name)", dump: false)
            guard let link = replies.compactMap(Link.init).first else { throw .noSuchInterface(name) }
            return link
        } catch {
            guard case .refused(_, ENODEV, _) = error else { throw error }
            throw .noSuchInterface(name)
        }
    }

    package func link(_ index: CInt) throws(NetlinkError) -> Link {
        let request = NetlinkRequest(RTM_GETLINK, header: Link.header(index: index))
        do throws(NetlinkError) {
            let replies = try exchange(request, "looking up interface \(index)", dump: false)
            guard let link = replies.compactMap(Link.init).first else { throw .noSuchInterface("#\(index)") }
            return link
        } catch {
            guard case .refused(_, ENODEV, _) = error else { throw error }
            throw .noSuchInterface("#\(index)")
        }
    }
}

extension Link {
    /// `struct ifinfomsg`
    package static func header(index: CInt, flags: UInt32 = 0, change: UInt32 = 0) -> [UInt8] {
        [UInt8(AF_UNSPEC), 0] + UInt16(0).hostBytes + index.hostBytes + flags.hostBytes + change.hostBytes
    }

    init?(_ reply: NetlinkReply) {
        guard reply.type == RTM_NEWLINK, let header = reply.header(16) else { return nil }
        let attributes = reply.attributes(after: 16)
        guard let name = attributes[IFLA_IFNAME] else { return nil }
        let flags = UInt32(hostBytes: header[8..<12])
        index = CInt(hostBytes: header[4..<8])
        self.name = name.netlinkText
        mtu = attributes[IFLA_MTU].map { Int(UInt32(hostBytes: $0)) } ?? 0
        isUp = flags & UInt32(IFF_UP) != 0
        hasCarrier = flags & 0x10000 /* IFF_LOWER_UP */ != 0
        isRunning = flags & UInt32(IFF_RUNNING) != 0
        alias = attributes[IFLA_IFALIAS]?.netlinkText ?? ""
        hardwareAddress = attributes[IFLA_ADDRESS] ?? []
        queueLength = attributes[IFLA_TXQLEN].map { Int(UInt32(hostBytes: $0)) } ?? 0
        rootQdisc = attributes[IFLA_QDISC]?.netlinkText ?? ""
        statistics = LinkStatistics(attributes[IFLA_STATS64] ?? [])
        sentICMPv6 = Link.sentICMPv6(attributes[IFLA_AF_SPEC] ?? [])
    }

    /// Reads `ICMP6_MIB_OUTMSGS` of `IFLA_INET6_ICMP6STATS`, which begins with its number of words; 0 without IPv6.
    private static func sentICMPv6(_ families: [UInt8]) -> UInt64 {
        let (statistics, outMessages) = (6, 3)
        guard let own = NetlinkReply.attributes(in: families)[Int(AF_INET6)],
            let words = NetlinkReply.attributes(in: own)[statistics], words.count >= (outMessages + 1) * 8
        else { return 0 }
        return UInt64(hostBytes: words[outMessages * 8..<(outMessages + 1) * 8])
    }
}

extension LinkStatistics {
    /// `struct rtnl_link_stats64`: pairs of receive and transmit counters, packets, bytes, errors, drops in this order.
    init(_ bytes: [UInt8]) {
        func word(_ index: Int) -> UInt64 {
            bytes.count >= (index + 1) * 8 ? UInt64(hostBytes: bytes[index * 8..<index * 8 + 8]) : 0
        }
        received = Direction(packets: word(0), bytes: word(2), errors: word(4), dropped: word(6))
        sent = Direction(packets: word(1), bytes: word(3), errors: word(5), dropped: word(7))
    }
}
