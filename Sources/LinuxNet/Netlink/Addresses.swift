import CNetlink
import Glibc

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
    /// Adds an address. IPv6 addresses are usable immediately (`nodad`), if the link is already up.
    package func addAddress(_ prefix: AddressPrefix, to index: CInt) throws(NetlinkError) {
        var request = NetlinkRequest(
            RTM_NEWADDR, flags: NLM_F_CREATE | NLM_F_REPLACE, header: InterfaceAddress.header(prefix, index))
        request.put(IFA_LOCAL, bytes: prefix.address.bytes)
        request.put(IFA_ADDRESS, bytes: prefix.address.bytes)
        if prefix.address.isV6 {
            request.put(IFA_FLAGS, UInt32(IFA_F_NODAD))
        } else if prefix.length < 31, case .v4(let value) = prefix.address {
            let broadcast = IPAddress.v4(value | (UInt32.max >> UInt32(prefix.length)))
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

    package func addresses(of index: CInt? = nil) throws(NetlinkError) -> [InterfaceAddress] {
        let request = NetlinkRequest(RTM_GETADDR, header: InterfaceAddress.header(nil, 0))
        return try exchange(request, "listing addresses", dump: true).compactMap(InterfaceAddress.init)
            .filter { index == nil || $0.index == index }
    }

    /// Removes every address from an interface; routes through them are removed as well.
    package func flushAddresses(of index: CInt) throws(NetlinkError) {
        for address in try addresses(of: index) {
            do throws(NetlinkError) {
                try removeAddress(address.prefix, from: index)
            } catch {
                // The kernel removes a secondary address together with its primary one.
                guard case .refused(_, EADDRNOTAVAIL, _) = error else { throw error }
            }
        }
    }
}

extension InterfaceAddress {
    /// `struct ifaddrmsg`
    static func header(_ prefix: AddressPrefix?, _ index: CInt) -> [UInt8] {
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
