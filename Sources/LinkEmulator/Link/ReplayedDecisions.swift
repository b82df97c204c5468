/// The decision log of another run, to be replayed. A packet without a line passes, with the link's plain delay and
/// rate.
package struct ReplayedDecisions: Hashable, Sendable {
    private var decisions: [UInt64: PacketDecision] = [:]

    package init(_ decisions: some Sequence<PacketDecision> = []) {
        for decision in decisions { add(decision) }
    }

    /// Adds a decision and replaces an earlier one about the same packet. A drop of one of two copies leaves the other.
    package mutating func add(_ decision: PacketDecision) {
        if decision.drop != nil, decisions[decision.index]?.duplicated == true {
            decisions[decision.index]?.duplicated = false
        } else {
            decisions[decision.index] = decision
        }
    }

    /// Parses one decision per line; blank lines are skipped.
    package static func parse(_ text: some StringProtocol) throws(PacketDecisionError) -> ReplayedDecisions {
        var replay = ReplayedDecisions()
        var number = 0
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            number += 1
            if line.allSatisfy(\.isWhitespace) { continue }
            replay.add(try PacketDecision.parse(line: line, number: number))
        }
        return replay
    }

    /// The text that `parse` reads: in order of the packets, without those delivered unchanged.
    package var text: String {
        decisions.values.filter { !$0.isPlain }.sorted { $0.index < $1.index }.map { $0.line + "\n" }.joined()
    }

    package subscript(index: UInt64) -> PacketDecision { decisions[index] ?? PacketDecision(index: index) }
}
