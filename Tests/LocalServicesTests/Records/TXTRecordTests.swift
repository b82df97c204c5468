import Testing

@testable import LocalServices

struct TXTRecordTests {
    @Test func `attributes are written sorted and read again`() throws {
        let data = try #require(TXTRecord.data(["path": Array("/a=b".utf8), "b": []]))
        #expect(data == [2] + Array("b=".utf8) + [9] + Array("path=/a=b".utf8))
        #expect(TXTRecord.attributes(data) == ["b": [], "path": Array("/a=b".utf8)])
        #expect(TXTRecord.data([:]) == [0] && TXTRecord.attributes([0]).isEmpty)
    }

    @Test func `attributes that cannot be expressed are refused`() {
        #expect(TXTRecord.data(["": [1]]) == nil)
        #expect(TXTRecord.data(["a=b": [1]]) == nil)
        #expect(TXTRecord.data(["é": [1]]) == nil)
        #expect(TXTRecord.data(["a": [UInt8](repeating: 0, count: 254)]) == nil)
        #expect(TXTRecord.data(["a": [UInt8](repeating: 0, count: 253)]) != nil)
    }

    /// RFC 6763 §6.4: missing keys are ignored, the first of equal keys counts.
    @Test func `received strings are read as far as they are sound`() {
        let data: [UInt8] = [2, 0x3d, 0x78, 1, 0x61, 3, 0x41, 0x3d, 0x31, 3, 0x62, 0x3d, 0x32, 200, 0x63]
        #expect(TXTRecord.attributes(data) == ["a": [], "b": [0x32]])
        #expect(TXTRecord.attributes([]).isEmpty)
    }
}
