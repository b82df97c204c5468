import Record

/// The number of queries per name, for rules with a sequence of replies.
struct QueryTallies: Sendable {
    struct Key: Hashable, Sendable {
        /// The rule's name, which is `*` for many hosts.
        var rule: String
        var interface: InterfaceKind?
        var host: String
        var type: UInt16
    }
    private struct Tally {
        var queries = 0
        /// True if the last reply over UDP was truncated: the query that then comes over TCP is the same question.
        var isContinued = false
    }
    private var tallies: [Key: Tally] = [:]
    /// The limit for a flood of made-up names, which only a `*` with a sequence allows; all counts then start again.
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

    /// Starts the sequence of a rule again after it has been set.
    mutating func forget(_ rule: String) { tallies = tallies.filter { $0.key.rule != rule } }
}
