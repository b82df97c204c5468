import Conformance
import Testing

@testable import ScenarioLanguage

/// Tests of the reference: it has every key, its examples are read by the reader, and the committed page is the printed
/// one.
struct LanguageReferenceTests {
    private static let reference = LanguageReference()

    @Test func `the committed page is the one that the program prints`() throws {
        let committed = try ScenarioReader.text(ofFile: Sample.scenarios + "/REFERENCE.md")
        #expect(committed == Self.reference.page, "run scripts/pages")
    }

    @Test func `the committed schema is the one that the program prints`() throws {
        let committed = try ScenarioReader.text(ofFile: Sample.scenarios + "/scenario.schema.json")
        #expect(committed == SchemaPrinter.schema(), "run scripts/pages")
    }

    @Test func `the reader accepts the example of each key`() throws {
        #expect(Self.reference.entries.count > 500)
        for entry in Self.reference.entries {
            let root = try Document(file: entry.path, text: entry.example).root
            let pair = try #require(root.pairs.first)
            #expect(root.pairs.count == 1, "\(entry.example)")
            #expect(pair.key.text == entry.field.name)
            var reader = ShapeReader()
            _ = reader.read(pair.value, as: entry.field.shape, what: entry.field.name)
            #expect(reader.errors.map { "\($0)" } == [], "\(entry.example)")
        }
    }

    @Test func `each key at each place has one entry`() {
        let keys = Self.reference.entries.map { "\($0.path) \($0.field.summary)" }
        #expect(Set(keys).count == keys.count)
        let paths = Set(Self.reference.entries.map(\.path))
        for path in [
            "scenario", "network.wifi.profile", "network.wifi.both.roundTrip", "origin.faults.at.responseBody",
            "origin.*.replacedBy.fromRequest", "steps.download", "steps.wait", "steps.await.sinceStart",
            "steps.set.program",
            "expect.completes.error", "expect.succeeds", "parameters.name", "session.cache",
        ] { #expect(paths.contains(path), "\(path)") }
        for entry in Self.reference.entries {
            if let other = entry.sameAs { #expect(paths.contains(other), "\(entry.path) → \(other)") }
        }
    }

    @Test(arguments: [
        ("The longest time; default 20s.", "20s"), ("Default main.", "main"), ("The version; default 1.2.", "1.2"),
        ("Look up by the request (default) or by the task.", nil),
        ("The distribution (default normal), or quantiles.", "normal"),
        ("A text.", nil), ("noRoute (no default route; a b).", nil),
        ("Default: the platform's; see there.", "the platform's"),
    ])
    func `the default is the one that the summary states`(summary: String, stated: String?) {
        let entry = LanguageReference.Entry(path: "a", field: Field("a", .text, summary), beside: [], sameAs: nil)
        #expect(entry.stated == stated)
        #expect(entry.facts == "text" + (stated.map { "; default \($0)" } ?? ""))
    }

    @Test func `a required key is shown as required, and a key of a choice with the keys beside it`() {
        let field = Field("a", .oneOrMore(.word(["b", "c"])), required: true, "A key.")
        let entry = LanguageReference.Entry(path: "x.a", field: field, beside: ["d", "e"], sameAs: "y")
        #expect(entry.facts == "one or more of: `b`, `c`; required")
        #expect(entry.remarks == " Beside `d`, `e`. Its keys: see `y`.")
        #expect(entry.example == "a: b")
    }

    @Test(arguments: [
        ("plain", "plain"), ("a b", "a b"), ("/big", "/big"), ("\"v1\"", "'\"v1\"'"), ("it's", "'it''s'"),
        ("1, 2", "'1, 2'"), ("a: b", "'a: b'"), ("", "''"),
    ])
    func `an example text is quoted where YAML needs it`(text: String, written: String) throws {
        #expect(ShapeExample.quoted(text) == written)
        #expect(try Document(file: "f", text: "{ a: \(written) }").root["a"]?.text == text)
    }
}
