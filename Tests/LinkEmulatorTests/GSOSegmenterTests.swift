import InternetAddresses
import LinkEmulator
import Testing

/// GSO packets are built here as a kernel passes them: one header, the payload of several segments behind it, and in
/// the checksum field only the sum of the pseudo-header. The output is verified by code that shares nothing with the
/// segmenter, for every payload length around the edges of a segment, and sums are checked over random bytes, where a
/// swapped pair would show.
@Suite struct GSOSegmenterTests {
    private let four = (IPv4Address(0xC000_0202), IPv4Address(0xC633_6401))
    private let six = (
        IPv6Address(high: 0x2001_0db8_0001_0000, low: 2), IPv6Address(high: 0x2001_0db8_00ff_0000, low: 1)
    )

    private func wirePackets(_ packet: [UInt8], _ offload: GSOMetadata) -> [[UInt8]] {
        var segmenter = GSOSegmenter()
        var all: [[UInt8]] = []
        segmenter.forEach(of: packet.span, offload) { packet in
            all.append((0..<packet.count).map { packet[$0] })
        }
        return all
    }

    private func train(
        _ packet: [UInt8], _ segmentation: GSOMetadata.Segmentation, segmentLength: Int, start: Int
    ) -> GSOMetadata? {
        GSOMetadata(train: packet.span, segmentation, segmentLength: segmentLength, start: start)
    }

    private func checksum(_ packet: [UInt8], _ start: Int, _ offset: Int) -> GSOMetadata? {
        GSOMetadata(checksumOf: packet.span, start: start, offset: offset)
    }

    /// Returns the packet with a sender's partial checksum: the folded sum of the pseudo-header, not its complement.
    private func withPartialChecksum(_ packet: [UInt8], _ start: Int, _ offset: Int, next: UInt8) -> [UInt8] {
        let length = packet.count - start
        let addresses = packet[0] >> 4 == 4 ? packet[12..<20] : packet[8..<40]
        let pseudo =
            Array(addresses) + [0, next] + SamplePackets.two(length >> 16) + SamplePackets.two(length & 0xFFFF)
        var partial = packet
        partial.replaceSubrange(
            start + offset..<start + offset + 2, with: SamplePackets.two(Int(SamplePackets.sum(pseudo))))
        return partial
    }

