import InternetAddresses
import LinkEmulator
import Testing

@Suite struct PacketHeaderTests {
    static let client4 = IPv4Address("192.0.2.2")!
    static let server4 = IPv4Address("203.0.113.10")!
    static let client6 = IPv6Address("2001:db8:1::2")!
    static let server6 = IPv6Address("2001:db8:113::10")!

    @Test func `every field of an IPv4 header is read`() throws {
        let bytes = SamplePackets.v4(
            Self.client4, Self.server4, 17, [9, 9, 9, 9], ttl: 7, dontFragment: false, moreFragments: true,
            offset: 1480,
            id: 0xBEEF, tos: 0xB8, options: [1, 1, 1, 0])
        let header = try IPv4Header((bytes + [1, 2]).span)
        #expect(header.headerLength == 24 && header.totalLength == 28 && header.payload == 24..<28)
        #expect(header.trafficClass == 0xB8 && header.identification == 0xBEEF && header.timeToLive == 7)
        #expect(!header.dontFragment && header.moreFragments && header.fragmentOffset == 1480 && header.isFragment)
        #expect(header.payloadProtocol == .udp && header.source == Self.client4 && header.destination == Self.server4)
    }

    @Test func `IPv6 extension headers are skipped up to the payload`() throws {
        let transport = SamplePackets.udp(1, 2, [5])
        var bytes = SamplePackets.v6(Self.client6, Self.server6, 0, [], trafficClass: 0xA5, isSealed: false)
        // Hop-by-hop (8 bytes), destination options (16), routing with one hop left (24), fragment, UDP.
        bytes += [60, 0, 1, 4, 0, 0, 0, 0] + [43, 1, 1, 12] + [UInt8](repeating: 0, count: 12)
        bytes += [44, 2, 0, 1] + [UInt8](repeating: 0, count: 20) + [17, 0, 0, 1, 0, 0, 0, 77] + transport
        bytes[5] = UInt8(bytes.count - 40)
        let header = try IPv6Header(bytes.span)
        #expect(header.trafficClass == 0xA5 && header.payloadProtocol == .udp && header.payload == 96..<105)
        #expect(header.segmentsLeftOffset == 67)
        let fragment = try #require(header.fragment)
        #expect(fragment.identification == 77 && fragment.offset == 0 && fragment.moreFragments)
        #expect(!header.isLaterFragment)
    }

    @Test func `a later fragment's bytes are not parsed as headers`() throws {
        // The payload looks like a hop-by-hop header of 2,048 bytes.
        let bytes = SamplePackets.v6(
            Self.client6, Self.server6, 0, [0, 255, 0, 0], fragment: (offset: 8, more: false, id: 1), isSealed: false)
        let header = try IPv6Header(bytes.span)
        #expect(header.isLaterFragment && header.payloadProtocol.rawValue == 0 && header.payload == 48..<52)
    }

    @Test func `short or contradictory packets are rejected with the reason`() {
        let whole = SamplePackets.v4(Self.client4, Self.server4, 6, SamplePackets.tcp(1, 2, .syn))
        #expect(throws: PacketError.empty) { try IPPacket([UInt8]().span) }
        #expect(throws: PacketError.unknownVersion(15)) { try IPPacket([UInt8](repeating: 255, count: 60).span) }
        #expect(throws: PacketError.truncated(.ipv4, needed: 40, found: 39)) {
            try IPPacket(Array(whole.dropLast()).span)
        }
        #expect(throws: PacketError.truncated(.ipv4, needed: 20, found: 19)) {
            try IPPacket(Array(whole.prefix(19)).span)
        }
        var broken = whole
        broken[0] = 0x44
        #expect(throws: PacketError.impossibleLength(.ipv4, 16)) { try IPPacket(broken.span) }
        broken = whole
        broken[3] = 19
        #expect(throws: PacketError.impossibleLength(.ipv4, 19)) { try IPPacket(broken.span) }
        #expect(throws: PacketError.impossibleLength(.tcp, 0)) { try TCPHeader([UInt8](repeating: 0, count: 20).span) }
        #expect(throws: PacketError.truncated(.udp, needed: 8, found: 7)) {
            try UDPHeader([UInt8](repeating: 0, count: 7).span)
        }
    }

    @Test func `a summary describes a packet`() throws {
        func line(_ bytes: [UInt8]) throws -> String { try PacketSummary(bytes.span).description }
        #expect(
            try line(
                SamplePackets.v4(
                    Self.client4, Self.server4, 6, SamplePackets.tcp(40000, 443, [.syn, .ack], [1, 2, 3])))
                == "TCP 192.0.2.2:40000 → 203.0.113.10:443 [SYN ACK] seq 1 ack 2 len 3")
        #expect(
            try line(SamplePackets.v6(Self.client6, Self.server6, 17, SamplePackets.udp(5353, 53, [1, 2])))
                == "UDP [2001:db8:1::2]:5353 → [2001:db8:113::10]:53 len 2")
        #expect(
            try line(SamplePackets.v6(Self.client6, Self.server6, 58, SamplePackets.echo(128, id: 5)))
                == "ICMPv6 2001:db8:1::2 → 2001:db8:113::10 type 128 code 0")
        #expect(
            try line(
                SamplePackets.v4(Self.client4, Self.server4, 17, [1, 2, 3, 4], moreFragments: true, offset: 8, id: 9))
                == "UDP 192.0.2.2 → 203.0.113.10 len 4 (fragment 9 at 8+)")
        #expect(
            try line(SamplePackets.v4(Self.client4, Self.server4, 132, [1, 2], isSealed: false))
                == "protocol 132 192.0.2.2 → 203.0.113.10 len 2")
    }

    // Half of the inputs are random, half are valid packets with a few bytes changed or the end cut off, which reach
    // more code.
    @Test func `no input makes a parser trap`() {
        var random = TestRandom(99)
        let seeds = [
            SamplePackets.v4(Self.client4, Self.server4, 6, SamplePackets.tcp(1, 2, .syn, [1, 2, 3])),
            SamplePackets.v4(
                Self.client4, Self.server4, 17, SamplePackets.udp(1, 2, [1, 2, 3]), options: [7, 4, 4, 0]),
            SamplePackets.v6(Self.client6, Self.server6, 6, SamplePackets.tcp(1, 2, .syn), fragment: (0, true, 3)),
            SamplePackets.v6(Self.client6, Self.server6, 58, SamplePackets.echo(128, id: 5)),
        ]
        var described = 0
        for round in 0..<100_000 {
            var bytes: [UInt8]
            if round % 2 == 0 {
                bytes = random.bytes(Int.random(in: 0...90, using: &random))
                if !bytes.isEmpty { bytes[0] = (round % 4 == 0 ? 0x40 : 0x60) | bytes[0] & 15 }
            } else {
                bytes = seeds[round / 2 % seeds.count]
                for _ in 0..<Int.random(in: 0...4, using: &random) {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0...bytes.count, using: &random)) }
            }
            if let summary = try? PacketSummary(bytes.span), !summary.description.isEmpty { described += 1 }
            _ = try? IPv4Header(bytes.span, isQuoted: true)
            _ = try? IPv6Header(bytes.span, isQuoted: true)
            _ = try? TCPHeader(bytes.span)
            _ = try? UDPHeader(bytes.span)
            _ = ICMPErrorReply.tooBig(for: bytes.span, mtu: 1280, from: Self.client4, Self.client6)
        }
        // Far fewer would mean that the mutations never pass the first header.
        #expect(described > 20_000)
    }
}
