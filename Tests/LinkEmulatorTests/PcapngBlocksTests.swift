import LinkEmulator
import Testing

// Golden bytes, written from the draft's block layouts (draft-ietf-opsawg-pcapng §4).
@Suite struct PcapngBlocksTests {
    @Test func `a section header names the application`() {
        #expect(
            PcapngBlocks.sectionHeader(application: "crosswind")
                == SamplePackets.bytes(
                    """
                    0a0d0d0a 30000000 4d3c2b1a 0100 0000 ffffffffffffffff
                    0400 0900 63726f737377696e64000000 0000 0000 30000000
                    """))
    }

    @Test func `an interface has raw IP packets and nanoseconds`() {
        #expect(
            PcapngBlocks.interface(name: "wlan0")
                == SamplePackets.bytes(
                    "01000000 2c000000 6500 0000 00000000 0200 0500 776c616e30000000 0900 0100 09000000 0000 0000 2c000000"
                ))
    }

    @Test func `a packet carries time, direction and comment`() {
        let packet: [UInt8] = [0x45, 1, 2, 3, 4]
        #expect(
            PcapngBlocks.packet(
                packet.span, interface: 2, nanoseconds: 0x1122_3344_5566_7788, flow: .outbound, comment: "lost")
                == SamplePackets.bytes(
                    """
                    06000000 3c000000 02000000 44332211 88776655 05000000 05000000 4501020304000000
                    0100 0400 6c6f7374 0200 0400 02000000 0000 0000 3c000000
                    """))
        #expect(
            PcapngBlocks.packet(packet.span, interface: 0, nanoseconds: 1)
                == SamplePackets.bytes(
                    "06000000 28000000 00000000 00000000 01000000 05000000 05000000 4501020304000000 28000000"))
    }

    @Test func `TLS keys become a secrets block`() {
        #expect(
            PcapngBlocks.decryptionSecrets(keyLog: "ABCDE")
                == SamplePackets.bytes("0a000000 1c000000 4b534c54 05000000 4142434445000000 1c000000"))
    }

    @Test func `the length of every block is a multiple of four and stated twice`() {
        for length in 0..<9 {
            let text = String(repeating: "é", count: length)
            let bytes = [UInt8](repeating: 1, count: length)
            for block in [
                PcapngBlocks.sectionHeader(application: text, comment: text),
                PcapngBlocks.interface(name: text, description: text),
                PcapngBlocks.packet(bytes.span, interface: 0, nanoseconds: 0, flow: .inbound, comment: text),
                PcapngBlocks.decryptionSecrets(keyLog: text),
            ] {
                func little(_ slice: ArraySlice<UInt8>) -> Int { slice.reversed().reduce(0) { $0 << 8 | Int($1) } }
                #expect(block.count % 4 == 0)
                #expect(little(block[4..<8]) == block.count && little(block.suffix(4)) == block.count)
            }
        }
    }
}
