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

/// Changes to an interface; nil leaves a property unchanged.
package struct LinkChange: Equatable, Sendable {
    package var name: String?
    package var isUp: Bool?
    /// Below 1280 the kernel removes every IPv6 address from the interface (RFC 8200, section 5).
    package var mtu: Int?
    package var queueLength: Int?
    /// True if no link-local address is created when the interface comes up.
    package var makesNoIPv6Addresses: Bool
    /// The carrier, for devices without a physical one (TUN, dummy); other devices refuse with EOPNOTSUPP.
    package var hasCarrier: Bool?
    /// The new alias, at most 255 bytes; empty removes it. The kernel notifies monitors if the interface is up.
    package var alias: String?

    package init(
        name: String? = nil, isUp: Bool? = nil, mtu: Int? = nil, queueLength: Int? = nil,
        makesNoIPv6Addresses: Bool = false,
        hasCarrier: Bool? = nil, alias: String? = nil
    ) {
        self.name = name
        self.isUp = isUp
        self.mtu = mtu
        self.queueLength = queueLength
        self.makesNoIPv6Addresses = makesNoIPv6Addresses
        self.hasCarrier = hasCarrier
        self.alias = alias
    }
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

    package func change(_ index: CInt, _ change: LinkChange) throws(NetlinkError) {
        let up = UInt32(IFF_UP)
        let wanted = change.isUp.map { $0 ? up : 0 }
        var request = NetlinkRequest(
            RTM_NEWLINK, header: Link.header(index: index, flags: wanted ?? 0, change: wanted == nil ? 0 : up))
        if let name = change.name { request.put(IFLA_IFNAME, name) }
        if let mtu = change.mtu { request.put(IFLA_MTU, UInt32(clamping: mtu)) }
        if let length = change.queueLength { request.put(IFLA_TXQLEN, UInt32(clamping: length)) }
        if let hasCarrier = change.hasCarrier { request.put(IFLA_CARRIER, UInt8(hasCarrier ? 1 : 0)) }
        // Without the final zero, as iproute2 sends it: the kernel uses the length unchanged.
        if let alias = change.alias { request.put(IFLA_IFALIAS, bytes: Array(alias.utf8)) }
        if change.makesNoIPv6Addresses {
            request.nest(IFLA_AF_SPEC) { families in
                families.nest(Int(AF_INET6)) {
                    $0.put(IFLA_INET6_ADDR_GEN_MODE, UInt8(IN6_ADDR_GEN_MODE_NONE.rawValue))
                }
            }
        }
        try send(request, "changing interface \(index)")
    }

    package func setUp(_ index: CInt) throws(NetlinkError) { try change(index, LinkChange(isUp: true)) }
    package func setDown(_ index: CInt) throws(NetlinkError) { try change(index, LinkChange(isUp: false)) }
    package func setMTU(_ index: CInt, _ mtu: Int) throws(NetlinkError) { try change(index, LinkChange(mtu: mtu)) }

    package func deleteLink(_ index: CInt) throws(NetlinkError) {
        try send(NetlinkRequest(RTM_DELLINK, header: Link.header(index: index)), "deleting interface \(index)")
    }

    /// Creates a veth pair: `name` in this socket's namespace, `peerName` in `peerNamespace`. Both ends are down. With
    /// `sendsWholePackets` the kernel segments GSO packets before they enter, so that loss and queues apply to wire
    /// packets.
    package func makeVirtualEthernetPair(
        name: String, peerName: String, peerIn peerNamespace: NetworkNamespace, mtu: Int = 1500,
        sendsWholePackets: Bool = false
    ) throws(NetlinkError) {
        try peerNamespace.withRaw { descriptor throws(NetlinkError) in
            var request = NetlinkRequest(
                RTM_NEWLINK, flags: NLM_F_CREATE | NLM_F_EXCL, header: Link.header(index: 0))
            request.put(IFLA_IFNAME, name)
            request.put(IFLA_MTU, UInt32(clamping: mtu))
            if sendsWholePackets { request.put(Link.maximumGSOSizeAttribute, UInt32(1)) }
            request.nest(IFLA_LINKINFO) { info in
                info.put(IFLA_INFO_KIND, "veth")
                info.nest(IFLA_INFO_DATA) { data in
                    data.nest(VETH_INFO_PEER) { peer in
                        peer.append(Link.header(index: 0))
                        peer.put(IFLA_IFNAME, peerName)
                        peer.put(IFLA_MTU, UInt32(clamping: mtu))
                        if sendsWholePackets { peer.put(Link.maximumGSOSizeAttribute, UInt32(1)) }
                        peer.put(IFLA_NET_NS_FD, UInt32(descriptor))
                    }
                }
            }
            try send(request, "creating the link \(name) to \(peerName)")
        }
    }
}

extension Link {
    /// IFLA_GSO_MAX_SEGS
    static let maximumGSOSizeAttribute = 40

    /// `struct ifinfomsg`
    static func header(index: CInt, flags: UInt32 = 0, change: UInt32 = 0) -> [UInt8] {
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
