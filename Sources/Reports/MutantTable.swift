package import Scenario

/// The mutants beside what caught them: a pure function of the verdicts.
package struct MutantTable {
    private let verdicts: [MutantVerdict]

    package init(_ verdicts: [MutantVerdict]) { self.verdicts = verdicts }

    package var lines: [String] {
        TextTable([["mutant", "breaks", "verdict", "by"]] + verdicts.map(MutantTable.row)).lines
    }

    /// `81 mutants: 80 caught, 1 survived, 0 not judged`
    package var summary: String {
        let caught = verdicts.count(where: \.isCaught)
        let survived = verdicts.count { if case .survived = $0.finding { true } else { false } }
        return "\(verdicts.count) mutants: \(caught) caught, \(survived) survived, \(verdicts.count - caught - survived) not judged"
    }

    package static func row(_ verdict: MutantVerdict) -> [String] {
        let (word, detail) =
            switch verdict.finding {
            case .caught(let scenarios): ("caught", listed(scenarios))
            case .survived(let scenarios): ("SURVIVED", "\(verdict.mutant.what); passed \(listed(scenarios))")
            case .notJudged(let reason): ("not judged", reason)
            }
        return [verdict.mutant.name, verdict.mutant.breaks.joined(separator: " "), word, detail]
    }

    /// The first three, and how many more.
    private static func listed(_ names: [String]) -> String {
        names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " (+\(names.count - 3))" : "")
    }
}
