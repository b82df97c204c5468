import Scenario

/// How many queries each name has had, so that answers come in turn.
struct QueryTallies: Sendable {
    struct Key: Hashable, Sendable {
        /// The rule's own name, which is `*` for many.
        var rule: String
        var interface: InterfaceKind?
        var host: String
        var type: UInt16
    }
    private struct Tally {
        var queries = 0
        /// The last answer over UDP sent its client to TCP: what comes there is the same question.
        var isContinued = false
    }
    private var tallies: [Key: Tally] = [:]
    /// Under a flood of made-up names, which only a `*` with turns lets in, all begin anew.
    private static let most = 65536

    mutating func turn(_ key: Key, over transport: DNSFact.Transport) -> Int {
        if tallies.count >= QueryTallies.most { tallies = [:] }
        var tally = tallies[key] ?? Tally()
        if transport == .tcp, tally.isContinued {
            tally.isContinued = false
            tallies[key] = tally
            return tally.queries - 1
        }
        tally.queries += 1
        tally.isContinued = false
        tallies[key] = tally
        return tally.queries - 1
    }

    mutating func note(_ key: Key, wasTruncated: Bool) { tallies[key]?.isContinued = wasTruncated }

    /// A rule that is set again begins with its first turn.
    mutating func forget(_ rule: String) { tallies = tallies.filter { $0.key.rule != rule } }
}
