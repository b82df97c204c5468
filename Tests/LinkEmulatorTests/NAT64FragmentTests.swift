import LinkEmulator
import Testing

@Suite struct NAT64FragmentTests {
    private typealias Base = NAT64TranslatorTests

    private func open(_ nat: inout NAT64Translator) {
        var out: [UInt8] = []
        let query = SamplePackets.v6(Base.client, Base.server6, 17, SamplePackets.udp(5000, 53, [1]))
        _ = nat.translate(query.span, at: .zero, into: &out)
    }
    private func packets(_ out: [UInt8]) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        IPPacketSequence.forEach(in: out.span) { bytes in packets.append(bytes.indices.map { bytes[$0] }) }
        return packets
    }
    private let data = (0..<2000).map { UInt8(truncatingIfNeeded: $0 &* 13) }

    @Test func `DF is set on long packets only`() throws {
        var nat = Base.translator()
        var out: [UInt8] = []
        for (length, expected) in [(1260, false), (1261, true)] {
            let packet = SamplePackets.v6(
                Base.client, Base.server6, 17, SamplePackets.udp(5000, 53, Array(data.prefix(length - 28))))
            _ = nat.translate(packet.span, at: .zero, into: &out)
            #expect(out.count == length)
            #expect(try IPv4Header(out.span).dontFragment == expected)
        }
    }

    @Test func `IPv6 fragments become IPv4 fragments of the same packet`() throws {
        var nat = Base.translator()
        var out: [UInt8] = []
        // Sealed as a whole, then cut at 1,000.
        let whole = SamplePackets.v6(
            Base.client, Base.server6, 17, SamplePackets.udp(5000, 53, Array(data.prefix(1400))))
        let transport = Array(whole[40...])
        let first = SamplePackets.v6(
            Base.client, Base.server6, 17, Array(transport[..<1000]), fragment: (0, true, 0xA_BCDE), isSealed: false)
        let second = SamplePackets.v6(
            Base.client, Base.server6, 17, Array(transport[1000...]), fragment: (1000, false, 0xA_BCDE), isSealed: false
        )
        var joined: [UInt8] = []
        for (packet, offset, more) in [(first, 0, true), (second, 1000, false)] {
            #expect(nat.translate(packet.span, at: .zero, into: &out) == .translated(to: .v4, packets: 1))
            let header = try IPv4Header(out.span)
            #expect(header.fragmentOffset == offset && header.moreFragments == more && !header.dontFragment)
            #expect(header.identification == 0xBCDE)
            joined += out[20...]
        }
        #expect(
            joined
                == Array(
                    SamplePackets.v4(Base.pool, Base.server, 17, SamplePackets.udp(5000, 53, Array(data.prefix(1400))))[
                        20...]))
    }

    @Test func `IPv4 fragments follow their first one`() throws {
        var nat = Base.translator()
        open(&nat)
        var out: [UInt8] = []
        let transport = Array(
            SamplePackets.v4(Base.server, Base.pool, 17, SamplePackets.udp(53, 5000, Array(data.prefix(1600))))[20...])
        func fragment(_ range: Range<Int>, more: Bool) -> [UInt8] {
            SamplePackets.v4(
                Base.server, Base.pool, 17, Array(transport[range]), dontFragment: false, moreFragments: more,
                offset: range.lowerBound, id: 77, isSealed: false)
        }
        let second = fragment(1200..<1608, more: false)
        #expect(
            nat.translate(fragment(0..<1200, more: true).span, at: .zero, into: &out)
                == .translated(to: .v6, packets: 1))
        var joined = Array(out[48...])
        let first = try #require(try IPv6Header(out.span).fragment)
        #expect(first.identification == 77 && first.moreFragments)
        #expect(nat.translate(second.span, at: .zero, into: &out) == .translated(to: .v6, packets: 1))
        let header = try IPv6Header(out.span)
        let last = try #require(header.fragment)
        #expect(last.offset == 1200 && !last.moreFragments && header.destination == Base.client)
        joined += out[48...]
        let expected = SamplePackets.v6(
            Base.server6, Base.client, 17, SamplePackets.udp(53, 5000, Array(data.prefix(1600))))
        #expect(joined == Array(expected[40...]))
        // RFC 6146 §4: two seconds.
        let late = LinkTime(nanoseconds: 2_000_000_000)
        #expect(nat.translate(second.span, at: late, into: &out) == .held)
    }

    // RFC 6146 §3.4: fragments may arrive in any order; early ones are held for two seconds at most, and only a limited
    // number of them.
    @Test func `a fragment that arrives before the first one waits for it`() throws {
        var nat = Base.translator()
        open(&nat)
        var out: [UInt8] = []
        func fragment(_ offset: Int, id: Int, more: Bool) -> [UInt8] {
            SamplePackets.v4(
                Base.server, Base.pool, 17,
                offset == 0 ? SamplePackets.udp(53, 5000, Array(data.prefix(56))) : Array(data.prefix(64)),
                dontFragment: false, moreFragments: more, offset: offset, id: id)
        }
        let (first, later) = (fragment(0, id: 7, more: true), fragment(64, id: 7, more: false))
        let soon = LinkTime(nanoseconds: 1_999_999_999)
        for (arrives, expected) in [(soon, 2), (LinkTime(nanoseconds: 2_000_000_000), 1)] {
            var copy = nat
            #expect(copy.translate(later.span, at: .zero, into: &out) == .held && out.isEmpty)
            #expect(copy.translate(first.span, at: arrives, into: &out) == .translated(to: .v6, packets: expected))
        }
        _ = nat.translate(later.span, at: .zero, into: &out)
        _ = nat.translate(first.span, at: soon, into: &out)
        var found: [IPv6Header] = []
        IPPacketSequence.forEach(in: out.span) { packet in
            if let header = try? IPv6Header(packet) { found.append(header) }
        }
        #expect(found.map(\.fragment?.offset) == [0, 64] && found.allSatisfy { $0.destination == Base.client })
        for id in 0..<64 {
            #expect(nat.translate(fragment(64, id: 100 + id, more: false).span, at: soon, into: &out) == .held)
        }
        let overflow = fragment(64, id: 99, more: false)
        #expect(nat.translate(overflow.span, at: soon, into: &out) == .dropped(.fragmentWithoutFirst))
        #expect(nat.translate(overflow.span, at: soon + 2_000_000_000, into: &out) == .held)
    }

    @Test func `a long IPv4 packet without DF is fragmented to the minimum IPv6 MTU`() throws {
        var nat = Base.translator()
        open(&nat)
        var out: [UInt8] = []
        let datagram = SamplePackets.udp(53, 5000, Array(data.prefix(1460)))
        let long = SamplePackets.v4(Base.server, Base.pool, 17, datagram, dontFragment: false, id: 9)
        #expect(nat.translate(long.span, at: .zero, into: &out) == .translated(to: .v6, packets: 2))
        let pieces = packets(out)
        #expect(pieces.map(\.count) == [1280, 48 + 1468 - 1232])
        for (piece, offset, more) in [(pieces[0], 0, true), (pieces[1], 1232, false)] {
            let fragment = try #require(try IPv6Header(piece.span).fragment)
            #expect(fragment.identification == 9 && fragment.offset == offset && fragment.moreFragments == more)
        }
        #expect(pieces[0][48...] + pieces[1][48...] == SamplePackets.v6(Base.server6, Base.client, 17, datagram)[40...])
        #expect(nat.counters.toIPv6 == 2)
    }

    @Test func `a long IPv4 packet with DF is rejected with the MTU that fits`() throws {
        var nat = Base.translator(mtu6: 1400)
        open(&nat)
        var out: [UInt8] = []
        func reply(_ length: Int) -> [UInt8] {
            SamplePackets.v4(Base.server, Base.pool, 17, SamplePackets.udp(53, 5000, Array(data.prefix(length - 28))))
        }
        #expect(nat.translate(reply(1380).span, at: .zero, into: &out) == .translated(to: .v6, packets: 1))
        #expect(out.count == 1400)
        #expect(nat.translate(reply(1381).span, at: .zero, into: &out) == .replied(to: .v4))
        let icmp = try ICMPHeader(out.span.extracting(20..<out.count))
        #expect(icmp.type == 3 && icmp.code == 4 && icmp.rest == 1380 && SamplePackets.isIntact(out))
    }

    @Test func `an IPv6 packet too long for IPv4 is rejected with the MTU that fits`() throws {
        var nat = NAT64Translator(
            NAT64Configuration(prefix: Base.prefix, pool: Base.pool, router6: Base.router6, mtu4: 1400))
        var out: [UInt8] = []
        let packet = SamplePackets.v6(
            Base.client, Base.server6, 17, SamplePackets.udp(5000, 53, Array(data.prefix(1373))))
        #expect(nat.translate(packet.span, at: .zero, into: &out) == .replied(to: .v6))
        let icmp = try ICMPHeader(out.span.extracting(40..<out.count))
        #expect(icmp.type == 2 && icmp.rest == 1420)
    }

    // Fragmented for IPv6, its end would exceed the range of the offset.
    @Test func `a fragment that ends beyond the longest packet is dropped`() {
        var nat = Base.translator()
        open(&nat)
        var out: [UInt8] = []
        let first = SamplePackets.v4(
            Base.server, Base.pool, 17, SamplePackets.udp(53, 5000, data), dontFragment: false, moreFragments: true)
        #expect(nat.translate(first.span, at: .zero, into: &out) == .translated(to: .v6, packets: 2))
        let beyond = SamplePackets.v4(Base.server, Base.pool, 17, data, dontFragment: false, offset: 65528)
        #expect(
            nat.translate(beyond.span, at: .zero, into: &out) == .dropped(.malformed(.impossibleLength(.ipv4, 67528))))
    }

    @Test func `splitting packets ends at a truncated one`() {
        let good = SamplePackets.v4(Base.server, Base.pool, 17, SamplePackets.udp(53, 5000, [1]))
        #expect(packets(good + good) == [good, good])
        #expect(packets(good + good.dropLast()) == [good])
        #expect(packets(good + [0x45, 0, 0, 0]) == [good])
        #expect(packets(good + [UInt8](repeating: 0, count: 60)) == [good])
        // A stated length of 0 must not loop.
        #expect(packets([0x45] + [UInt8](repeating: 0, count: 30)).isEmpty)
    }

    // RFC 7915 §4.5.
    @Test func `a datagram without a checksum gets one, unless it is a fragment`() {
        var nat = Base.translator()
        open(&nat)
        var out: [UInt8] = []
        let datagram = SamplePackets.udp(53, 5000, [1, 2, 3])
        let bare = SamplePackets.v4(Base.server, Base.pool, 17, datagram, isSealed: false)
        #expect(nat.translate(bare.span, at: .zero, into: &out) == .translated(to: .v6, packets: 1))
        #expect(out == SamplePackets.v6(Base.server6, Base.client, 17, datagram, hopLimit: 63))
        let long = SamplePackets.udp(53, 5000, Array(data.prefix(64)))
        let cut = SamplePackets.v4(
            Base.server, Base.pool, 17, long, dontFragment: false, moreFragments: true, isSealed: false)
        #expect(nat.translate(cut.span, at: .zero, into: &out) == .dropped(.missingChecksum))
    }
}
