/// A check that is always on, in every scenario, without being named.
package protocol Invariant: Sendable {
    /// What mismatches call it.
    static var name: String { get }
    /// What holds when it holds.
    static var summary: String { get }
    /// Empty when it holds.
    static func judge(_ record: RecordView) -> [Mismatch]
}

extension Invariant {
    static func mismatch(expected: String, found: String, evidence: [RecordView.Moment] = []) -> Mismatch {
        Mismatch(check: name, expected: expected, found: found, evidence: evidence.sorted().map(\.entry))
    }
}
