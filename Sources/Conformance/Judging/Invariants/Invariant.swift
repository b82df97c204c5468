package import Record

/// A check that applies to every scenario without being named.
package protocol Invariant: Sendable {
    /// The name in mismatches.
    static var name: String { get }
    /// The property that the invariant states.
    static var summary: String { get }
    /// Returns the violations; empty if the invariant holds.
    static func judge(_ record: RecordView) -> [Mismatch]
}

extension Invariant {
    static func mismatch(
        expected: String, found: String, evidence: [RecordView.Moment] = [], dependsOnTime: Bool = false
    ) -> Mismatch {
        Mismatch(
            check: name, expected: expected, found: found, evidence: evidence.sorted().map(\.entry),
            dependsOnTime: dependsOnTime)
    }
}

/// Every invariant; to add one, add its file and a line here.
package enum InvariantCatalogue {
    package static let all: [any Invariant.Type] = [
        OneCompletion.self,
        SilenceAfterCompletion.self,
        SilenceAfterInvalidation.self,
        ResponseBeforeData.self,
        ReceivedBytes.self,
        NoTrafficWithoutPath.self,
    ]
}