    private func payload(_ packet: [UInt8], from start: Int) -> ArraySlice<UInt8> { packet[start...] }
    private func word32(_ packet: [UInt8], _ place: Int) -> UInt32 {
        packet[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    @Test(arguments: [1, 2, 99, 100, 101, 199, 200, 201, 1000, 1001])
    func `a TCP GSO packet over IPv4 becomes valid segments`(_ count: Int) throws {
        var random = TestRandom(UInt64(count))
        let data = random.bytes(count)
        let whole = withPartialChecksum(
            SamplePackets.v4(
                four.0, four.1, 6, SamplePackets.tcp(1000, 443, [.ack, .psh, .fin, .cwr], data), id: 0xFFFE), 20, 16,
            next: 6)
        let offload = try #require(train(whole, .tcp4, segmentLength: 100, start: 20))
        #expect(Int(offload.segments) == (count + 99) / 100)
        let packets = wirePackets(whole, offload)
        #expect(packets.count == Int(offload.segments))
        #expect(packets.allSatisfy(SamplePackets.isIntact))
        #expect(packets.flatMap { payload($0, from: 40) } == data)
        #expect(packets.reduce(0) { $0 + $1.count } == offload.wireBytes(whole.count))
        for (number, packet) in packets.enumerated() {
            #expect(word32(packet, 24) == 1 + UInt32(number) * 100)
            // The identification wraps after 65,535.
            #expect(Int(packet[4]) << 8 | Int(packet[5]) == (0xFFFE + number) & 0xFFFF)
            let flags = TCPHeader.Flags(rawValue: packet[33])
            #expect(flags.contains([.fin, .psh]) == (number == packets.count - 1))
            #expect(flags.isDisjoint(with: [.fin, .psh]) == (number < packets.count - 1))
            #expect(flags.contains(.cwr) == (number == 0))
            #expect(flags.contains(.ack))
        }
    }

    @Test(arguments: [1, 1440, 1441, 14_400, 65_000])
    func `a TCP GSO packet over IPv6 becomes valid segments`(_ count: Int) throws {
        var random = TestRandom(UInt64(count))
        let data = random.bytes(count)
        let whole = withPartialChecksum(
            SamplePackets.v6(six.0, six.1, 6, SamplePackets.tcp(1000, 443, [.ack], data)), 40, 16, next: 6)
        let offload = try #require(train(whole, .tcp6, segmentLength: 1440, start: 40))
        let packets = wirePackets(whole, offload)
        #expect(packets.count == (count + 1439) / 1440)
        #expect(packets.allSatisfy(SamplePackets.isIntact))
        #expect(packets.flatMap { payload($0, from: 60) } == data)
        #expect(packets.allSatisfy { $0.count <= 1500 })
    }

    @Test func `TCP options are repeated in every segment`() throws {
        var random = TestRandom(5)
        let data = random.bytes(250)
        var segment = SamplePackets.tcp(1000, 443, [.ack], [])
        segment[12] = 0x80  // 32 bytes
        segment += [1, 1, 8, 10, 1, 2, 3, 4, 5, 6, 7, 8]
        let whole = withPartialChecksum(SamplePackets.v4(four.0, four.1, 6, segment + data), 20, 16, next: 6)
        let offload = try #require(train(whole, .tcp4, segmentLength: 100, start: 20))
        let packets = wirePackets(whole, offload)
        #expect(packets.count == 3 && packets.allSatisfy(SamplePackets.isIntact))
        #expect(packets.allSatisfy { $0[40..<52] == segment[20...] })
        #expect(packets.flatMap { payload($0, from: 52) } == data)
    }

    @Test(arguments: [false, true])
    func `a UDP GSO packet becomes datagrams, each with its length`(_ isIPv6: Bool) throws {
        var random = TestRandom(9)
        let data = random.bytes(2_500)
        let datagram = SamplePackets.udp(5000, 443, data)
        let start = isIPv6 ? 40 : 20
        let whole = withPartialChecksum(
            isIPv6 ? SamplePackets.v6(six.0, six.1, 17, datagram) : SamplePackets.v4(four.0, four.1, 17, datagram),
            start, 6,
            next: 17)
        let offload = try #require(train(whole, .udp, segmentLength: 1200, start: start))
        let packets = wirePackets(whole, offload)
        #expect(packets.map(\.count) == [1200, 1200, 100].map { start + 8 + $0 })
        #expect(packets.allSatisfy(SamplePackets.isIntact))
        #expect(packets.allSatisfy { Int($0[start + 4]) << 8 | Int($0[start + 5]) == $0.count - start })
        #expect(packets.flatMap { payload($0, from: start + 8) } == data)
    }

    @Test func `a partial checksum is completed, and a sum of zero is not sent as none`() throws {
        for last in 0...UInt8.max {
            for other in [UInt8(0), 0x5A] {
                let datagram = SamplePackets.udp(5000, 443, [0xFF, 0xFF, other, last])
                let whole = withPartialChecksum(SamplePackets.v4(four.0, four.1, 17, datagram), 20, 6, next: 17)
                let offload = try #require(checksum(whole, 20, 6))
                let packets = wirePackets(whole, offload)
                try #require(packets.count == 1)
                #expect(SamplePackets.isIntact(packets[0]))
                #expect(packets[0][26...27] != [0, 0])
            }
        }
    }

    @Test func `a complete packet is passed on unchanged`() {
        let packet = SamplePackets.v4(four.0, four.1, 6, SamplePackets.tcp(1, 2, .ack, [1, 2, 3]))
        #expect(wirePackets(packet, .complete) == [packet])
    }

    @Test func `a header that contradicts the packet is rejected`() {
        let whole = SamplePackets.v4(
            four.0, four.1, 6, SamplePackets.tcp(1, 2, .ack, [UInt8](repeating: 0, count: 300)))
        for start in [0, 19, 21, 24, 340, 359, 10_000] {
            #expect(train(whole, .tcp4, segmentLength: 100, start: start) == nil)
        }
        #expect(train(whole, .tcp4, segmentLength: 0, start: 20) == nil)
        #expect(train(whole, .tcp6, segmentLength: 100, start: 40) == nil)
        #expect(train(whole, .whole, segmentLength: 100, start: 20) == nil)
        #expect(checksum(whole, 339, 16) == nil)
        var nothingBehind = whole
        nothingBehind[32] = 0xF0  // A TCP header of 60 bytes still leaves a payload; one of 340 does not exist.
        #expect(train(Array(nothingBehind[..<80]), .tcp4, segmentLength: 100, start: 20) == nil)
    }
}
