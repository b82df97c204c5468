import Conformance
import Testing

@testable import ScenarioLanguage

/// Tests that a word of another tool is one error at its place that names the word of this language, and that the word
/// it names is right.
struct ForeignWordsTests {
    struct Foreign: Sendable, CustomTestStringConvertible {
        var old: String
        var new: String
        var at: String
        var advice: String
        init(_ old: String, _ new: String, at: String, _ advice: String) {
            self.old = old
            self.new = new
            self.at = at
            self.advice = advice
        }
        var testDescription: String { new }
    }

    static let words = [
        Foreign("as: first", "as: first\n  - sleep: 2s", at: "10:5", "`await: { sinceStart: 2s }`"),
        Foreign("as: first", "as: first\n  - wait: 2s", at: "10:5", "`await: { sinceStart: 2s }`"),
        Foreign("as: first", "as: first\n  - post: /a", at: "10:5", "`method: POST`"),
        Foreign("as: first", "as: first\n  - GET: /a", at: "10:5", "write `data: /path`"),
        Foreign("as: first", "as: first\n  - disconnect: wifi", at: "10:5", "`set: { wifi: down }`"),
        Foreign("as: first", "as: first\n    status: 200", at: "10:5", "`- response: { status: 200 }`"),
        Foreign("as: first", "as: first\n    payload: hi", at: "10:5", "write `body:`"),
        Foreign("as: first", "as: first\n  - set: { wifi: off }", at: "10:18", "write `down`"),
        Foreign("as: first", "as: first\n  - set: { wifi: { latency: 1s } }", at: "10:20", "`both: { roundTrip: 100ms"),
        Foreign("wifi: good-wifi", "wifi: off", at: "4:18", "state: down"),
        Foreign("wifi: good-wifi", "wifi: { both: { latency: 1s } }", at: "4:28", "write `delay:`"),
        Foreign("wifi: good-wifi", "wifi: { both: { bandwidth: 1Mbit/s } }", at: "4:28", "write `rate:`"),
        Foreign("wifi: good-wifi", "wifi: { both: { packetLoss: 1% } }", at: "4:28", "write `loss:`"),
        Foreign("wifi: good-wifi", "latency: 1s", at: "4:12", "name the interface first"),
        Foreign("timeout: 20s", "latency: 20ms", at: "3:1", "stand under `network:`"),
        Foreign("timeout: 20s", "toxics: [a]", at: "3:1", "stand under `origin:`"),
        Foreign("timeout: 20s", "sleep: 20ms", at: "3:1", "waiting is a step"),
        Foreign("{ text: hi }", "{ respond: hi }", at: "6:9", "`text:` for a body"),
        Foreign("{ text: hi }", "{ text: hi, statusCode: 404 }", at: "6:19", "write `status:`"),
        Foreign("{ text: hi }", "{ text: hi, latency: 1s }", at: "6:19", "write `delay:`"),
        Foreign("{ text: hi }", "{ text: hi }\n  toxics: [a]", at: "7:3", "write `faults:`"),
        Foreign(
            "{ text: hi }", "{ text: hi }\n  faults:\n    - { at: responseHead, do: connectionLost }", at: "8:31",
            "write `do: reset`"),
        Foreign(
            "{ text: hi }", "{ text: hi }\n  faults:\n    - { at: responseHead, do: reset_peer }", at: "8:31",
            "write `do: reset`"),
        Foreign(
            "{ text: hi }", "{ text: hi }\n  faults:\n    - { at: responseHead, do: { latency: 1s } }", at: "8:33",
            "`do: { pause: 2s }`"),
        Foreign(
            "{ text: hi }", "{ text: hi }\n  faults:\n    - { when: responseHead, do: reset }", at: "8:9",
            "write `at:`"),
        Foreign(
            "{ text: hi }", "{ text: hi }\n  faults:\n    - { at: { bytes: 1B }, do: reset }", at: "8:15",
            "`at: { responseBody: 4KiB }`"),
        Foreign("error: none", "error: connectionLost", at: "11:38", "write `networkConnectionLost`"),
        Foreign("error: none", "error: ECONNREFUSED", at: "11:38", "write `cannotConnectToHost`"),
        Foreign("error: none", "error: timeout", at: "11:38", "write `timedOut`"),
        Foreign("error: none", "status: 200", at: "11:31", "`response: { status: 200 }`"),
        Foreign("completes: { task: first, error: none }", "status: 200", at: "11:5", "`response: { status: 200 }`"),
        Foreign("completes: { task: first, error: none }", "retries: 3", at: "11:5", "`requests: { count: 1 }`"),
    ]

    @Test(arguments: words)
    func `a word of another tool is one error with the right word`(foreign: Foreign) {
        let text = Sample.good(replacing: foreign.old, with: foreign.new)
        #expect(text != Sample.good)
        let errors = Sample.errors(text).map { "\($0)" }
        #expect(errors.count == 1, "\(errors)")
        #expect(errors.first?.hasPrefix("f.yaml:\(foreign.at): ") == true, "\(errors)")
        #expect(errors.first?.contains("is not a word of scenarios; ") == true, "\(errors)")
        #expect(errors.first?.contains(foreign.advice) == true, "\(errors)")
    }

    @Test func `each entry has a marker that the language knows, and no foreign word is one of its own there`() {
        let shape = ScenarioShape.root(checks: CheckCatalogue.all)
        let known = Self.places(of: shape)
        for entry in ForeignWords.table {
            #expect(entry.words.allSatisfy { $0 == $0.lowercased() && !$0.contains("_") && !$0.contains("-") })
            for marker in entry.markers {
                #expect(known.contains { $0.contains(marker) }, "\(marker)")
                // The message is for words that are refused; where a word is allowed, the entry would never be used.
                for word in entry.words {
                    #expect(known.contains { $0.contains(marker) && !$0.contains(word) }, "\(word) at \(marker)")
                }
            }
        }
    }

    /// Returns the words that are allowed together, for each place of the language.
    private static func places(of shape: Shape) -> Set<[String]> {
        var found: Set<[String]> = []
        func visit(_ shape: Shape) {
            switch shape {
            case .word(let words): found.insert(words)
            case .list(let element), .oneOrMore(let element), .mapping(_, let element): visit(element)
            case .object(let fields), .open(let fields, _, _, _):
                found.insert(fields.map(\.name))
                for field in fields { visit(field.shape) }
                if case .open(_, _, _, let element) = shape { visit(element) }
            case .choice(let fields, let beside):
                found.insert((fields + beside).map(\.name))
                for field in fields + beside { visit(field.shape) }
            case .either(let shapes):
                found.insert(shapes.flatMap(\.alternatives).flatMap { $0.wordList + ($0.choices ?? []) })
                for shape in shapes { visit(shape) }
            case .text, .boolean, .integer, .duration, .bitRate, .byteCount, .probability, .anything: break
            }
        }
        visit(shape)
        return found
    }
}
