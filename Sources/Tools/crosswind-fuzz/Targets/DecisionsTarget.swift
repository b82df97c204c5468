import LinkEmulator

/// The decision log that a run writes and a replay reads.
struct DecisionsTarget: FuzzTarget {
    static let name = "decisions"
    static let subject = "lines of the packet decision log"

    func play(_ random: inout FuzzRandom) throws(FuzzFinding) -> Bool {
        var decision = PacketDecision(index: random.happens(oneIn: 20) ? random.next() : UInt64(random.below(10_000)))
        if random.happens(oneIn: 3) {
            decision.drop = random.pick(DropReason.allCases)
        } else {
            if random.happens(oneIn: 2) { decision.delayOffset = Int64(random.below(10_000_000)) - 5_000_000 }
            decision.mayOvertake = random.happens(oneIn: 3)
            decision.reordered = random.happens(oneIn: 3)
            decision.duplicated = random.happens(oneIn: 3)
            if random.happens(oneIn: 3) { decision.corruptedBit = random.below(12_000) }
        }
        let line = decision.line
        guard let read = try? PacketDecision.parse(line: line, number: 1), read == decision else {
            throw FuzzFinding("'\(line)' is read as a different decision", Array(line.utf8))
        }
        var bytes = Array(line.utf8)
        if random.happens(oneIn: 2) { random.damage(&bytes) }
        let damaged = String(decoding: bytes, as: UTF8.self)
        _ = try? ReplayedDecisions.parse(damaged + "\n" + line)
        guard let other = try? PacketDecision.parse(line: damaged, number: 1) else { return false }
        guard (try? PacketDecision.parse(line: other.line, number: 1)) == other else {
            throw FuzzFinding("reading and writing changes the decision", bytes)
        }
        return true
    }
}
