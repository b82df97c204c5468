import CNetlink
import Glibc
package import InternetAddresses

/// A policy routing rule: packets from `source`, with `mark`, or leaving through `interface` use `table`.
package struct RoutingRule: Hashable, Sendable {
    package var isV6: Bool
    package var priority: UInt32
    package var table: UInt32
    package var source: AddressPrefix?
    package var mark: UInt32?
    /// Matches sockets bound to this interface.
    package var outputInterface: String?

    package init(
        isV6: Bool, priority: UInt32, table: UInt32, source: AddressPrefix? = nil, mark: UInt32? = nil,
        outputInterface: String? = nil
    ) {
        self.isV6 = isV6
        self.priority = priority
        self.table = table
        self.source = source
        self.mark = mark
        self.outputInterface = outputInterface
    }
}

extension RoutingRule {
    init?(_ reply: NetlinkReply) {
        guard reply.type == RTM_NEWRULE, let header = reply.header(12), header[7] == UInt8(FR_ACT_TO_TBL) else {
            return nil
        }
        let attributes = reply.attributes(after: 12)
        isV6 = header[0] == UInt8(AF_INET6)
        priority = attributes[Int(FRA_PRIORITY)].map { UInt32(hostBytes: $0) } ?? 0
        table = attributes[Int(FRA_TABLE)].map { UInt32(hostBytes: $0) } ?? UInt32(header[4])
        source = attributes[Int(FRA_SRC)].flatMap { IPAddress(bytes: $0) }.flatMap {
            AddressPrefix($0, length: Int(header[2]))
        }
        mark = attributes[Int(FRA_FWMARK)].map { UInt32(hostBytes: $0) }
        outputInterface = attributes[Int(FRA_OIFNAME)]?.netlinkText
    }
}
