import CNetlink
import Glibc
package import InternetAddresses
package import NetworkMonitor

extension NetlinkSocket {
    /// Adds an address. IPv6 addresses are usable immediately (`nodad`), if the link is already up.
    package func addAddress(_ prefix: AddressPrefix, to index: CInt) throws(NetlinkError) {
        var request = NetlinkRequest(
            RTM_NEWADDR, flags: NLM_F_CREATE | NLM_F_REPLACE, header: InterfaceAddress.header(prefix, index))
        request.put(IFA_LOCAL, bytes: prefix.address.bytes)
        request.put(IFA_ADDRESS, bytes: prefix.address.bytes)
        if prefix.address.isV6 {
            request.put(IFA_FLAGS, UInt32(IFA_F_NODAD))
        } else if prefix.length < 31, case .v4(let address) = prefix.address {
            let broadcast = IPAddress.v4(IPv4Address(address.value | (UInt32.max >> UInt32(prefix.length))))
            request.put(IFA_BROADCAST, bytes: broadcast.bytes)
        }
        try send(request, "adding address \(prefix)")
    }

    package func removeAddress(_ prefix: AddressPrefix, from index: CInt) throws(NetlinkError) {
        var request = NetlinkRequest(RTM_DELADDR, header: InterfaceAddress.header(prefix, index))
        request.put(IFA_LOCAL, bytes: prefix.address.bytes)
        request.put(IFA_ADDRESS, bytes: prefix.address.bytes)
        try send(request, "removing address \(prefix)")
    }

    /// Adds a route; fails if it already exists.
    package func addRoute(_ route: Route) throws(NetlinkError) {
        try send(route.request(RTM_NEWROUTE, NLM_F_CREATE | NLM_F_EXCL), "adding the route to \(route.destination)")
    }

    /// Replaces the route with the same destination, metric and table, or adds it.
    package func replaceRoute(_ route: Route) throws(NetlinkError) {
        try send(route.request(RTM_NEWROUTE, NLM_F_CREATE | NLM_F_REPLACE), "setting the route to \(route.destination)")
    }

    package func deleteRoute(_ route: Route) throws(NetlinkError) {
        try send(route.request(RTM_DELROUTE, 0), "deleting the route to \(route.destination)")
    }

    package func addRule(_ rule: RoutingRule) throws(NetlinkError) {
        try send(rule.request(RTM_NEWRULE, NLM_F_CREATE | NLM_F_EXCL), "adding routing rule \(rule.priority)")
    }

    package func deleteRule(_ rule: RoutingRule) throws(NetlinkError) {
        try send(rule.request(RTM_DELRULE, 0), "deleting routing rule \(rule.priority)")
    }
}

extension Route {
    private var kind: Int32 {
        switch target {
        case .interface, .gateway: Int32(RTN_UNICAST)
        case .blackhole: Int32(RTN_BLACKHOLE)
        case .unreachable: Int32(RTN_UNREACHABLE)
        case .prohibit: Int32(RTN_PROHIBIT)
        }
    }

    func request(_ type: Int, _ flags: CInt) -> NetlinkRequest {
        let isV6 = destination.address.isV6
        var scope = RT_SCOPE_UNIVERSE
        var routeFlags: UInt32 = 0
        switch target {
        case .interface: if !isV6 { scope = RT_SCOPE_LINK }
        case .gateway(_, _, let onLink): if onLink { routeFlags |= UInt32(RTNH_F_ONLINK) }
        case .blackhole, .unreachable, .prohibit: break
        }
        // A delete must not name the origin: the kernel compares every given field.
        let origin = type == RTM_DELROUTE ? 0 : UInt8(RTPROT_STATIC)
        if type == RTM_DELROUTE { scope = RT_SCOPE_NOWHERE }
        // struct rtmsg
        let header: [UInt8] =
            [
                UInt8(isV6 ? AF_INET6 : AF_INET), UInt8(destination.length), 0, 0,
                table < 256 ? UInt8(table) : UInt8(RT_TABLE_COMPAT.rawValue), origin, UInt8(scope.rawValue),
                UInt8(kind),
            ] + routeFlags.hostBytes
        var request = NetlinkRequest(type, flags: flags, header: header)
        request.put(Int(RTA_TABLE.rawValue), table)
        if destination.length > 0 { request.put(Int(RTA_DST.rawValue), bytes: destination.address.bytes) }
        if metric > 0 { request.put(Int(RTA_PRIORITY.rawValue), metric) }
        if let preferredSource { request.put(Int(RTA_PREFSRC.rawValue), bytes: preferredSource.bytes) }
        switch target {
        case .interface(let index):
            request.put(Int(RTA_OIF.rawValue), UInt32(index))
        case .gateway(let address, let interface, _):
            if address.isV6 == isV6 {
                request.put(Int(RTA_GATEWAY.rawValue), bytes: address.bytes)
            } else {
                // An IPv4 destination behind an IPv6 router (RFC 5549) has a different encoding.
                let family = UInt16(address.isV6 ? AF_INET6 : AF_INET)
                request.put(Int(RTA_VIA.rawValue), bytes: family.hostBytes + address.bytes)
            }
            if let interface { request.put(Int(RTA_OIF.rawValue), UInt32(interface)) }
        case .blackhole, .unreachable, .prohibit: break
        }
        return request
    }
}

extension RoutingRule {
    func request(_ type: Int, _ flags: CInt) -> NetlinkRequest {
        // struct fib_rule_hdr
        let header: [UInt8] =
            [
                UInt8(isV6 ? AF_INET6 : AF_INET), 0, UInt8(source?.length ?? 0), 0,
                table < 256 ? UInt8(table) : UInt8(RT_TABLE_COMPAT.rawValue), 0, 0, UInt8(FR_ACT_TO_TBL),
            ] + UInt32(0).hostBytes
        var request = NetlinkRequest(type, flags: flags, header: header)
        request.put(Int(FRA_PRIORITY), priority)
        request.put(Int(FRA_TABLE), table)
        if let source { request.put(Int(FRA_SRC), bytes: source.network.address.bytes) }
        if let mark { request.put(Int(FRA_FWMARK), mark) }
        if let outputInterface { request.put(Int(FRA_OIFNAME), outputInterface) }
        return request
    }
}
