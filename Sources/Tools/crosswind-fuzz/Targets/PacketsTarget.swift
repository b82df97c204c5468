import LinkEmulator

/// The packet parsers, and the ICMP replies to a packet that cannot pass.
struct PacketsTarget: FuzzTarget {
    static let name = "packets"
    static let subject = "IP, TCP, UDP and ICMP headers, packet summaries, ICMP replies"

    func play(_ random: inout FuzzRandom) throws(FuzzFinding) -> Bool {
        let bytes = PacketMaker.packet(&random)
        let packet = try? IPPacket(bytes.span)
        if let packet {
            let payload = packet.payload
            guard payload.lowerBound >= 20, payload.upperBound <= bytes.count else {
                throw FuzzFinding("a payload outside of its packet", bytes)
            }
            let rest = bytes.span.extracting(payload)
            if let tcp = try? TCPHeader(rest), tcp.headerLength > payload.count {
                throw FuzzFinding("a TCP header longer than its segment", bytes)
            }
            _ = try? UDPHeader(rest)
            _ = try? ICMPHeader(rest)
        }
        let summary = try? PacketSummary(bytes.span)
        if let summary, summary.description.isEmpty { throw FuzzFinding("a packet without a summary", bytes) }
        if summary != nil, packet == nil { throw FuzzFinding("a summary of bytes that are not a packet", bytes) }
        let mtu = random.below(2000)
        let reasons = PacketRule.Unreachable.allCases
        for reply in [
            ICMPErrorReply.tooBig(for: bytes.span, mtu: mtu, from: PacketMaker.server4, PacketMaker.client6),
            ICMPErrorReply.unreachable(
                random.pick(reasons), for: bytes.span, from: PacketMaker.server4, PacketMaker.client6),
        ] {
            guard let reply else { continue }
            guard packet != nil else { throw FuzzFinding("a reply to bytes that are not a packet", bytes) }
            guard PacketMaker.isIntact(reply) else { throw FuzzFinding("a reply that is not intact", bytes) }
            guard reply.count <= 1280 else { throw FuzzFinding("a reply too long for its path", bytes) }
        }
        return packet != nil
    }
}
