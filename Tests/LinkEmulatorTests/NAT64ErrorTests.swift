import InternetAddresses
import LinkEmulator
import Testing

@Suite struct NAT64ErrorTests {
    private typealias Base = NAT64TranslatorTests
    private let data = [UInt8](repeating: 9, count: 64)

    /// Returns a translator with one TCP connection 40000 → 443, one UDP flow 5000 → 53 and one ping 7000, and its
    /// output.
    private func prepared() -> (nat: NAT64Translator, tcp: [UInt8], udp: [UInt8], echo: [UInt8]) {
        var nat = Base.translator()
        var sent: [[UInt8]] = []
        for packet in [
            SamplePackets.v6(Base.client, Base.server6, 6, SamplePackets.tcp(40000, 443, .syn, data)),
            SamplePackets.v6(Base.client, Base.server6, 17, SamplePackets.udp(5000, 53, data)),
            SamplePackets.v6(Base.client, Base.server6, 58, SamplePackets.echo(128, id: 7000, data)),
        ] {
            var out: [UInt8] = []
            _ = nat.translate(packet.span, at: .zero, into: &out)
            sent.append(out)
        }
        return (nat, sent[0], sent[1], sent[2])
    }

    private static let router = IPv4Address("198.51.100.1")!

    private func error4(_ type: UInt8, _ code: UInt8, rest: [UInt8] = [0, 0, 0, 0], about quoted: [UInt8]) -> [UInt8] {
        SamplePackets.v4(Self.router, Base.pool, 1, SamplePackets.icmp(type, code, rest: rest, quoted))
    }

