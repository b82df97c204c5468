import CNetlink
import Glibc

/// One thing that the kernel told about links, addresses, routes or rules of a namespace.
package enum NetworkEvent: Equatable, Sendable {
    /// The interface as it is now, and what differs from what was known of it. `changes` is empty when only counters or the like do.
    case link(Link, changes: LinkAspects)
    case linkRemoved(Link)
    case addressAdded(InterfaceAddress)
    case addressRemoved(InterfaceAddress)
    /// Also a route that was replaced: the new one.
    case routeAdded(Route)
    case routeRemoved(Route)
    case ruleAdded(RoutingRule)
    case ruleRemoved(RoutingRule)
    /// Something changed that these values cannot say, such as a route over several ways: whoever needs it asks for the state.
    case other(type: Int)
    /// Messages were lost because nobody took them for too long: only asking for the whole state helps. What waited is thrown away.
    case overrun
}

/// What is new about an interface.
package struct LinkAspects: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The interface itself.
    package static let existence = LinkAspects(rawValue: 1 << 0)
    /// Switched on or off.
    package static let administration = LinkAspects(rawValue: 1 << 1)
    /// Whether it can carry packets.
    package static let carrier = LinkAspects(rawValue: 1 << 2)
    /// Whether it is operational (RFC 2863), which follows from both.
    package static let operation = LinkAspects(rawValue: 1 << 3)
    package static let alias = LinkAspects(rawValue: 1 << 4)
    package static let name = LinkAspects(rawValue: 1 << 5)
    package static let mtu = LinkAspects(rawValue: 1 << 6)
    package static let hardwareAddress = LinkAspects(rawValue: 1 << 7)

    init(from old: Link?, to new: Link) {
        guard let old else {
            self = .existence
            return
        }
        self = []
        if old.isUp != new.isUp { insert(.administration) }
        if old.hasCarrier != new.hasCarrier { insert(.carrier) }
        if old.isRunning != new.isRunning { insert(.operation) }
        if old.alias != new.alias { insert(.alias) }
        if old.name != new.name { insert(.name) }
        if old.mtu != new.mtu { insert(.mtu) }
        if old.hardwareAddress != new.hardwareAddress { insert(.hardwareAddress) }
    }
}

extension NetworkEvent {
    /// Nil for what is nobody's business: local, broadcast and multicast routes, which follow from the addresses, and bridge ports.
    init?(type: Int, body: [UInt8], known: inout [CInt: Link]) {
        // A removal is spelled like the thing itself.
        func reply(_ made: Int) -> NetlinkReply { NetlinkReply(type: made, body: body) }
        switch type {
        case RTM_NEWLINK, RTM_DELLINK:
            guard body.first == UInt8(AF_UNSPEC), let link = Link(reply(RTM_NEWLINK)) else { return nil }
            if type == RTM_DELLINK {
                known[link.index] = nil
                self = .linkRemoved(link)
            } else {
                self = .link(link, changes: LinkAspects(from: known.updateValue(link, forKey: link.index), to: link))
            }
        case RTM_NEWADDR, RTM_DELADDR:
            guard let address = InterfaceAddress(reply(RTM_NEWADDR)) else { return nil }
            self = type == RTM_NEWADDR ? .addressAdded(address) : .addressRemoved(address)
        case RTM_NEWROUTE, RTM_DELROUTE:
            guard let kind = reply(type).header(12)?[7], !NetworkEvent.followsFromAddresses(Int(kind)) else { return nil }
            guard let route = Route(reply(RTM_NEWROUTE)) else {
                self = .other(type: type)
                return
            }
            self = type == RTM_NEWROUTE ? .routeAdded(route) : .routeRemoved(route)
        case RTM_NEWRULE, RTM_DELRULE:
            guard let rule = RoutingRule(reply(RTM_NEWRULE)) else {
                self = .other(type: type)
                return
            }
            self = type == RTM_NEWRULE ? .ruleAdded(rule) : .ruleRemoved(rule)
        default:
            self = .other(type: type)
        }
    }

    private static func followsFromAddresses(_ kind: Int) -> Bool {
        [RTN_LOCAL, RTN_BROADCAST, RTN_ANYCAST, RTN_MULTICAST].contains { Int($0) == kind }
    }
}
