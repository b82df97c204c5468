import InternetAddresses
import LinkEmulator
import Testing

@Suite struct NAT64FuzzTests {
    private typealias Base = NAT64TranslatorTests

    // Valid packets of every kind with some bytes changed or cut off, in both directions, through one translator. Every
    // output must be a packet that the parsers accept.
    @Test func `no input makes the translator trap or produce invalid packets`() {
        var random = TestRandom(2024)
        var nat = Base.translator(ports: 5000...5020)
        let data = random.bytes(40)
        let udp4 = SamplePackets.v4(Base.pool, Base.server, 17, SamplePackets.udp(5000, 53, data))
        let tcp6 = SamplePackets.v6(Base.server6, Base.client, 6, SamplePackets.tcp(443, 5001, .ack, data))
        let seeds = [
            SamplePackets.v6(Base.client, Base.server6, 6, SamplePackets.tcp(5001, 443, .syn, data)),
            SamplePackets.v6(Base.client, Base.server6, 17, SamplePackets.udp(5000, 53, data)),
            SamplePackets.v6(Base.client, Base.server6, 17, SamplePackets.udp(5000, 53, data), fragment: (0, true, 5)),
            SamplePackets.v6(Base.client, Base.server6, 17, data, fragment: (800, true, 5)),
            SamplePackets.v6(Base.client, Base.server6, 58, SamplePackets.echo(128, id: 5002, data)),
            SamplePackets.v6(Base.client, Base.server6, 58, SamplePackets.icmp(2, rest: [0, 0, 5, 0], tcp6)),
            SamplePackets.v6(Base.client, Base.prefix.embed(Base.pool), 17, SamplePackets.udp(5000, 5000, data)),
            SamplePackets.v4(Base.server, Base.pool, 6, SamplePackets.tcp(443, 5001, .ack, data)),
            SamplePackets.v4(Base.server, Base.pool, 17, SamplePackets.udp(53, 5000, data), options: [131, 3, 4, 0]),
            SamplePackets.v4(Base.server, Base.pool, 17, SamplePackets.udp(53, 5000, data), moreFragments: true),
            SamplePackets.v4(Base.server, Base.pool, 17, data, moreFragments: true, offset: 65528),
            SamplePackets.v4(Base.server, Base.pool, 1, SamplePackets.echo(0, id: 5002, data)),
            SamplePackets.v4(Base.server, Base.pool, 1, SamplePackets.icmp(3, 4, rest: [0, 0, 5, 0], udp4)),
            SamplePackets.v4(
                Base.server, Base.pool, 17, SamplePackets.udp(53, 5000, random.bytes(3000)), dontFragment: false),
        ]
        var out: [UInt8] = []
        var translated = [0, 0]
        var nonsense: [[UInt8]] = []
        for round in 0..<100_000 {
            var bytes = seeds[round % seeds.count]
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                bytes[Int.random(in: 0..<min(bytes.count, 100), using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            if round % 7 == 0 { bytes.removeLast(Int.random(in: 0...bytes.count, using: &random)) }
            // A mutated IPv4 header or ICMP message would mostly fail its checksum; correct those.
            if bytes.count >= 60, bytes[0] >> 4 == 4, round % 2 == 0 { Self.seal(&bytes) }
            let now = LinkTime(nanoseconds: Int64(round) * 10_000_000)
            switch nat.translate(bytes.span, at: now, into: &out) {
            case .translated(let version, let expected):
                translated[version == .v4 ? 0 : 1] += 1
                var found = 0
                var total = 0
                IPPacketSequence.forEach(in: out.span) { packet in
                    found += 1
                    total += packet.count
                    if packet[0] >> 4 != version.rawValue || (try? IPPacket(packet)) == nil { nonsense.append(bytes) }
                }
                if found != expected || total != out.count { nonsense.append(bytes) }
            case .replied: if !SamplePackets.isIntact(out) { nonsense.append(bytes) }
            case .dropped, .ignored, .held: if !out.isEmpty { nonsense.append(bytes) }
            }
        }
        #expect(nonsense.isEmpty)
        // Enough mutants must be translated for the test to be meaningful.
        #expect(translated[0] > 10_000 && translated[1] > 10_000)
    }

    private static func seal(_ bytes: inout [UInt8]) {
        let length = Int(bytes[0] & 15) * 4
        guard length >= 20, bytes.count >= length + 8 else { return }
        bytes.replaceSubrange(10..<12, with: [0, 0])
        bytes.replaceSubrange(10..<12, with: SamplePackets.two(Int(0xFFFF - SamplePackets.sum(bytes[..<length]))))
        guard bytes[9] == 1 else { return }
        bytes.replaceSubrange(length + 2..<length + 4, with: [0, 0])
        let sum = SamplePackets.sum(bytes[length...])
        bytes.replaceSubrange(length + 2..<length + 4, with: SamplePackets.two(Int(0xFFFF - sum)))
    }

    // Every valid packet must come out with correct checksums, whatever its size, ports and flags.
    @Test func `checksums are correct after every translation in both directions`() {
        var random = TestRandom(77)
        var nat = Base.translator()
        var out: [UInt8] = []
        for round in 0..<3000 {
            let data = random.bytes(Int.random(in: 0...1100, using: &random))
            let port = Int.random(in: 1...65535, using: &random)
            let now = LinkTime(nanoseconds: Int64(round))
            let transport: [UInt8]
            let next: UInt8
            switch round % 3 {
            case 0: (next, transport) = (6, SamplePackets.tcp(port, 443, .syn, data))
            case 1: (next, transport) = (17, SamplePackets.udp(port, 443, data))
            case _: (next, transport) = (58, SamplePackets.echo(128, id: port, data))
            }
            let sent = SamplePackets.v6(Base.client, Base.server6, next, transport)
            #expect(nat.translate(sent.span, at: now, into: &out) == .translated(to: .v4, packets: 1))
            #expect(SamplePackets.isIntact(out))
            // The server replies with the same payload and exchanged ports.
            var reply = Array(out[20...])
            if next == 58 {
                reply[0] = 0
            } else {
                reply.replaceSubrange(0..<4, with: reply[2..<4] + reply[0..<2])
            }
            let back = SamplePackets.v4(Base.server, Base.pool, next == 58 ? 1 : next, reply)
            #expect(nat.translate(back.span, at: now, into: &out) == .translated(to: .v6, packets: 1))
            #expect(SamplePackets.isIntact(out))
            var expected = transport
            if next == 58 {
                expected[0] = 129
            } else {
                expected.replaceSubrange(0..<4, with: transport[2..<4] + transport[0..<2])
            }
            #expect(out == SamplePackets.v6(Base.server6, Base.client, next, expected, hopLimit: 63))
        }
    }
}
