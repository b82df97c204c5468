import Foundation
import ScenarioLanguage
import Conformance
import Testing

@testable import Harness

@Suite struct MutantListTests {
    @Test func `a valid line describes a mutant`() {
        let line = Data(#"{"name":"retries-post","breaks":["ERRR-07"],"what":"sends a POST again"}"#.utf8)
        #expect(MutantList.read(line) == Mutant(name: "retries-post", breaks: ["ERRR-07"], what: "sends a POST again"))
    }

    @Test(arguments: [
        "", "no JSON", "{}", #"{"name":"","breaks":["ERRR-07"],"what":"x"}"#, #"{"name":"x","breaks":[],"what":"x"}"#,
        #"{"name":"x","breaks":["ERRR-07"]}"#,
    ])
    func `a line without a name, a requirement or a description is not a mutant`(text: String) {
        #expect(MutantList.read(Data(text.utf8)) == nil)
    }

    @Test(arguments: [
        (["true"], "it offers none"), (["false"], "it does not support --mutants"),
        (["echo", "hello"], "line 1 is not a mutant: hello --mutants"),
        (["no-such-program"], "it does not support --mutants"),
    ])
    func `an adapter without mutants is refused with the reason`(command: [String], reason: String) {
        #expect(throws: HarnessError.unusableMutants("x", reason)) {
            try MutantList.load(AdapterChoice(name: "x", command: command))
        }
    }
}
