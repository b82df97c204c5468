import InternetAddresses

/// A one-line description of a packet, for the record and for comments in captures.
package struct PacketSummary: Hashable, Sendable, CustomStringConvertible {
    package enum Transport: Hashable, Sendable {
        case tcp(TCPHeader, payloadLength: Int)
        case udp(UDPHeader, payloadLength: Int)
        case icmp(ICMPHeader)
        /// A fragment without the transport header, another protocol, or an unreadable header.
        case opaque
    }
    package var packet: IPPacket
    package var transport: Transport

    package init(_ bytes: Span<UInt8>) throws(PacketError) {
        packet = try IPPacket(bytes)
        let payload = bytes.extracting(packet.payload)
        transport = .opaque
        guard packet.hasTransportHeader else { return }
        // A packet with a broken transport header still crossed the link, so the readable part is described.
        let next = packet.payloadProtocol
        if next == .tcp, let tcp = try? TCPHeader(payload) {
            transport = .tcp(tcp, payloadLength: payload.count - tcp.headerLength)
        } else if next == .udp, let udp = try? UDPHeader(payload) {
            transport = .udp(udp, payloadLength: udp.datagramLength - UDPHeader.length)
        } else if next == .icmp || next == .icmpv6, let icmp = try? ICMPHeader(payload) {
            transport = .icmp(icmp)
        }
    }

    package var description: String {
        let next = packet.payloadProtocol
        switch transport {
        case .tcp(let tcp, let length):
            var text = "TCP \(from(tcp.sourcePort)) → \(to(tcp.destinationPort)) [\(tcp.flags)] seq \(tcp.sequence)"
            if tcp.flags.contains(.ack) { text += " ack \(tcp.acknowledgement)" }
            return text + " len \(length)" + fragmentText
        case .udp(let udp, let length):
            return "UDP \(from(udp.sourcePort)) → \(to(udp.destinationPort)) len \(length)" + fragmentText
        case .icmp(let icmp):
            return "\(next) \(from(nil)) → \(to(nil)) type \(icmp.type) code \(icmp.code)" + fragmentText
        case .opaque:
            return "\(next) \(from(nil)) → \(to(nil)) len \(packet.payload.count)" + fragmentText
        }
    }

    private func from(_ port: UInt16?) -> String {
        switch packet {
        case .v4(let header): Self.text(header.source, port)
        case .v6(let header): Self.text(header.source, port)
        }
    }
    private func to(_ port: UInt16?) -> String {
        switch packet {
        case .v4(let header): Self.text(header.destination, port)
        case .v6(let header): Self.text(header.destination, port)
        }
    }
    private var fragmentText: String {
        switch packet {
        case .v4(let header):
            header.isFragment
                ? Self.fragment(UInt32(header.identification), header.fragmentOffset, header.moreFragments) : ""
        case .v6(let header):
            header.fragment.map { Self.fragment($0.identification, $0.offset, $0.moreFragments) } ?? ""
        }
    }

    private static func text(_ address: IPv4Address, _ port: UInt16?) -> String {
        port.map { "\(address):\($0)" } ?? "\(address)"
    }
    private static func text(_ address: IPv6Address, _ port: UInt16?) -> String {
        port.map { "[\(address)]:\($0)" } ?? "\(address)"
    }
    private static func fragment(_ identification: UInt32, _ offset: Int, _ more: Bool) -> String {
        " (fragment \(identification) at \(offset)\(more ? "+" : ""))"
    }
}
