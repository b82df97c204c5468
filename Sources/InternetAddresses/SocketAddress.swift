/// An IP address and a port.
package struct SocketAddress: Hashable, Sendable {
    package let address: IPAddress
    package let port: UInt16

    package init(_ address: IPAddress, port: UInt16) {
        self.address = address
        self.port = port
    }

    /// Parses `192.0.2.1:80` or `[2001:db8::1]:80`.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        let bracketed = host.first == "[" && host.last == "]"
        if bracketed { host = host.dropFirst().dropLast() }
        guard let address = IPAddress(String(host)), address.isV6 == bracketed else { return nil }
        self.init(address, port: port)
    }
}

extension SocketAddress: CustomStringConvertible {
    package var description: String { address.isV6 ? "[\(address)]:\(port)" : "\(address):\(port)" }
}
