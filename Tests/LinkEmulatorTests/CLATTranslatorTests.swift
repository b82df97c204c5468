import InternetAddresses
import LinkEmulator
import Testing

// HarnessTests compares thousands of packets with tayga; these are tests of single rules with packets made by hand.
@Suite struct CLATTranslatorTests {
    private static let prefix = NAT64Prefix("2001:db8:64::/96")!
    private static let host = CLATConfiguration.usualClient4
    private static let client = IPv6Address("2001:db8:1::464")!
    private static let server = IPv4Address("203.0.113.10")!
    private static let server6 = prefix.embed(server)

    private static func translator(mtu4: Int = 1500, mtu6: Int = 1500) -> CLATTranslator {
        CLATTranslator(CLATConfiguration(prefix: prefix, client6: client, mtu4: mtu4, mtu6: mtu6))
    }

    // RFC 6877 §6.3, RFC 7915 §4.1 and §5.1: one address each way, every port as it was.
    @Test func `a connection passes in both directions with unchanged ports`() {
        var clat = Self.translator()
        var out: [UInt8] = []
        let syn = SamplePackets.v4(Self.host, Self.server, 6, SamplePackets.tcp(40000, 443, .syn), tos: 0x2E)
        #expect(clat.translate(syn.span, into: &out) == .translated(to: .v6, packets: 1))
        #expect(
            out
                == SamplePackets.v6(
                    Self.client, Self.server6, 6, SamplePackets.tcp(40000, 443, .syn), hopLimit: 63, trafficClass: 0x2E)
        )
        let answer = SamplePackets.v6(
            Self.server6, Self.client, 6, SamplePackets.tcp(443, 40000, [.syn, .ack]), hopLimit: 9)
        #expect(clat.translate(answer.span, into: &out) == .translated(to: .v4, packets: 1))
        #expect(
            out
                == SamplePackets.v4(
                    Self.server, Self.host, 6, SamplePackets.tcp(443, 40000, [.syn, .ack]), ttl: 8, dontFragment: false,
                    id: 1))
        #expect(clat.counters.toIPv4 == 1 && clat.counters.toIPv6 == 1)
    }

    // RFC 7915 §5.1: a translator forwards every transport protocol, even if it does not know its checksum.
    @Test func `unknown protocols pass unchanged, protocols of only one family are dropped`() {
        var clat = Self.translator()
        var out: [UInt8] = []
        let body: [UInt8] = Array(0..<24)
        #expect(
            clat.translate(SamplePackets.v4(Self.host, Self.server, 132, body, isSealed: false).span, into: &out)
                == .translated(to: .v6, packets: 1))
        #expect(Array(out[40...]) == body && out[6] == 132)
        for next in [0, 43, 44, 58, 60] as [UInt8] {
            let packet = SamplePackets.v4(Self.host, Self.server, next, body, isSealed: false)
            #expect(
                clat.translate(packet.span, into: &out) == .dropped(.unsupportedProtocol(IPProtocol(rawValue: next))))
        }
        let foreign = SamplePackets.v6(Self.server6, Self.client, 1, body, isSealed: false)
        #expect(clat.translate(foreign.span, into: &out) == .dropped(.unsupportedProtocol(.icmp)))
    }

    // RFC 7915 §5.1 skips hop-by-hop, routing and destination options; authentication covers the payload and goes with it.
    @Test func `extension headers are removed, except authentication`() {
        var clat = Self.translator()
        var out: [UInt8] = []
        let udp = Array(SamplePackets.v6(Self.server6, Self.client, 17, SamplePackets.udp(53, 5000, [1, 2]))[40...])
        let options: [UInt8] = [17, 0, 1, 4, 0, 0, 0, 0]
        let packet = SamplePackets.v6(Self.server6, Self.client, 60, options + udp, isSealed: false)
        #expect(clat.translate(packet.span, into: &out) == .translated(to: .v4, packets: 1))
        #expect(out[9] == 17 && out.count == 30 && SamplePackets.isIntact(out))
        let authentication: [UInt8] = [17, 4] + [UInt8](repeating: 7, count: 22)
        let authenticated = SamplePackets.v6(Self.server6, Self.client, 51, authentication + udp, isSealed: false)
        #expect(clat.translate(authenticated.span, into: &out) == .translated(to: .v4, packets: 1))
        #expect(out[9] == 51 && Array(out[20...]) == authentication + udp)
        // RFC 7915 §5.1.1: headers behind a fragment header cannot be removed.
        let cut = SamplePackets.v6(
            Self.server6, Self.client, 60, options + udp, fragment: (0, false, 3), isSealed: false)
        #expect(clat.translate(cut.span, into: &out) == .dropped(.extensionInFragment))
    }

    // RFC 7915 §5.1: packets up to 1,260 bytes are sent without DF, so they can be fragmented on a narrow IPv4 side;
    // longer ones are refused, but never below the minimum MTU of IPv6.
    @Test func `a narrow IPv4 side receives short packets in fragments and refuses long ones`() throws {
        var clat = Self.translator(mtu4: 600)
        var out: [UInt8] = []
        let data = [UInt8](repeating: 5, count: 1200)
        let short = SamplePackets.v6(Self.server6, Self.client, 17, SamplePackets.udp(53, 5000, data))
        #expect(clat.translate(short.span, into: &out) == .translated(to: .v4, packets: 3))
        var joined: [UInt8] = []
        var places: [Int] = []
        IPPacketSequence.forEach(in: out.span) { packet in
            guard let header = try? IPv4Header(packet) else { return }
            #expect(!header.dontFragment && header.identification == 1 && header.totalLength <= 600)
            places.append(header.fragmentOffset)
            for index in header.payload { joined.append(packet[index]) }
        }
        #expect(places == [0, 576, 1152])
        #expect(SamplePackets.isIntact(SamplePackets.v4(Self.server, Self.host, 17, joined, isSealed: false)))
        let long = SamplePackets.v6(Self.server6, Self.client, 17, SamplePackets.udp(53, 5000, data + data.prefix(100)))
        #expect(clat.translate(long.span, into: &out) == .replied(to: .v6))
        #expect(try ICMPHeader(out.span.extracting(40..<out.count)).rest == 1280)
    }

    // RFC 6791, RFC 7600 §4.8: such a router does not have an IPv4 address, but its report is needed for path MTU
    // discovery.
    @Test func `a report of an IPv6 router comes from the dummy address`() throws {
        var clat = Self.translator()
        var out: [UInt8] = []
        let long = SamplePackets.v4(
            Self.host, Self.server, 6, SamplePackets.tcp(40000, 443, .ack, Array(repeating: 1, count: 1400)))
        _ = clat.translate(long.span, into: &out)
        let router = IPv6Address("2001:db8:1::1")!
        let report = SamplePackets.v6(
            router, Self.client, 58, SamplePackets.icmp(2, rest: [0, 0, 5, 120], Array(out.prefix(1200))))
        #expect(clat.translate(report.span, into: &out) == .translated(to: .v4, packets: 1))
        let header = try IPv4Header(out.span)
        #expect(header.source == CLATConfiguration.usualRouter4 && header.destination == Self.host)
        let icmp = try ICMPHeader(out.span.extracting(20..<out.count))
        #expect(icmp.type == 3 && icmp.code == 4 && icmp.rest == 1380)
        // The host must recognise its own packet (RFC 7915 §5.3).
        let inner = try IPv4Header(out.span.extracting(28..<out.count), isQuoted: true)
        #expect(inner.source == Self.host && inner.destination == Self.server && inner.totalLength == long.count)
        #expect(Array(out[48..<56]) == Array(long[20..<28]))
        // Only a report may come from this address.
        let echo = SamplePackets.v6(router, Self.client, 58, SamplePackets.echo(128, id: 1))
        #expect(clat.translate(echo.span, into: &out) == .dropped(.illegalAddress6(router)))
    }

    // RFC 7915 §4.2, §5.2 and RFC 4884: objects stay behind the quotation, whose length is counted in words of another
    // size.
    @Test func `objects behind a quoted packet are kept, and the length attribute is recomputed`() throws {
        var clat = Self.translator()
        var out: [UInt8] = []
        let objects: [UInt8] = [0x20, 0, 0xAA, 0xBB, 0, 8, 1, 1, 1, 2, 3, 4]
        let inner6 = SamplePackets.v6(
            Self.client, Self.server6, 17, SamplePackets.udp(5000, 53, Array(repeating: 3, count: 200)))
        let message = SamplePackets.icmp(1, 0, rest: [17, 0, 0, 0], Array(inner6.prefix(136)) + objects)
        #expect(
            clat.translate(SamplePackets.v6(Self.server6, Self.client, 58, message).span, into: &out)
                == .translated(to: .v4, packets: 1))
        // 136 quoted bytes are 116 in IPv4, padded to the minimum of RFC 4884 §4, 128: 32 words.
        #expect(out[25] == 32 && out.count == 28 + 128 + objects.count && Array(out.suffix(objects.count)) == objects)
        #expect(SamplePackets.isIntact(out))
        let inner4 = SamplePackets.v4(
            Self.server, Self.host, 17, SamplePackets.udp(53, 5000, Array(repeating: 3, count: 200)))
        let report = SamplePackets.icmp(11, 0, rest: [0, 33, 0, 0], Array(inner4.prefix(132)) + objects)
        #expect(
            clat.translate(SamplePackets.v4(Self.host, Self.server, 1, report).span, into: &out)
                == .translated(to: .v6, packets: 1))
        // 132 bytes are 152, 19 words of eight.
        #expect(out[44] == 19 && out.count == 48 + 152 + objects.count && Array(out.suffix(objects.count)) == objects)
        #expect(SamplePackets.isIntact(out))
    }

    // RFC 6052 §3.1.
    @Test func `the well-known prefix represents documentation addresses only if allowed`() {
        var out: [UInt8] = []
        let packet = SamplePackets.v4(Self.host, Self.server, 17, SamplePackets.udp(5000, 53, [1]))
        for (isAllowed, expected) in [
            (false, TranslationResult.dropped(.illegalAddress4(Self.server))), (true, .translated(to: .v6, packets: 1)),
        ] {
            var clat = CLATTranslator(
                CLATConfiguration(prefix: .wellKnown, client6: Self.client, allowsNonGlobal: isAllowed))
            #expect(clat.translate(packet.span, into: &out) == expected)
        }
    }

    // RFC 1624 §3: an updated checksum of 0 over only zeros would be rejected by every receiver. Found by fuzzing.
    @Test(arguments: [0, 1, 2, 7])
    func `an echo reply of only zeros keeps a correct checksum`(bytes: Int) {
        var clat = Self.translator()
        var out: [UInt8] = []
        let reply = SamplePackets.v6(
            Self.server6, Self.client, 58,
            SamplePackets.echo(129, id: 0, sequence: 0, [UInt8](repeating: 0, count: bytes)))
        #expect(clat.translate(reply.span, into: &out) == .translated(to: .v4, packets: 1))
        #expect(out[20..<22] == [0, 0] && out[22..<24] == [0xFF, 0xFF])
        #expect(SamplePackets.isIntact(out))
    }

    @Test func `packets of other hosts are rejected`() {
        var clat = Self.translator()
        var out: [UInt8] = []
        let other = IPv4Address("192.0.2.9")!
        let udp = SamplePackets.udp(5000, 53, [1])
        #expect(
            clat.translate(SamplePackets.v4(other, Self.server, 17, udp).span, into: &out)
                == .dropped(.illegalAddress4(other)))
        let elsewhere = IPv6Address("2001:db8:1::2")!
        #expect(
            clat.translate(SamplePackets.v6(Self.server6, elsewhere, 17, udp).span, into: &out)
                == .ignored(.destinationOutsidePrefix(elsewhere)))
        let multicast = IPv4Address("224.0.0.251")!
        #expect(
            clat.translate(SamplePackets.v4(Self.host, multicast, 17, udp).span, into: &out)
                == .dropped(.illegalAddress4(multicast)))
        #expect(
            clat.translate(SamplePackets.v4(Self.host, Self.server, 17, udp, ttl: 1).span, into: &out)
                == .replied(to: .v4))
    }
}
