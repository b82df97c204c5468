/// Checks that the sequence numbers of one direction count from 1 without gaps.
package struct SequenceCheck: Hashable, Sendable {
    private var expected: UInt64 = 1
    package init() {}

    /// Throws if this is not the next number. After a gap the expected number does not change.
    package mutating func verify(_ sequence: UInt64) throws(WireError) {
        guard sequence == expected else { throw .sequenceGap(expected: expected, found: sequence) }
        expected += 1
    }

    /// Counts the number of a line with an unknown word.
    package mutating func skip() { expected += 1 }
}
