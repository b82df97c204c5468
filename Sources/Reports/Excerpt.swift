package import Scenario

/// The part of a record that shows something: the evidence, as much of its neighbourhood as there is room for, and what is left out.
package struct Excerpt: Hashable, Sendable {
    package enum Line: Hashable, Sendable {
        case entry(String, isEvidence: Bool)
        case leftOut(Int)
    }
    package static let limit = 12

    package var lines: [Line]
    /// Nothing in the record is the evidence (something did not happen): these are its last lines.
    package var isTail: Bool

    /// At most `limit` lines, the left-out marks counted. Without evidence, the end of the record.
    package init(of record: [RecordEntry], evidence: [Int], limit: Int = Excerpt.limit) {
        let evidence = Array(Set(evidence)).filter(record.indices.contains).sorted()
        let start = record.first?.time ?? 0
        isTail = evidence.isEmpty
        var shown: Set<Int> = []
        if evidence.isEmpty {
            // The mark for what came before is one of the lines.
            shown = Set(record.indices.suffix(record.count > limit ? limit - 1 : limit))
        } else {
            // Its ends first, then inwards: how it began and how it ended say most.
            var order: [Int] = []
            var (low, high) = (0, evidence.count - 1)
            while low <= high {
                order.append(evidence[low])
                if low < high { order.append(evidence[high]) }
                (low, high) = (low + 1, high - 1)
            }
            // Every further line costs at least one, so that the first candidates settle it.
            for index in order {
                shown = Excerpt.adding(index, to: shown, of: record.count, limit: limit)
                if shown.count >= limit { break }
            }
            let told = shown.sorted()
            for distance in 1...limit {
                for index in told.map({ $0 - distance }) + told.map({ $0 + distance }) where record.indices.contains(index) {
                    shown = Excerpt.adding(index, to: shown, of: record.count, limit: limit)
                }
            }
        }
        lines = []
        var next = 0
        for index in shown.sorted() {
            if index > next { lines.append(.leftOut(index - next)) }
            lines.append(.entry(RecordText.line(record[index], start: start), isEvidence: evidence.contains(index)))
            next = index + 1
        }
        if next < record.count { lines.append(.leftOut(record.count - next)) }
    }

    private static func adding(_ index: Int, to shown: Set<Int>, of count: Int, limit: Int) -> Set<Int> {
        let wider = shown.union([index])
        return lineCount(wider, of: count) <= limit ? wider : shown
    }

    private static func lineCount(_ shown: Set<Int>, of count: Int) -> Int {
        var lines = shown.count
        if !shown.contains(0) { lines += 1 }
        for index in shown where index + 1 < count && !shown.contains(index + 1) { lines += 1 }
        return lines
    }

    /// The entries that are shown, without the marks.
    var entries: [String] {
        lines.compactMap {
            switch $0 {
            case .entry(let line, _): line
            case .leftOut: nil
            }
        }
    }

    /// Evidence is marked with `>`.
    package var text: [String] {
        lines.map {
            switch $0 {
            case .entry(let line, let isEvidence): (isEvidence ? "> " : "  ") + line
            case .leftOut(let count): "  … \(count) \(count == 1 ? "line" : "lines") …"
            }
        }
    }
}
