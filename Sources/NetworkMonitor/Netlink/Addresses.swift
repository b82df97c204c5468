import CNetlink
import Glibc
package import InternetAddresses

/// An address of an interface.
package struct InterfaceAddress: Hashable, Sendable {
    package let index: CInt
    package let prefix: AddressPrefix
    /// IPv6: not usable yet, because duplicate address detection is running (RFC 4862, section 5.4).
    package let isTentative: Bool

    package init(index: CInt, prefix: AddressPrefix, isTentative: Bool = false) {
        self.index = index
        self.prefix = prefix
        self.isTentative = isTentative
    }
}

extension NetlinkSocket {
    package func addresses(of index: CInt? = nil) throws(NetlinkError) -> [InterfaceAddress] {
        let request = NetlinkRequest(RTM_GETADDR, header: InterfaceAddress.header(nil, 0))
        return try exchange(request, "listing addresses", dump: true).compactMap(InterfaceAddress.init)
            .filter { index == nil || $0.index == index }
    }
}

extension InterfaceAddress {
    /// `struct ifaddrmsg`
    package static func header(_ prefix: AddressPrefix?, _ index: CInt) -> [UInt8] {
        let family = prefix.map { UInt8($0.address.isV6 ? AF_INET6 : AF_INET) } ?? UInt8(AF_UNSPEC)
        let isLoopback = prefix.map { $0.network.address == .v4(0x7F00_0000) || $0.address == .loopbackV6 } ?? false
        let scope = isLoopback ? RT_SCOPE_HOST : RT_SCOPE_UNIVERSE
        return [family, UInt8(prefix?.length ?? 0), 0, UInt8(scope.rawValue)] + UInt32(index).hostBytes
    }

    init?(_ reply: NetlinkReply) {
        guard reply.type == RTM_NEWADDR, let header = reply.header(8) else { return nil }
        let attributes = reply.attributes(after: 8)
        // On a point-to-point link IFA_ADDRESS is the other end; IFA_LOCAL, if present, is always ours.
        guard let bytes = attributes[IFA_LOCAL] ?? attributes[IFA_ADDRESS], let address = IPAddress(bytes: bytes),
            let prefix = AddressPrefix(address, length: Int(header[1]))
        else { return nil }
        let flags = attributes[IFA_FLAGS].map { UInt32(hostBytes: $0) } ?? UInt32(header[2])
        index = CInt(hostBytes: header[4..<8])
        self.prefix = prefix
        isTentative = flags & UInt32(IFA_F_TENTATIVE) != 0
    }
}
