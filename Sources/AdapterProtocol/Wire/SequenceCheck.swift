/// Sequence numbers of one direction: they count from 1 without gaps.
package struct SequenceCheck: Hashable, Sendable {
    private var expected: UInt64 = 1
    package init() {}

    /// After a gap the number that was due stays due.
    package mutating func verify(_ sequence: UInt64) throws(WireError) {
        guard sequence == expected else { throw .sequenceGap(expected: expected, found: sequence) }
        expected += 1
    }

    /// A line whose word is not known took a number as well.
    package mutating func skip() { expected += 1 }
}
