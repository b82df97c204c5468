import Record
import ScenarioLanguage
import Conformance
import Testing

@testable import Reports

@Suite struct MutantTableTests {
    private func verdict(_ name: String, control: [String: Outcome], _ outcomes: [String: Outcome]) -> MutantVerdict {
        MutantVerdict(
            Mutant(name: name, breaks: ["DATA-01", "DATA-02"], what: "swaps bytes"), control: control,
            outcomes: outcomes)
    }

    @Test func `each mutant has a line and the last line counts them`() {
        let all = ["a", "b", "c", "d"]
        let control = Dictionary(uniqueKeysWithValues: all.map { ($0, Outcome.pass) })
        let table = MutantTable([
            verdict("one", control: control, control.mapValues { _ in .fail(.wrong, []) }),
            verdict("two-long", control: control, ["a": .pass]),
            verdict("three", control: control, [:]),
        ])
        #expect(
            table.lines == [
                "mutant    breaks           verdict     by",
                "one       DATA-01 DATA-02  caught      a, b, c (+1)",
                "two-long  DATA-01 DATA-02  SURVIVED    swaps bytes; passed a",
                "three     DATA-01 DATA-02  not judged  no scenario claims DATA-01, DATA-02",
            ])
        #expect(table.summary == "3 mutants: 1 caught, 1 survived, 1 not judged")
    }
}