    @Test func `an IPv4 router's error reaches the IPv6 sender with its own packet inside`() throws {
        var (nat, tcp, udp, echo) = prepared()
        var out: [UInt8] = []
        // The sent packets, one hop later, as the client would recognise them.
        let originals = [
            SamplePackets.v6(Base.client, Base.server6, 6, SamplePackets.tcp(40000, 443, .syn, data), hopLimit: 63),
            SamplePackets.v6(Base.client, Base.server6, 17, SamplePackets.udp(5000, 53, data), hopLimit: 63),
            SamplePackets.v6(Base.client, Base.server6, 58, SamplePackets.echo(128, id: 7000, data), hopLimit: 63),
        ]
        for (quoted, original) in zip([tcp, udp, echo], originals) {
            let error = error4(3, 1, about: quoted)
            #expect(nat.translate(error.span, at: .zero, into: &out) == .translated(to: .v6, packets: 1))
            #expect(
                out
                    == SamplePackets.v6(
                        Base.prefix.embed(Self.router), Base.client, 58,
                        SamplePackets.icmp(1, 0, rest: [0, 0, 0, 0], original), hopLimit: 63))
        }
    }

    // RFC 792 requires only eight bytes of the lost packet's payload.
    @Test func `eight quoted bytes are enough`() throws {
        var (nat, tcp, _, _) = prepared()
        var out: [UInt8] = []
        let error = error4(11, 0, about: Array(tcp.prefix(28)))
        #expect(nat.translate(error.span, at: .zero, into: &out) == .translated(to: .v6, packets: 1))
        #expect(SamplePackets.isIntact(out))
        let inner = try IPv6Header(out.span.extracting(48..<out.count), isQuoted: true)
        #expect(inner.source == Base.client && inner.destination == Base.server6 && inner.payload.count == 8)
        #expect(inner.payloadLength == tcp.count - 20)
    }

    // RFC 7915 §4.2.
    @Test(
        arguments: [
            (3, 0, 0, 1, 0, 0), (3, 2, 0, 4, 1, 6), (3, 3, 0, 1, 4, 0), (3, 9, 0, 1, 1, 0), (3, 13, 0, 1, 1, 0),
            (3, 4, 1400, 2, 0, 1420), (3, 4, 1000, 2, 0, 1280), (3, 4, 9000, 2, 0, 1500), (11, 1, 0, 3, 1, 0),
            (12, 0, 8 << 24, 4, 0, 7), (12, 0, 9 << 24, 4, 0, 6), (12, 2, 13 << 24, 4, 0, 8),
            (12, 0, 17 << 24, 4, 0, 24),
        ] as [(UInt8, UInt8, UInt32, UInt8, UInt8, UInt32)])
    func `ICMP errors become their ICMPv6 counterparts`(
        _ type: UInt8, _ code: UInt8, _ rest: UInt32, _ type6: UInt8, _ code6: UInt8, _ rest6: UInt32
    ) throws {
        var (nat, _, udp, _) = prepared()
        var out: [UInt8] = []
        let word = SamplePackets.two(Int(rest >> 16)) + SamplePackets.two(Int(rest & 0xFFFF))
        let result = nat.translate(error4(type, code, rest: word, about: udp).span, at: .zero, into: &out)
        #expect(result == .translated(to: .v6, packets: 1))
        let icmp = try ICMPHeader(out.span.extracting(40..<out.count))
        #expect(icmp.type == type6 && icmp.code == code6 && icmp.rest == rest6)
        #expect(SamplePackets.isIntact(out))
    }

    // A router from before RFC 1191 reports 0: the MTU is guessed from the quoted length (1,400 → plateau 1,006 →
    // 1,280).
    @Test func `an error without an MTU gets a plausible one`() throws {
        var nat = Base.translator()
        var out: [UInt8] = []
        let long = SamplePackets.v6(
            Base.client, Base.server6, 17, SamplePackets.udp(5000, 53, Array(repeating: 1, count: 1452)))
        _ = nat.translate(long.span, at: .zero, into: &out)
        #expect(out.count == 1480)
        _ = nat.translate(error4(3, 4, about: Array(out.prefix(60))).span, at: .zero, into: &out)
        #expect(try ICMPHeader(out.span.extracting(40..<out.count)).rest == 1280)
    }

    @Test(arguments: [(3, 14), (3, 200), (4, 0), (5, 1), (12, 1)] as [(UInt8, UInt8)])
    func `ICMP errors without a counterpart are dropped`(_ type: UInt8, _ code: UInt8) {
        var (nat, _, udp, _) = prepared()
        var out: [UInt8] = []
        let result = nat.translate(error4(type, code, about: udp).span, at: .zero, into: &out)
        #expect(result == .dropped(.untranslatableICMP(type: type, code: code)))
    }

    @Test func `a corrupted error or one about an unknown packet is dropped`() {
        var (nat, _, udp, _) = prepared()
        var out: [UInt8] = []
        var broken = error4(3, 1, about: udp)
        broken[broken.count - 1] ^= 1
        #expect(nat.translate(broken.span, at: .zero, into: &out) == .dropped(.badChecksum))
        let foreign = SamplePackets.v4(Base.server, Base.pool, 17, SamplePackets.udp(53, 5000, data))
        #expect(nat.translate(error4(3, 1, about: foreign).span, at: .zero, into: &out) == .dropped(.noBinding))
    }

    // RFC 7915 §5.2.
    @Test(
        arguments: [
            (1, 0, 0, 3, 1, 0), (1, 1, 0, 3, 10, 0), (1, 2, 0, 3, 1, 0), (1, 4, 0, 3, 3, 0), (2, 0, 1400, 3, 4, 1380),
            (2, 0, 9000, 3, 4, 1480), (3, 0, 0, 11, 0, 0), (4, 1, 40, 3, 2, 0), (4, 0, 7, 12, 0, 8 << 24),
            (4, 0, 30, 12, 0, 16 << 24),
        ] as [(UInt8, UInt8, UInt32, UInt8, UInt8, UInt32)])
    func `ICMPv6 errors become their ICMP counterparts`(
        _ type: UInt8, _ code: UInt8, _ rest: UInt32, _ type4: UInt8, _ code4: UInt8, _ rest4: UInt32
    ) {
        var (nat, _, _, _) = prepared()
        var out: [UInt8] = []
        let reply = SamplePackets.v4(
            Base.server, Base.pool, 6, SamplePackets.tcp(443, 40000, [.syn, .ack], data), ttl: 64)
        _ = nat.translate(reply.span, at: .zero, into: &out)
        let word = SamplePackets.two(Int(rest >> 16)) + SamplePackets.two(Int(rest & 0xFFFF))
        let error = SamplePackets.v6(Base.client, Base.server6, 58, SamplePackets.icmp(type, code, rest: word, out))
        #expect(nat.translate(error.span, at: .zero, into: &out) == .translated(to: .v4, packets: 1))
        let inner = SamplePackets.v4(
            Base.server, Base.pool, 6, SamplePackets.tcp(443, 40000, [.syn, .ack], data), ttl: 63, dontFragment: false,
            id: 0)
        let word4 = SamplePackets.two(Int(rest4 >> 16)) + SamplePackets.two(Int(rest4 & 0xFFFF))
        #expect(
            out
                == SamplePackets.v4(
                    Base.pool, Base.server, 1, SamplePackets.icmp(type4, code4, rest: word4, inner), ttl: 63,
                    dontFragment: false, id: 4))
    }

    @Test(arguments: [(1, 5, 0), (4, 2, 0), (4, 0, 2)] as [(UInt8, UInt8, UInt8)])
    func `ICMPv6 errors without a counterpart are dropped`(_ type: UInt8, _ code: UInt8, _ rest: UInt8) {
        var (nat, _, _, _) = prepared()
        var out: [UInt8] = []
        let error = SamplePackets.v6(
            Base.client, Base.server6, 58, SamplePackets.icmp(type, code, rest: [0, 0, 0, rest], data))
        #expect(
            nat.translate(error.span, at: .zero, into: &out) == .dropped(.untranslatableICMP(type: type, code: code)))
    }
}
