/// An invalid line of a decision log; lines count from 1.
package enum PacketDecisionError: Error, Hashable, Sendable, CustomStringConvertible {
    case noIndex(line: Int, found: String)
    case unknownValue(line: Int, word: String)
    case droppedAndMore(line: Int)

    package var description: String {
        switch self {
        case .noIndex(let line, let found):
            "line \(line): `\(found)` is not a packet index; start the line with one, as in `17 lost`"
        case .unknownValue(let line, let word):
            "line \(line): `\(word)` is unknown; a packet is plain, \(DropReason.allCases.map(\.word).joined(separator: ", ")), "
                + "delay±NANOSECONDS, anyorder, early, dup or bit=N"
        case .droppedAndMore(let line): "line \(line): a dropped packet allows no second word"
        }
    }
}

extension DropReason {
    /// The word in the decision log. Records outlive a version, so a word never changes its meaning.
    fileprivate var word: String {
        switch self {
        case .down: "down"
        case .outage: "outage"
        case .loss: "lost"
        case .queueFull: "overflow"
        case .codel: "codel"
        case .tooBig: "toobig"
        case .swallowedTooBig: "blackhole"
        case .longerThanSlot: "oversize"
        case .filtered: "filtered"
        }
    }
}

extension PacketDecision {
    /// The line of the log, for example `17 lost`, `20 delay+1830400 dup`, `21 early bit=77`, `22 plain`.
    package var line: String {
        if let drop { return "\(index) \(drop.word)" }
        var words = ["\(index)"]
        if delayOffset != 0 { words.append("delay\(delayOffset > 0 ? "+" : "")\(delayOffset)") }
        if mayOvertake { words.append("anyorder") }
        if reordered { words.append("early") }
        if duplicated { words.append("dup") }
        if let corruptedBit { words.append("bit=\(corruptedBit)") }
        if words.count == 1 { words.append("plain") }
        return words.joined(separator: " ")
    }

    /// Parses a `line`; `number` is its line number in the text, for the error message.
    package static func parse(line: some StringProtocol, number: Int) throws(PacketDecisionError) -> PacketDecision {
        let words = line.split(whereSeparator: \.isWhitespace)
        guard let first = words.first, let index = UInt64(first), first.first != "+" else {
            throw .noIndex(line: number, found: String(line.prefix(40)))
        }
        var decision = PacketDecision(index: index)
        for word in words.dropFirst() {
            if let reason = DropReason.allCases.first(where: { $0.word == word }) {
                guard words.count == 2 else { throw .droppedAndMore(line: number) }
                decision.drop = reason
            } else if word == "anyorder" {
                decision.mayOvertake = true
            } else if word == "early" {
                decision.reordered = true
            } else if word == "dup" {
                decision.duplicated = true
            } else if word.hasPrefix("bit="), let bit = Int(word.dropFirst(4)), bit >= 0 {
                decision.corruptedBit = bit
            } else if word.hasPrefix("delay+") || word.hasPrefix("delay-"), let offset = Int64(word.dropFirst(5)),
                offset.magnitude <= UInt64(LinkParameters.furthestOffset)
            {
                decision.delayOffset = offset
            } else if word != "plain" || words.count != 2 {
                throw .unknownValue(line: number, word: String(word.prefix(40)))
            }
        }
        guard words.count > 1 else { throw .unknownValue(line: number, word: "") }
        return decision
    }
}
