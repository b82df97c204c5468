import CNetlink
import Glibc
package import NetworkMonitor

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
    package func change(_ index: CInt, _ change: LinkChange) throws(NetlinkError) {
        var change = change
        if change.isUp == true, change.makesNoIPv6Addresses {
            // In one request the kernel brings the interface up first, with a link-local address.
            try self.change(index, LinkChange(makesNoIPv6Addresses: true))
            change.makesNoIPv6Addresses = false
        }
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
            if sendsWholePackets { request.put(maximumGSOSizeAttribute, UInt32(1)) }
            request.nest(IFLA_LINKINFO) { info in
                info.put(IFLA_INFO_KIND, "veth")
                info.nest(IFLA_INFO_DATA) { data in
                    data.nest(VETH_INFO_PEER) { peer in
                        peer.append(Link.header(index: 0))
                        peer.put(IFLA_IFNAME, peerName)
                        peer.put(IFLA_MTU, UInt32(clamping: mtu))
                        if sendsWholePackets { peer.put(maximumGSOSizeAttribute, UInt32(1)) }
                        peer.put(IFLA_NET_NS_FD, UInt32(descriptor))
                    }
                }
            }
            try send(request, "creating the link \(name) to \(peerName)")
        }
    }
}

/// IFLA_GSO_MAX_SEGS
private let maximumGSOSizeAttribute = 40
