import LinkEmulator
import Testing

@Suite struct InternetChecksumTests {
    // The example of RFC 1071 §3: the sum is ddf2.
    @Test func `the published example is reproduced`() {
        var sum = InternetChecksum()
        let bytes: [UInt8] = [0x00, 0x01, 0xF2, 0x03, 0xF4, 0xF5, 0xF6, 0xF7]
        sum.add(bytes.span)
        #expect(sum.value == ~0xDDF2)
    }

    // The example of RFC 1624 §4: checksum dd2f, a word 5555 becomes 3285, the new checksum is 0000.
    @Test func `the published update is reproduced`() {
        var sum = InternetChecksum(repairing: 0xDD2F)
        sum.remove(UInt16(0x5555))
        sum.add(UInt16(0x3285))
        #expect(sum.value == 0)
        #expect(sum.udpValue == 0xFFFF)
    }

    @Test func `an updated checksum equals a recomputed one`() {
        var random = TestRandom(12)
        var wrong: [[UInt8]] = []
        for _ in 0..<5000 {
            var bytes = random.bytes(Int.random(in: 2...61, using: &random))
            var sum = InternetChecksum()
            sum.add(bytes.span)
            let place = Int.random(in: 0..<bytes.count / 2, using: &random) * 2
            var repaired = InternetChecksum(repairing: sum.value)
            repaired.remove(UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1]))
            let new = UInt16(truncatingIfNeeded: random.next())
            bytes[place] = UInt8(new >> 8)
            bytes[place + 1] = UInt8(new & 255)
            repaired.add(new)
            var recomputed = InternetChecksum()
            recomputed.add(bytes.span)
            if repaired.value != recomputed.value || recomputed.value != ~UInt16(SamplePackets.sum(bytes)) {
                wrong.append(bytes)
            }
        }
        #expect(wrong.isEmpty)
    }
}
