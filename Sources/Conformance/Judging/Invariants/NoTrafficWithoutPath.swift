import Record
import AdapterProtocol

/// No request or query reaches the origin or a name server while none of the client's interfaces is up with a route
/// (CONN-23, CONN-29).
///
/// Packets on the link do not count: the kernel's neighbour discovery sends some on an interface without a route.
enum NoTrafficWithoutPath: Invariant {
    static let name = "no traffic without a path"
    static let summary = "No traffic reaches the servers while the client does not have a path to them."

    /// The time for which packets sent before the loss of the path may still be in flight behind a full queue of a slow
    /// link.
    private static let underWay: Int64 = 10_000_000_000

    static func judge(_ record: RecordView) -> [Mismatch] {
        let history = PathHistory(record)
        let seen =
            record.queries.map { ("a query for \($0.fact.host)", $0.moment) }
            + record.connections.map { ("connection \($0.number)", $0.moment) }
            + record.requests.map { ("request \($0.number)", $0.moment) }
        let wrong = seen.filter { _, moment in
            guard !history.mayHavePath(at: moment) else { return false }
            return history.lastLoss(before: moment).map { moment.time.minus($0.time) > underWay } ?? true
        }
        guard let first = wrong.min(by: { $0.1 < $1.1 }) else { return [] }
        return [
            mismatch(
                expected: "no traffic while no interface is up with a route",
                found: first.0 + (wrong.count > 1 ? " and \(wrong.count - 1) more" : ""),
                evidence: wrong.map(\.1).sorted().prefix(5).map(\.self))
        ]
    }
}
