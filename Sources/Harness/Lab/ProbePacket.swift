/// Tells the lab's own measurement packets from the client's by their UDP port.
enum ProbePacket {
    /// From the range that IANA leaves to private use.
    static let port: UInt16 = 64_446

    static func isProbe(_ packet: Span<UInt8>) -> Bool {
        guard let first = packet.isEmpty ? nil : packet[0] else { return false }
        switch first >> 4 {
        case 4:
            let start = Int(first & 0x0F) * 4
            guard packet.count >= start + 4, packet.count > 9, packet[9] == 17 else { return false }
            return port(of: packet, at: start + 2) == port
        case 6:
            guard packet.count >= 44, packet[6] == 17 else { return false }
            return port(of: packet, at: 42) == port
        default: return false
        }
    }

    private static func port(of packet: Span<UInt8>, at place: Int) -> UInt16 {
        UInt16(packet[place]) << 8 | UInt16(packet[place + 1])
    }
}
