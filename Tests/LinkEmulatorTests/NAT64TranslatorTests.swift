import InternetAddresses
import LinkEmulator
import Testing

// Expected packets are assembled field by field by SamplePackets, which shares no code with the translator.
@Suite struct NAT64TranslatorTests {
    static let prefix = NAT64Prefix("2001:db8:64::/96")!
    static let pool = IPv4Address("203.0.113.64")!
    static let client = IPv6Address("2001:db8:1::2")!
    static let router6 = IPv6Address("2001:db8:1::1")!
    static let server = IPv4Address("203.0.113.10")!
    static let server6 = prefix.embed(server)

    static func translator(ports: ClosedRange<UInt16> = 1024...65535, mtu6: Int = 1500) -> NAT64Translator {
        NAT64Translator(NAT64Configuration(prefix: prefix, pool: pool, router6: router6, ports: ports, mtu6: mtu6))
    }

    private func seconds(_ seconds: Int64) -> LinkTime { LinkTime(nanoseconds: seconds * 1_000_000_000) }
    private var data: [UInt8] { [1, 2, 3, 4, 5] }

    @Test func `a SYN goes out with the pool address and comes back to its sender`() {
        var nat = Self.translator()
        var out: [UInt8] = []
        let syn = SamplePackets.v6(
            Self.client, Self.server6, 6, SamplePackets.tcp(40000, 443, .syn), hopLimit: 64, trafficClass: 0x2E)
        #expect(nat.translate(syn.span, at: .zero, into: &out) == .translated(to: .v4, packets: 1))
        #expect(
            out
                == SamplePackets.v4(
                    Self.pool, Self.server, 6, SamplePackets.tcp(40000, 443, .syn), ttl: 63, dontFragment: false, id: 1,
                    tos: 0x2E))
        let reply = SamplePackets.v4(
            Self.server, Self.pool, 6, SamplePackets.tcp(443, 40000, [.syn, .ack], data), ttl: 9)
        #expect(nat.translate(reply.span, at: .zero, into: &out) == .translated(to: .v6, packets: 1))
        #expect(
            out
                == SamplePackets.v6(
                    Self.server6, Self.client, 6, SamplePackets.tcp(443, 40000, [.syn, .ack], data), hopLimit: 8))
        #expect(nat.bindings == 1 && nat.sessions == 1 && nat.counters.toIPv4 == 1 && nat.counters.toIPv6 == 1)
    }

    // Checksums computed by a third program, and accepted by Wireshark.
    @Test func `the bytes on the wire are fixed`() {
        var nat = Self.translator()
        var out: [UInt8] = []
        let query = SamplePackets.bytes(
            "60000000 000d 11 40 20010db8000100000000000000000002 20010db80064000000000000cb00710a 9c40 0035 000d c274 0102030405"
        )
        #expect(nat.translate(query.span, at: .zero, into: &out) == .translated(to: .v4, packets: 1))
        #expect(out == SamplePackets.bytes(Self.goldenQuery))
    }
    private static let goldenQuery =
        "45000021 00010000 3f110380 cb007140 cb00710a 9c400035 000de20c 0102030405"

    @Test func `two clients with the same port get two ports of the same parity`() throws {
        var nat = Self.translator()
        var out: [UInt8] = []
        let other = IPv6Address("2001:db8:1::3")!
        for (host, expected) in [(Self.client, 5001), (other, 1025)] {
            let query = SamplePackets.v6(host, Self.server6, 17, SamplePackets.udp(5001, 53, data))
            #expect(nat.translate(query.span, at: .zero, into: &out) == .translated(to: .v4, packets: 1))
            #expect(Int(try UDPHeader(out.span.extracting(20..<out.count)).sourcePort) == expected)
            #expect(SamplePackets.isIntact(out))
        }
        let reply = SamplePackets.v4(Self.server, Self.pool, 17, SamplePackets.udp(53, 1025, data))
        _ = nat.translate(reply.span, at: .zero, into: &out)
        #expect(out == SamplePackets.v6(Self.server6, other, 17, SamplePackets.udp(53, 5001, data), hopLimit: 63))
    }

    @Test func `the mapping does not depend on the peer, and any peer may reply`() throws {
        var nat = Self.translator(ports: 2000...2100)
        var out: [UInt8] = []
        for port in [53, 54] {
            let query = SamplePackets.v6(Self.client, Self.server6, 17, SamplePackets.udp(9, port, data))
            _ = nat.translate(query.span, at: .zero, into: &out)
            #expect(try UDPHeader(out.span.extracting(20..<out.count)).sourcePort == 2001)
        }
        #expect(nat.bindings == 1 && nat.sessions == 2)
        let stranger = SamplePackets.v4(IPv4Address("198.51.100.9")!, Self.pool, 17, SamplePackets.udp(7, 2001, data))
        #expect(nat.translate(stranger.span, at: .zero, into: &out) == .translated(to: .v6, packets: 1))
    }

    @Test func `an echo keeps its data and gets a matching identifier both ways`() {
        var nat = Self.translator()
        var out: [UInt8] = []
        let ping = SamplePackets.v6(Self.client, Self.server6, 58, SamplePackets.echo(128, id: 7000))
        #expect(nat.translate(ping.span, at: .zero, into: &out) == .translated(to: .v4, packets: 1))
        #expect(
            out
                == SamplePackets.v4(
                    Self.pool, Self.server, 1, SamplePackets.echo(8, id: 7000), ttl: 63, dontFragment: false, id: 1))
        let pong = SamplePackets.v4(Self.server, Self.pool, 1, SamplePackets.echo(0, id: 7000))
        #expect(nat.translate(pong.span, at: .zero, into: &out) == .translated(to: .v6, packets: 1))
        #expect(out == SamplePackets.v6(Self.server6, Self.client, 58, SamplePackets.echo(129, id: 7000), hopLimit: 63))
    }

    // A translator that recomputed checksums would hide damage done by the link.
    @Test(arguments: [6, 17, 58] as [UInt8])
    func `a corrupted packet is still corrupted after translation`(_ next: UInt8) {
        var nat = Self.translator()
        var out: [UInt8] = []
        let transport =
            next == 6
            ? SamplePackets.tcp(5000, 80, .syn, data)
            : next == 17 ? SamplePackets.udp(5000, 80, data) : SamplePackets.echo(128, id: 5000)
        var packet = SamplePackets.v6(Self.client, Self.server6, next, transport)
        _ = nat.translate(packet.span, at: .zero, into: &out)
        #expect(SamplePackets.isIntact(out))
        packet[packet.count - 1] ^= 4
        #expect(nat.translate(packet.span, at: .zero, into: &out) == .translated(to: .v4, packets: 1))
        #expect(!SamplePackets.isIntact(out))
    }

    @Test func `packets that are not for the translator are ignored`() {
        var nat = Self.translator()
        var out: [UInt8] = [1]
        let direct = IPv6Address("2001:db8:113::10")!
        let native = SamplePackets.v6(Self.client, direct, 17, SamplePackets.udp(1, 2, data))
        #expect(nat.translate(native.span, at: .zero, into: &out) == .ignored(.destinationOutsidePrefix(direct)))
        #expect(out.isEmpty)
        let other = SamplePackets.v4(Self.server, Self.server, 17, SamplePackets.udp(1, 2, data))
        #expect(nat.translate(other.span, at: .zero, into: &out) == .ignored(.destinationNotInPool(Self.server)))
        #expect(nat.counters.ignored == 2)
    }

    @Test func `a packet that may not pass is dropped with its reason`() {
        var nat = Self.translator()
        var out: [UInt8] = []
        func result(_ packet: [UInt8]) -> TranslationResult { nat.translate(packet.span, at: .zero, into: &out) }
        let udp = SamplePackets.udp(1, 2, data)
        #expect(result(SamplePackets.v4(Self.server, Self.pool, 17, udp)) == .dropped(.noBinding))
        #expect(
            result(SamplePackets.v6(Self.client, Self.server6, 6, SamplePackets.tcp(1, 2, .ack)))
                == .dropped(.noBinding))
        #expect(
            result(SamplePackets.v6(Self.server6, Self.server6, 17, udp)) == .dropped(.illegalAddress6(Self.server6)))
        let linkLocal = IPv6Address("fe80::1")!
        #expect(result(SamplePackets.v6(linkLocal, Self.server6, 17, udp)) == .dropped(.illegalAddress6(linkLocal)))
        let multicast = IPv4Address("224.0.0.251")!
        #expect(
            result(SamplePackets.v6(Self.client, Self.prefix.embed(multicast), 17, udp))
                == .dropped(.illegalAddress4(multicast)))
        // An ICMP message of the other family would get a different meaning.
        #expect(
            result(SamplePackets.v6(Self.client, Self.server6, 1, udp, isSealed: false))
                == .dropped(.unsupportedProtocol(IPProtocol(rawValue: 1))))
        #expect(
            result(SamplePackets.v6(Self.client, Self.server6, 58, SamplePackets.icmp(135, rest: [0, 0, 0, 0])))
                == .dropped(.untranslatableICMP(type: 135, code: 0)))
        #expect(
            result(
                SamplePackets.v6(
                    Self.client, Self.server6, 58, SamplePackets.echo(128, id: 1, Array(repeating: 1, count: 8)),
                    fragment: (0, true, 5)))
                == .dropped(.fragmentedICMP))
        #expect(
            result(SamplePackets.v6(Self.client, Self.server6, 17, udp, isSealed: false)) == .dropped(.missingChecksum))
        var broken = SamplePackets.v4(Self.server, Self.pool, 17, udp)
        broken[8] ^= 1
        #expect(result(broken) == .dropped(.badChecksum))
        #expect(result([0x60]) == .dropped(.malformed(.truncated(.ipv6, needed: 40, found: 1))))
        #expect(nat.bindings == 0 && nat.counters.dropped == 11)
    }

    @Test func `the well-known prefix rejects private addresses`() {
        var nat = NAT64Translator(NAT64Configuration(prefix: .wellKnown, pool: Self.pool, router6: Self.router6))
        var out: [UInt8] = []
        let home = IPv4Address("192.168.1.1")!
        let packet = SamplePackets.v6(Self.client, NAT64Prefix.wellKnown.embed(home), 17, SamplePackets.udp(1, 2, data))
        #expect(nat.translate(packet.span, at: .zero, into: &out) == .dropped(.illegalAddress4(home)))
    }

    @Test func `when every port is taken the next client is dropped, until a binding expires`() {
        var nat = Self.translator(ports: 3000...3003)
        var out: [UInt8] = []
        func send(_ port: Int, at now: LinkTime) -> TranslationResult {
            nat.translate(
                SamplePackets.v6(Self.client, Self.server6, 17, SamplePackets.udp(port, 53, data)).span, at: now,
                into: &out)
        }
        for port in 1...4 { #expect(send(port, at: seconds(Int64(port))) == .translated(to: .v4, packets: 1)) }
        #expect(send(5, at: seconds(5)) == .dropped(.portsExhausted))
        #expect(nat.counters.droppedForPorts == 1)
        // The first binding was last used at 1 s and lives for 300 s.
        #expect(send(5, at: seconds(301) - 1) == .dropped(.portsExhausted))
        #expect(send(5, at: seconds(301)) == .translated(to: .v4, packets: 1))
        #expect(nat.bindings == 4)
    }

    @Test func `an expired hop limit causes an ICMP error`() throws {
        var nat = Self.translator()
        var out: [UInt8] = []
        let dying = SamplePackets.v6(Self.client, Self.server6, 17, SamplePackets.udp(5000, 53, data), hopLimit: 1)
        #expect(nat.translate(dying.span, at: .zero, into: &out) == .replied(to: .v6))
        #expect(SamplePackets.isIntact(out))
        #expect(try PacketSummary(out.span).description == "ICMPv6 2001:db8:1::1 → 2001:db8:1::2 type 3 code 0")
        #expect(nat.bindings == 0)
        let dying4 = SamplePackets.v4(Self.server, Self.pool, 17, SamplePackets.udp(53, 5000, data), ttl: 1)
        #expect(nat.translate(dying4.span, at: .zero, into: &out) == .replied(to: .v4))
        #expect(SamplePackets.isIntact(out))
        #expect(try PacketSummary(out.span).description == "ICMP 203.0.113.64 → 203.0.113.10 type 11 code 0")
    }

    @Test func `an unfinished source route is rejected with an ICMP error, a finished one passes`() throws {
        var nat = Self.translator()
        var out: [UInt8] = []
        _ = nat.translate(
            SamplePackets.v6(Self.client, Self.server6, 17, SamplePackets.udp(5000, 53, data)).span, at: .zero,
            into: &out)
        func reply(pointer: UInt8) -> [UInt8] {
            SamplePackets.v4(
                Self.server, Self.pool, 17, SamplePackets.udp(53, 5000, data),
                options: [1, 131, 7, pointer, 192, 0, 2, 9])
        }
        #expect(nat.translate(reply(pointer: 4).span, at: .zero, into: &out) == .replied(to: .v4))
        #expect(try PacketSummary(out.span).description == "ICMP 203.0.113.64 → 203.0.113.10 type 3 code 5")
        #expect(nat.translate(reply(pointer: 8).span, at: .zero, into: &out) == .translated(to: .v6, packets: 1))
    }

    @Test func `two IPv6 hosts communicate over the pool address`() {
        var nat = Self.translator()
        var out: [UInt8] = []
        let other = IPv6Address("2001:db8:1::3")!
        _ = nat.translate(
            SamplePackets.v6(other, Self.server6, 17, SamplePackets.udp(6000, 53, data)).span, at: .zero, into: &out)
        let pool6 = Self.prefix.embed(Self.pool)
        let hello = SamplePackets.v6(Self.client, pool6, 17, SamplePackets.udp(5000, 6000, data))
        #expect(nat.translate(hello.span, at: .zero, into: &out) == .translated(to: .v6, packets: 1))
        #expect(out == SamplePackets.v6(pool6, other, 17, SamplePackets.udp(5000, 6000, data), hopLimit: 62))
    }
}
