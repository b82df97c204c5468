import Conformance
import Testing

@testable import ScenarioLanguage

/// Tests of the layout of scenario files: each rule, its limits, and that it changes none of the repository's files.
struct ScenarioFormatterTests {
    private static func format(_ text: String) throws -> String {
        try ScenarioFormatter.format(file: "f.yaml", text: text)
    }

    @Test func `no committed scenario changes`() throws {
        let files = try ScenarioFiles.find(in: [Sample.scenarios])
        #expect(files.count > 900)
        for file in files {
            let text = try ScenarioReader.text(ofFile: file)
            #expect(try ScenarioFormatter.format(file: file, text: text) == text, "crosswind format \(file)")
        }
    }

    static let pairs = [
        // Line ends.
        ("a: 1  \nb: 2\t\n", "a: 1\nb: 2\n"), ("a: 1\r\nb: 2\r\n", "a: 1\nb: 2\n"), ("a: 1", "a: 1\n"),
        ("a: 1\n\n\n", "a: 1\n"), ("\n\na: 1\n\n\n\nb: 2\n", "a: 1\n\nb: 2\n"),
        // Spaces of flow style.
        ("a: {b: 1,c: [ d,e ]}\n", "a: { b: 1, c: [d, e] }\n"), ("a: {  }\nb: [  ]\n", "a: {}\nb: []\n"),
        ("a: { b: {c: 1}}\n", "a: { b: { c: 1 } }\n"), ("- {a: 1}  # a {b: 1}\n", "- { a: 1 }  # a {b: 1}\n"),
        ("a: {b: '{c,d}', e: \"[f,g]\" }\n", "a: { b: '{c,d}', e: \"[f,g]\" }\n"),
        ("a: {b: \"x\\\"{y\", c: 'it''s {z'}\n", "a: { b: \"x\\\"{y\", c: 'it''s {z' }\n"),
        ("a: the {b,c} of it's d\n", "a: the {b,c} of it's d\n"),
        ("a: {b: 1,  # c\n  d: 2}\n", "a: { b: 1,  # c\n  d: 2 }\n"),
        ("a:\n  {\n  b: 1,\n  }\n", "a:\n  {\n  b: 1,\n  }\n"),
        // Block scalars keep everything.
        ("a: |\n  {b: 1}  \n\n\n  c\nd: {e: 1}\n", "a: |\n  {b: 1}  \n\n\n  c\nd: { e: 1 }\n"),
        ("a:\n  - >-\n    {b}  \n  - {c: 1}\n", "a:\n  - >-\n    {b}  \n  - { c: 1 }\n"),
        // The order of the keys.
        ("steps: 1\nscenario: 2\n", "scenario: 2\nsteps: 1\n"),
        (
            "# The file.\nexpect: 1\n# The steps.\nsteps:\n  - 2\n\nproves: 3\n",
            "# The file.\n\nproves: 3\n# The steps.\nsteps:\n  - 2\nexpect: 1\n"
        ),
        ("session: 1\norigin: 2\nnetwork: 3\n", "session: 1\norigin: 2\nnetwork: 3\n"),
        ("unknown: 1\nscenario: 2\n", "scenario: 2\nunknown: 1\n"),
        ("steps:\n- 1\nscenario: 2\n", "scenario: 2\nsteps:\n- 1\n"),
    ]

    @Test(arguments: pairs)
    func `a file gets the layout, and keeps it`(written: String, formatted: String) throws {
        let once = try Self.format(written)
        #expect(once == formatted)
        #expect(try Self.format(once) == once)
    }

    /// An alias must come after its anchor, so these keys cannot change places.
    @Test func `a rule that would change the content is left out`() throws {
        let text = "steps: &one {a: 1}\nscenario: *one\n"
        #expect(try Self.format(text) == "steps: &one {a: 1}\nscenario: *one\n")
    }

    @Test func `a file that is not YAML is refused at its place`() {
        #expect(throws: ScenarioError.self) { try Self.format("a: [b\n") }
    }
}
