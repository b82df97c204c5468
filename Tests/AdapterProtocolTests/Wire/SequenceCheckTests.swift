import Testing

@testable import AdapterProtocol

@Suite struct SequenceCheckTests {
    @Test func `numbers count from 1, and a gap, a repeat and a start at 0 are errors`() throws {
        var check = SequenceCheck()
        #expect(throws: WireError.sequenceGap(expected: 1, found: 0)) { try check.verify(0) }
        try check.verify(1)
        #expect(throws: WireError.sequenceGap(expected: 2, found: 1)) { try check.verify(1) }
        #expect(throws: WireError.sequenceGap(expected: 2, found: 3)) { try check.verify(3) }
        check.skip()
        try check.verify(3)
    }
}
