import Record
import ScenarioLanguage
import Testing

@testable import Reports

struct ExcerptTests {
    private static func record(_ count: Int) -> [RecordEntry] {
        (0..<count).map { RecordEntry(time: Int64($0) * 1000, fact: .note(.other("\($0)"))) }
    }

    /// Returns the numbers of the entries shown, with `>` before evidence and `…n` for omitted entries.
    private static func shape(_ excerpt: Excerpt) -> String {
        excerpt.lines.map {
            switch $0 {
            case .entry(let line, let role):
                (role == .surrounding ? "" : role.mark) + (line.split(separator: " ").last ?? "")
            case .leftOut(let count): "…\(count)"
            }
        }
        .joined(separator: " ")
    }

    @Test(arguments: [
        (5, [2], "0 1 >2 3 4"), (12, [0], ">0 1 2 3 4 5 6 7 8 9 10 11"),
        (100, [50], "…45 45 46 47 48 49 >50 51 52 53 54 …45"),
        (100, [0, 99], ">0 1 2 3 4 …89 94 95 96 97 98 >99"),
        (100, [20, 60], "…18 18 19 >20 21 22 …35 58 59 >60 61 …38"),
        // Wrong and repeated indices are ignored.
        (5, [2, 2, 9, -1], "0 1 >2 3 4"),
        // More evidence than fits: the first and the last entries remain.
        (100, Array(30..<60), "…30 >30 >31 >32 >33 >34 …21 >56 >57 >58 >59 …40"),
    ])
    func `evidence is shown with the entries around it`(count: Int, evidence: [Int], expected: String) {
        #expect(Self.shape(Excerpt(of: Self.record(count), evidence: evidence)) == expected)
    }

    @Test func `without evidence the end of the record is shown`() {
        let excerpt = Excerpt(of: Self.record(40), evidence: [])
        #expect(excerpt.isTail)
        #expect(Self.shape(excerpt) == "…29 29 30 31 32 33 34 35 36 37 38 39")
        #expect(Self.shape(Excerpt(of: Self.record(3), evidence: [])) == "0 1 2")
        #expect(Excerpt(of: [], evidence: [1]).lines.isEmpty)
    }

    /// For any evidence, the excerpt respects the limit and the order, and accounts for all entries.
    @Test func `an excerpt never exceeds its limit and accounts for all entries`() {
        for count in [1, 11, 12, 13, 14, 50] {
            for step in 1...count {
                for offset in 0..<min(step, count) {
                    let evidence = Array(stride(from: offset, to: count, by: step))
                    let excerpt = Excerpt(of: Self.record(count), evidence: evidence)
                    #expect(excerpt.lines.count <= Excerpt.limit)
                    var entries = 0
                    var marked = 0
                    for line in excerpt.lines {
                        switch line {
                        case .entry(_, let role):
                            entries += 1
                            if role == .evidence { marked += 1 }
                        case .leftOut(let left):
                            #expect(left > 0)
                            entries += left
                        }
                    }
                    #expect(entries == count)
                    #expect(marked > 0)
                }
            }
        }
    }

    @Test func `the text marks the evidence`() {
        let text = Excerpt(of: Self.record(40), evidence: [0]).text
        #expect(text.first == ">  +0.000000 s  harness  note: 0")
        #expect(text.last == "  … 29 lines …")
    }
}
