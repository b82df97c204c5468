/// Recognises the lab's own measurement packets by their UDP port, and the ICMP errors that arrive about them after a
/// measurement has ended.
enum ProbePacket {
    /// A port from the range that IANA reserves for private use.
    static let port: UInt16 = 64_446

    static func isProbe(_ packet: Span<UInt8>) -> Bool { isProbe(packet, from: 0, quoted: false) }

    /// `from` is the start of the IP header; an ICMP error quotes the packet that it is about.
    private static func isProbe(_ packet: Span<UInt8>, from start: Int, quoted: Bool) -> Bool {
        guard packet.count > start + 9 else { return false }
        let payload: Int
        let proto: UInt8
        switch packet[start] >> 4 {
        case 4: (payload, proto) = (start + Int(packet[start] & 0x0F) * 4, packet[start + 9])
        case 6: (payload, proto) = (start + 40, packet[start + 6])
        default: return false
        }
        guard packet.count >= payload + 4 else { return false }
        switch proto {
        case 17: return UInt16(packet[payload + 2]) << 8 | UInt16(packet[payload + 3]) == port
        // Destination unreachable: RFC 792, RFC 4443 §3.1. The quoted packet follows eight bytes of header.
        case 1 where packet[payload] == 3 && !quoted, 58 where packet[payload] == 1 && !quoted:
            return isProbe(packet, from: payload + 8, quoted: true)
        default: return false
        }
    }
}
