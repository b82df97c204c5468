import Testing

@testable import TestServer

/// The table of RFC 9110 §14.1.2 and §14.2 for a representation of 10,000 bytes, its own examples first.
struct ByteRangeTests {
    @Test(arguments: [
        ("bytes=0-499", ByteRange.part(0..<500)),
        ("bytes=500-999", .part(500..<1_000)),
        ("bytes=-500", .part(9_500..<10_000)),
        ("bytes=9500-", .part(9_500..<10_000)),
        ("Bytes=0-0", .part(0..<1)),
        ("bytes= 1-2 ", .part(1..<3)),
        ("bytes=9999-20000", .part(9_999..<10_000)),
        ("bytes=-20000", .part(0..<10_000)),
        ("bytes=0-99999999999999999999", .part(0..<10_000)),
        ("bytes=10000-", .unsatisfiable),
        ("bytes=99999999999999999999-", .unsatisfiable),
        ("bytes=-0", .unsatisfiable),
        ("bytes=5-4", .whole),
        ("bytes=0-0,-1", .parts([0..<1, 9_999..<10_000])),
        ("bytes=0-0,20000-", .part(0..<1)),
        ("bytes=20000-,30000-", .unsatisfiable),
        ("bytes=0-0,5-4", .whole),
        ("bytes=" + String(repeating: "1-2,", count: 101), .whole),
        ("bytes=a-1", .whole),
        ("bytes=1-a", .whole),
        ("bytes=--1", .whole),
        ("bytes=-", .whole),
        ("bytes=", .whole),
        ("lines=1-2", .whole),
        ("1-2", .whole),
    ])
    func `a range is parsed as in the RFC`(field: String, range: ByteRange) {
        #expect(ByteRange(field, length: 10_000) == range)
    }

    @Test func `an empty representation does not have a part`() {
        #expect(ByteRange("bytes=0-", length: 0) == .unsatisfiable)
        #expect(ByteRange("bytes=-5", length: 0) == .whole)
        #expect(ByteRange(nil, length: 0) == .whole)
    }
}
