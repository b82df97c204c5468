import Foundation
import Scenario
import Testing

@testable import Harness

@Suite struct MutantListTests {
    @Test func `a line is a mutant`() {
        let line = Data(#"{"name":"retries-post","breaks":["ERRR-07"],"what":"sends a POST again"}"#.utf8)
        #expect(MutantList.read(line) == Mutant(name: "retries-post", breaks: ["ERRR-07"], what: "sends a POST again"))
    }

    @Test(arguments: [
        "", "no JSON", "{}", #"{"name":"","breaks":["ERRR-07"],"what":"x"}"#, #"{"name":"x","breaks":[],"what":"x"}"#,
        #"{"name":"x","breaks":["ERRR-07"]}"#,
    ])
    func `what lacks a name, a requirement or a description is none`(text: String) {
        #expect(MutantList.read(Data(text.utf8)) == nil)
    }

    @Test(arguments: [
        (["true"], "it offers none"), (["false"], "it does not know --mutants"), (["echo", "hello"], "line 1 is not a mutant: hello --mutants"),
        (["no-such-program"], "it does not know --mutants"),
    ])
    func `an adapter that offers none is refused with the reason`(command: [String], reason: String) {
        #expect(throws: HarnessError.unusableMutants("x", reason)) { try MutantList.ask(AdapterChoice(name: "x", command: command)) }
    }
}
