import Glibc
package import InternetAddresses

extension SocketAddress {
    /// The address as the kernel's `struct sockaddr_in` or `sockaddr_in6`.
    package var kernelBytes: [UInt8] {
        let family = UInt16(address.isV6 ? AF_INET6 : AF_INET)
        var bytes = family.hostBytes + [UInt8(port >> 8), UInt8(port & 0xFF)]
        switch address {
        case .v4: bytes += address.bytes + [UInt8](repeating: 0, count: 8)
        case .v6: bytes += [0, 0, 0, 0] + address.bytes + [0, 0, 0, 0]
        }
        return bytes
    }

    package init?(kernelBytes bytes: [UInt8]) {
        guard bytes.count >= 8 else { return nil }
        let port = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
        switch UInt16(hostBytes: bytes[0..<2]) {
        case UInt16(AF_INET):
            guard let address = IPAddress(bytes: bytes[4..<8]) else { return nil }
            self.init(address, port: port)
        case UInt16(AF_INET6):
            guard bytes.count >= 24, let address = IPAddress(bytes: bytes[8..<24]) else { return nil }
            self.init(address, port: port)
        default: return nil
        }
    }
}
