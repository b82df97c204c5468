import CNetlink
import Glibc

/// One kernel notification about links, addresses, routes or rules of a namespace.
package enum NetworkEvent: Equatable, Sendable {
    /// The current state of the interface, and its differences from the last known state. `changes` is empty if only
    /// counters and similar values differ.
    case link(Link, changes: LinkAspects)
    case linkRemoved(Link)
    case addressAdded(InterfaceAddress)
    case addressRemoved(InterfaceAddress)
    /// Also a replaced route: the new one.
    case routeAdded(Route)
    case routeRemoved(Route)
    case ruleAdded(RoutingRule)
    case ruleRemoved(RoutingRule)
    /// A change that these values cannot express, such as a route with several next hops: query the state if you need
    /// it.
    case other(type: Int)
    /// Messages were lost because they were not read in time: only a query of the whole state helps. Pending messages
    /// are discarded.
    case overrun
}

/// The properties of an interface that changed.
package struct LinkAspects: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The interface itself.
    package static let existence = LinkAspects(rawValue: 1 << 0)
    /// Administratively up or down.
    package static let administration = LinkAspects(rawValue: 1 << 1)
    /// Ability to carry packets.
    package static let carrier = LinkAspects(rawValue: 1 << 2)
    /// Operational state (RFC 2863), which follows from both.
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
    /// Creates an event; nil for messages without relevance: local, broadcast and multicast routes, which follow from
    /// the addresses, and bridge ports.
    init?(type: Int, body: [UInt8], known: inout [CInt: Link]) {
        // A removal has the same form as the object itself.
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
            guard let kind = reply(type).header(12)?[7], !NetworkEvent.followsFromAddresses(Int(kind)) else {
                return nil
            }
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
