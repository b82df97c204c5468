import Testing

@testable import GeneratedBodies

struct ByteComparisonTests {
    private let bytes: [UInt8] = [1, 2, 3, 2, 3, 4]

    @Test func `the first difference counts from the whole bytes`() {
        #expect(bytes.firstDifference(from: 1, against: [2, 3, 2]) == nil)
        #expect(bytes.firstDifference(from: 1, against: [2, 9, 9]) == 2)
        #expect(bytes.firstDifference(from: 4, against: [3, 4, 5]) == nil)
        #expect(bytes.firstDifference(from: 0, against: []) == nil)
    }

    @Test func `a window is found at its first place, up to the end`() {
        #expect(bytes.firstOffset(of: [2, 3]) == 1)
        #expect(bytes.firstOffset(of: [2, 3, 4]) == 3)
        #expect(bytes.firstOffset(of: bytes) == 0)
        #expect(bytes.firstOffset(of: [3, 5]) == nil)
        #expect(bytes.firstOffset(of: bytes + [5]) == nil)
        #expect(bytes.firstOffset(of: []) == nil)
    }
}
