import LinkEmulator
import Testing

/// The files are written from the draft's block layouts (draft-ietf-opsawg-pcapng §4), not with the project's writer.
@Suite struct PcapngReaderTests {
    private static let ip: [UInt8] = [0x45, 0, 0, 4]

    /// Composes a file in one byte order.
    private struct File {
        var isLittle = true
        var bytes: [UInt8] = []

        func number(_ value: UInt64, _ width: Int) -> [UInt8] {
            let little = (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
            return isLittle ? little : little.reversed()
        }
        mutating func block(_ type: UInt64, _ body: [UInt8]) {
            let padded = body + Array(repeating: 0, count: (4 - body.count % 4) % 4)
            let length = number(UInt64(12 + padded.count), 4)
            bytes += number(type, 4) + length + padded + length
        }
        mutating func section() {
            block(0x0A0D_0D0A, number(0x1A2B_3C4D, 4) + number(1, 2) + number(0, 2) + number(.max, 8))
        }
        mutating func interface(_ linkType: UInt64, options: [UInt8] = []) {
            block(1, number(linkType, 2) + number(0, 2) + number(0, 4) + options)
        }
        mutating func packet(_ bytes: [UInt8], units: UInt64 = 0, interface: UInt64 = 0) {
            let count = number(UInt64(bytes.count), 4)
            block(
                6,
                number(interface, 4) + number(units >> 32, 4) + number(units & 0xFFFF_FFFF, 4) + count + count + bytes)
        }
        static func of(_ linkType: UInt64, _ packets: [UInt8]..., isLittle: Bool = true) -> File {
            var file = File(isLittle: isLittle)
            file.section()
            file.interface(linkType)
            for packet in packets { file.packet(packet, units: 7) }
            return file
        }
    }

    private func error(_ bytes: [UInt8]) -> PcapngError? {
        do throws(PcapngError) {
            _ = try PcapngReader.packets(bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [true, false])
    func `both byte orders are read, and times are microseconds without an option`(_ isLittle: Bool) throws {
        let packets = try PcapngReader.packets(File.of(101, Self.ip, isLittle: isLittle).bytes)
        #expect(packets == [CapturedPacket(time: 7000, bytes: Self.ip[...])])
    }

    @Test func `an interface states the unit and the origin of its times`() throws {
        var file = File()
        file.section()
        // if_tsresol 10^-9; 2^-10 with an offset of 100 s; 10^-3.
        file.interface(101, options: file.number(9, 2) + file.number(1, 2) + [9, 0, 0, 0])
        file.interface(
            101,
            options: file.number(9, 2) + file.number(1, 2) + [0x8A, 0, 0, 0] + file.number(14, 2) + file.number(8, 2)
                + file.number(100, 8))
        file.interface(101, options: file.number(9, 2) + file.number(1, 2) + [3, 0, 0, 0])
        file.packet(Self.ip, units: 1_700_000_000_123_456_789)
        file.packet(Self.ip, units: 512, interface: 1)
        file.packet(Self.ip, units: 5, interface: 2)
        #expect(
            try PcapngReader.packets(file.bytes).map(\.time) == [1_700_000_000_123_456_789, 100_500_000_000, 5_000_000])
    }

    @Test func `headers of Ethernet, VLANs, cooked captures and loopback are removed`() throws {
        let addresses = [UInt8](repeating: 2, count: 12)
        let frames: [(UInt64, [UInt8])] = [
            (1, addresses + [8, 0]), (1, addresses + [0x81, 0, 0, 5, 8, 0]), (0, [2, 0, 0, 0]),
            (113, [UInt8](repeating: 0, count: 14) + [8, 0]), (276, [8, 0] + [UInt8](repeating: 0, count: 18)),
            (228, []),
        ]
        for (linkType, header) in frames {
            let packets = try PcapngReader.packets(File.of(linkType, header + Self.ip).bytes)
            #expect(packets.map { Array($0.bytes) } == [Self.ip], "link type \(linkType)")
        }
    }

    @Test func `packets that are not IP and unknown blocks are left out`() throws {
        var file = File.of(1, [UInt8](repeating: 2, count: 12) + [8, 6, 0, 1])
        file.block(0xBAD, [1, 2, 3])
        #expect(try PcapngReader.packets(file.bytes).isEmpty)
    }

    @Test func `a second section has interfaces of its own`() throws {
        var file = File.of(1, [])
        file.bytes += File.of(101, Self.ip).bytes
        #expect(try PcapngReader.packets(file.bytes).count == 1)
    }

    @Test func `what the project writes is read back`() throws {
        let bytes =
            PcapngBlocks.sectionHeader(application: "crosswind") + PcapngBlocks.interface(name: "wlan0")
            + PcapngBlocks.decryptionSecrets(keyLog: "CLIENT_RANDOM 00 11")
            + PcapngBlocks.packet(Self.ip.span, interface: 0, nanoseconds: 123_456_789, flow: .inbound, comment: "kept")
        #expect(try PcapngReader.packets(bytes) == [CapturedPacket(time: 123_456_789, bytes: Self.ip[...])])
    }

    @Test func `damaged files are refused with the place`() {
        let whole = File.of(101, Self.ip).bytes
        #expect(error(Array(whole.dropLast(1))) == .truncated(offset: 48))
        #expect(error(Array(whole.dropLast(30))) == .truncated(offset: 48))
        var length = whole
        length[length.count - 4] = 1
        #expect(error(length) == .malformed(offset: 48, "its two lengths differ"))
        var interface = File()
        interface.section()
        interface.packet(Self.ip)
        #expect(error(interface.bytes) == .malformed(offset: 28, "its interface 0 is not described"))
        #expect(error([0xD4, 0xC3, 0xB2, 0xA1, 2, 0]) == .classicPcap)
        #expect(error([1, 2]) == .notPcapng)
        #expect(error(File.of(147, Self.ip).bytes) == .linkTypes([147]))
    }
}
