package import Record

/// An excerpt of a record: the evidence, as many surrounding entries as fit, the likely causes, and marks for omitted
/// entries.
package struct Excerpt: Hashable, Sendable {
    package enum Line: Hashable, Sendable {
        case entry(String, Role)
        case leftOut(Int)
    }
    /// The reason for which an entry is shown.
    package enum Role: Hashable, Sendable {
        case evidence
        /// A likely cause: a change of the network, a fault, an error of the adapter.
        case cause
        case surrounding
    }
    package static let limit = 12
    /// Maximum number of causes; each adds one line, and one for the entries between.
    static let mostCauses = 6

    package var lines: [Line]
    /// True when no entry is evidence (something did not happen): the excerpt then holds the last entries of the
    /// record.
    package var isTail: Bool

    /// Selects at most `limit` lines, including the marks for omitted entries, and adds the likely causes. Without
    /// evidence, selects the end of the record.
    package init(of record: [RecordEntry], evidence: [Int], limit: Int = Excerpt.limit) {
        let evidence = Array(Set(evidence)).filter(record.indices.contains).sorted()
        let start = record.first?.time ?? 0
        isTail = evidence.isEmpty
        var shown: Set<Int> = []
        if evidence.isEmpty {
            // The mark for the omitted beginning uses one of the lines.
            shown = Set(record.indices.suffix(record.count > limit ? limit - 1 : limit))
        } else {
            // First and last first, then inwards: the beginning and the end are the most informative.
            var order: [Int] = []
            var (low, high) = (0, evidence.count - 1)
            while low <= high {
                order.append(evidence[low])
                if low < high { order.append(evidence[high]) }
                (low, high) = (low + 1, high - 1)
            }
            // Each further entry needs at least one line, so the loop can stop at the limit.
            for index in order {
                shown = Excerpt.adding(index, to: shown, of: record.count, limit: limit)
                if shown.count >= limit { break }
            }
            let reported = shown.sorted()
            for distance in 1...limit {
                for index in reported.map({ $0 - distance }) + reported.map({ $0 + distance })
                where record.indices.contains(index) {
                    shown = Excerpt.adding(index, to: shown, of: record.count, limit: limit)
                }
            }
        }
        let end = evidence.last ?? record.count
        let causes = FailureCause.all(in: record).filter { $0.value.explains(upTo: end, at: $0.key) }
        shown.formUnion(FailureCause.chosen(from: causes, limit: Excerpt.mostCauses))
        lines = []
        var next = 0
        for index in shown.sorted() {
            if index > next { lines.append(.leftOut(index - next)) }
            let role: Role =
                evidence.contains(index) ? .evidence : causes[index] != nil ? .cause : .surrounding
            lines.append(.entry(RecordEntryFormat.line(record[index], start: start), role))
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

    /// The entries of the excerpt, without the marks.
    var entries: [String] {
        lines.compactMap {
            switch $0 {
            case .entry(let line, _): line
            case .leftOut: nil
            }
        }
    }

    /// The lines as text; evidence is marked with `>`, likely causes with `!`.
    package var text: [String] {
        lines.map {
            switch $0 {
            case .entry(let line, let role): role.mark + " " + line
            case .leftOut(let count): "  … \(count) \(count == 1 ? "line" : "lines") …"
            }
        }
    }
}

extension Excerpt.Role {
    package var mark: String {
        switch self {
        case .evidence: ">"
        case .cause: "!"
        case .surrounding: " "
        }
    }
}
