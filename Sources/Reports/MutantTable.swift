package import Conformance

/// A table of the mutants and the scenarios that caught them, computed from the verdicts alone.
package struct MutantTable {
    private let verdicts: [MutantVerdict]

    package init(_ verdicts: [MutantVerdict]) { self.verdicts = verdicts }

    package var lines: [String] {
        TextTable([["mutant", "breaks", "verdict", "by"]] + verdicts.map(MutantTable.row)).lines
    }

    /// A summary such as `81 mutants: 80 caught, 1 survived, 0 not judged`.
    package var summary: String {
        let caught = verdicts.count(where: \.isCaught)
        let survived = verdicts.count { if case .survived = $0.finding { true } else { false } }
        return
            "\(verdicts.count) mutants: \(caught) caught, \(survived) survived, \(verdicts.count - caught - survived) not judged"
    }

    package static func row(_ verdict: MutantVerdict) -> [String] {
        let (word, detail) =
            switch verdict.finding {
            case .caught(let scenarios): ("caught", listed(scenarios))
            case .survived(let scenarios): ("SURVIVED", "\(verdict.mutant.what); passed \(listed(scenarios))")
            case .notEvaluated(let reason): ("not judged", reason)
            }
        return [verdict.mutant.name, verdict.mutant.breaks.joined(separator: " "), word, detail]
    }

    /// Returns the first three names and the number of the others.
    private static func listed(_ names: [String]) -> String {
        names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " (+\(names.count - 3))" : "")
    }
}
