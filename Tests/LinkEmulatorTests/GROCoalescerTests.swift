import InternetAddresses
import LinkEmulator
import Testing

/// Joining is correct if segmentation restores the joined segments byte for byte: the segmenter, whose own tests verify
/// it independently, creates the segments and splits the joined packet again. Each segment that must not be joined
/// differs in one property.
@Suite struct GROCoalescerTests {
    private let four = (IPv4Address(0xC000_0202), IPv4Address(0xC633_6401))
    private let six = (
        IPv6Address(high: 0x2001_0db8_0001_0000, low: 2), IPv6Address(high: 0x2001_0db8_00ff_0000, low: 1)
    )

    private func segments(
        _ count: Int, of each: Int = 100, last: TCPHeader.Flags = [.ack, .psh], overSix: Bool = false
    ) throws -> [[UInt8]] {
        var random = TestRandom(7)
        let data = random.bytes(count)
        let tcp = SamplePackets.tcp(1000, 443, last, data)
        let start = overSix ? 40 : 20
        let whole =
            overSix ? SamplePackets.v6(six.0, six.1, 6, tcp) : SamplePackets.v4(four.0, four.1, 6, tcp, id: 0xFFFE)
        let made = GSOMetadata(train: whole.span, overSix ? .tcp6 : .tcp4, segmentLength: each, start: start)
        let offload = try #require(made)
        return cut(whole.span, offload)
    }

    private func cut(_ packet: Span<UInt8>, _ offload: GSOMetadata) -> [[UInt8]] {
        var segmenter = GSOSegmenter()
        var all: [[UInt8]] = []
        segmenter.forEach(of: packet, offload) { packet in all.append((0..<packet.count).map { packet[$0] }) }
        return all
    }

    /// Returns the joiner's output: the packets and joined packets that it passed on, each segmented again.
    private func handed(_ packets: [[UInt8]]) -> [[[UInt8]]] {
        var joiner = GROCoalescer()
        var groups: [[[UInt8]]] = []
        func flush() { joiner.flush { packet, offload in groups.append(cut(packet, offload)) } }
        for packet in packets where !joiner.join(packet.span) {
            flush()
            if !joiner.join(packet.span) { groups.append([packet]) }
        }
        flush()
        return groups
    }

    private func changed(_ packet: [UInt8], at place: Int, to value: UInt8) -> [UInt8] {
        var packet = packet
        packet[place] = value
        return packet
    }

    @Test(arguments: [false, true], [101, 199, 200, 1000, 1001])
    func `segments of one packet become that packet again`(_ overSix: Bool, _ count: Int) throws {
        let packets = try segments(count, overSix: overSix)
        #expect(handed(packets) == [packets])
    }

    @Test func `a single segment is passed on unchanged`() throws {
        let packets = try segments(80)
        #expect(handed(packets) == [packets])
    }

    @Test(arguments: [false, true])
    func `nothing is lost, duplicated or moved if the fourth segment is missing`(_ overSix: Bool) throws {
        var packets = try segments(1000, overSix: overSix)
        packets.remove(at: 3)
        #expect(handed(packets) == [Array(packets[..<3]), Array(packets[3...])])
    }

    @Test func `segments in the wrong order keep their order`() throws {
        var packets = try segments(500)
        packets.swapAt(1, 2)
        #expect(handed(packets).flatMap { $0 } == packets)
        #expect(handed(packets).count > 1)
    }

    @Test func `a segment after a pushed or a short one starts a new packet`() throws {
        let pushed = try segments(300)
        let packets = pushed + pushed
        #expect(handed(packets) == [pushed, pushed])
    }

    /// Every single bit of a segment: the joined packet has its own checksum, which would hide a corrupted segment.
    @Test(arguments: [false, true])
    func `a corrupted segment is passed on corrupted and alone`(_ overSix: Bool) throws {
        let packets = try segments(30, of: 10, overSix: overSix)
        for bit in 0..<packets[1].count * 8 {
            var flipped = packets
            flipped[1][bit / 8] ^= 0x80 >> UInt8(bit % 8)
            let groups = handed(flipped)
            #expect(groups.flatMap { $0 } == flipped, "bit \(bit)")
            #expect(groups.contains([flipped[1]]), "bit \(bit)")
        }
    }

    @Test(arguments: [
        TCPHeader.Flags.syn, .fin, .rst, .urg, .ece, .cwr,
    ])
    func `a segment with other flags is never joined`(_ flag: TCPHeader.Flags) throws {
        let one = try #require(try segments(100, last: [.ack, flag]).first)
        var joiner = GROCoalescer()
        let isJoined = joiner.join(one.span)
        #expect(!isJoined && joiner.isEmpty)
    }

    @Test func `datagrams, bare acknowledgements, fragments and garbage are never joined`() {
        let packets: [[UInt8]] = [
            SamplePackets.v4(four.0, four.1, 17, SamplePackets.udp(1, 2, [1, 2, 3])),
            SamplePackets.v4(four.0, four.1, 6, SamplePackets.tcp(1, 2, .ack)),
            SamplePackets.v4(four.0, four.1, 6, SamplePackets.tcp(1, 2, .ack, [1, 2, 3]), moreFragments: true),
            [], [0x45], [UInt8](repeating: 0x45, count: 60), [UInt8](repeating: 0x60, count: 60),
        ]
        for packet in packets {
            var joiner = GROCoalescer()
            let isJoined = joiner.join(packet.span)
            #expect(!isJoined)
        }
    }

    @Test func `two connections do not become one`() throws {
        let one = try segments(200, last: .ack)
        let other = SamplePackets.v4(
            four.0, four.1, 6, SamplePackets.tcp(1001, 443, .ack, [UInt8](repeating: 1, count: 100)))
        #expect(handed([one[0], other, one[1]]) == [[one[0]], [other], [one[1]]])
    }

    @Test func `a joined packet never exceeds the maximum IP packet length`() throws {
        let first = try segments(60_000, of: 1000, last: .ack)
        var packets = first
        // The sequence numbers continue where the first joined packet ends.
        for number in 60..<80 {
            var tcp = SamplePackets.tcp(1000, 443, .ack, [UInt8](repeating: 9, count: 1000))
            let sequence = 1 + number * 1000
            tcp.replaceSubrange(4..<8, with: SamplePackets.two(sequence >> 16) + SamplePackets.two(sequence & 0xFFFF))
            packets.append(SamplePackets.v4(four.0, four.1, 6, tcp, id: (0xFFFE + number) & 0xFFFF))
        }
        let groups = handed(packets)
        #expect(groups.flatMap { $0 } == packets)
        #expect(groups.map(\.count) == [65, 15])
    }
}
