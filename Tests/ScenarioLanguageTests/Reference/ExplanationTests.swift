import Conformance
import Testing

@testable import ScenarioLanguage

/// Tests of the explanation of a word: keys, values, events, profiles, networks, symptoms and words of other tools.
struct ExplanationTests {
    private static func explanation() throws -> Explanation {
        Explanation(
            reference: LanguageReference(), symptoms: try Symptom.all(in: Sample.scenarios + "/symptoms"))
    }

    @Test func `a key is explained with its type, meaning and example`() throws {
        let lines = try Self.explanation().lines(of: "scenario")
        #expect(
            lines == [
                "scenario  (text; required)", "  One sentence: the expected behaviour of the implementation.",
                "  Example: scenario: A body arrives",
            ])
    }

    @Test func `a moment that is easily misread says what it counts`() throws {
        let time = try Self.explanation().lines(of: "sinceStart").joined(separator: "\n")
        #expect(time.contains("since the first step of the scenario, not since the step before"))
        let body = try Self.explanation().lines(of: "responseBody").joined(separator: "\n")
        #expect(body.contains("origin.faults.at.responseBody"))
        let sent = try Self.explanation().lines(of: "responseSent").joined(separator: "\n")
        #expect(sent.contains("the client may not have them yet (see `acknowledged`)"))
    }

    @Test(arguments: [
        ("stall", "`stall` is a value of origin.faults.do:"), ("didComplete", "`didComplete` is an event of a task"),
        ("first.didComplete", "`didComplete` is an event of a task"), ("lte", "`lte` is a network profile: "),
        ("lte", "crosswind run --network lte"), ("sleep", "`sleep` is a word of other tools: wait for progress"),
        ("connectionLost", "`connectionLost` is a word of other tools: write `do: reset`"),
        ("steps.await", "steps.await  ("), ("completes", "expect.completes  ("),
        ("time", "`time` was renamed to `sinceStart`:\nsteps.await.sinceStart  ("),
        ("double post", "Scenarios/symptoms/double-post.yaml"), ("DOUBLE-POST", "crosswind new --symptom double-post"),
    ])
    func `each kind of word is explained`(word: String, part: String) throws {
        #expect(try Self.explanation().lines(of: word).joined(separator: "\n").contains(part))
    }

    @Test func `each composed network is explained`() throws {
        let explanation = try Self.explanation()
        for network in NetworkCatalogue.builtIn.networks {
            #expect(
                explanation.lines(of: network.name).contains { $0.hasPrefix("`\(network.name)` is a network") },
                "\(network.name)")
        }
    }

    @Test func `a word without an explanation has near words`() throws {
        let explanation = try Self.explanation()
        #expect(explanation.lines(of: "respnseBody") == [])
        #expect(explanation.near("respnseBody").first == "responseBody")
        #expect(explanation.near("didComplet").first == "didComplete")
        #expect(explanation.near("xyzzyplugh") == [])
        #expect(Set(explanation.near("dela")).count == explanation.near("dela").count)
    }
}
