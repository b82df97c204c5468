import Testing

@testable import TestServer

/// The check values of the two checksums' definitions, and the short way for zeros against the long one.
struct ChecksumsTests {
    @Test func `they have their check values`() {
        var crc = CRC32()
        crc.add(Array("123456789".utf8))
        #expect(crc.value == 0xCBF4_3926)
        var adler = Adler32()
        adler.add(Array("Wikipedia".utf8))
        #expect(adler.value == 0x11E6_0398)
    }

    @Test(arguments: [0, 1, 7, 258, 70_001]) func `zeros count the same at once and one by one`(count: Int) {
        var (long, short) = (CRC32(), CRC32())
        long.add([1, 2] + [UInt8](repeating: 0, count: count))
        short.add([1, 2])
        short.add(zeros: Int64(count))
        #expect(long.value == short.value)
        var (slow, fast) = (Adler32(), Adler32())
        slow.add([1, 2] + [UInt8](repeating: 0, count: count))
        fast.add([1, 2])
        fast.add(zeros: Int64(count))
        #expect(slow.value == fast.value)
    }
}
