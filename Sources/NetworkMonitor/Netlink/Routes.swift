import CNetlink
import Glibc
package import InternetAddresses

/// A route of one namespace.
package struct Route: Hashable, Sendable {
    package enum Target: Hashable, Sendable {
        /// Directly through an interface.
        case interface(CInt)
        /// Through a router. `onLink` means that it is a neighbour on that interface even if none of our addresses
        /// implies it.
        case gateway(IPAddress, interface: CInt?, onLink: Bool)
        /// Packets are dropped; a local sender gets EINVAL.
        case blackhole
        /// A local sender gets EHOSTUNREACH; others get ICMP host unreachable.
        case unreachable
        /// A local sender gets EACCES; others get ICMP administratively prohibited.
        case prohibit
    }

    package var destination: AddressPrefix
    package var target: Target
    package var metric: UInt32
    package var table: UInt32
    /// The source address that the kernel prefers for packets of this route.
    package var preferredSource: IPAddress?

    package static let mainTable: UInt32 = 254

    package init(
        to destination: AddressPrefix, _ target: Target, metric: UInt32 = 0, table: UInt32 = Route.mainTable,
        preferredSource: IPAddress? = nil
    ) {
        self.destination = destination.network
        self.target = target
        self.metric = metric
        self.table = table
        self.preferredSource = preferredSource
    }
}

extension NetlinkSocket {
    /// Returns the unicast and refusing routes of a table; the kernel manages local and multicast ones itself.
    package func routes(table: UInt32 = Route.mainTable) throws(NetlinkError) -> [Route] {
        try routesOfAllTables().filter { $0.table == table }
    }

    /// Returns the same routes of every table, to find out where routing rules could lead.
    package func routesOfAllTables() throws(NetlinkError) -> [Route] {
        // Families are queried one by one: AF_UNSPEC would list every protocol that happens to be loaded.
        var found: [Route] = []
        for family in [AF_INET, AF_INET6] {
            let header: [UInt8] = [UInt8(family)] + [UInt8](repeating: 0, count: 11)
            found += try exchange(NetlinkRequest(RTM_GETROUTE, header: header), "listing routes", dump: true)
                .compactMap(Route.init)
        }
        return found
    }
}

extension Route {
    init?(_ reply: NetlinkReply) {
        guard reply.type == RTM_NEWROUTE, let header = reply.header(12) else { return nil }
        let attributes = reply.attributes(after: 12)
        let any: IPAddress
        switch Int32(header[0]) {
        case AF_INET: any = .anyV4
        case AF_INET6: any = .anyV6
        default: return nil
        }
        let address = attributes[Int(RTA_DST.rawValue)].flatMap { IPAddress(bytes: $0) } ?? any
        guard let destination = AddressPrefix(address, length: Int(header[1])) else { return nil }
        let interface = attributes[Int(RTA_OIF.rawValue)].map { CInt(hostBytes: $0) }
        let flags = UInt32(hostBytes: header[8..<12])
        let via = attributes[Int(RTA_VIA.rawValue)].flatMap { IPAddress(bytes: $0.dropFirst(2)) }
        switch Int(header[7]) {
        case Int(RTN_UNICAST):
            if let gateway = attributes[Int(RTA_GATEWAY.rawValue)].flatMap({ IPAddress(bytes: $0) }) ?? via {
                target = .gateway(gateway, interface: interface, onLink: flags & UInt32(RTNH_F_ONLINK) != 0)
            } else if let interface {
                target = .interface(interface)
            } else {
                return nil
            }
        case Int(RTN_BLACKHOLE): target = .blackhole
        case Int(RTN_UNREACHABLE): target = .unreachable
        case Int(RTN_PROHIBIT): target = .prohibit
        default: return nil
        }
        self.destination = destination
        metric = attributes[Int(RTA_PRIORITY.rawValue)].map { UInt32(hostBytes: $0) } ?? 0
        table = attributes[Int(RTA_TABLE.rawValue)].map { UInt32(hostBytes: $0) } ?? UInt32(header[4])
        preferredSource = attributes[Int(RTA_PREFSRC.rawValue)].flatMap { IPAddress(bytes: $0) }
    }
}
