@testable import Conformance
import FoundationEssentials
import Testing

@testable import ScenarioLanguage

/// Tests that the schema, which is printed from the reader's shapes, agrees with the reader. They use a validator that
/// is independent of both.
struct SchemaPrinterTests {
    /// Decoded only once, because every variant needs it.
    private static let decoded = Result { try JSONDecoder().decode(JSON.self, from: Data(SchemaPrinter.schema().utf8)) }
    private static func schema() throws -> JSON { try decoded.get() }

    private static func problems(_ text: String) throws -> [String] {
        try SchemaValidator.problems(JSON(try Document(file: "f.yaml", text: text).root), try schema())
    }

    @Test func `the schema is JSON of draft 2020-12 with a description of each field`() throws {
        guard case .object(let root) = try Self.schema(), case .object(let schema) = root["else"],
            case .object(let properties) = schema["properties"]
        else {
            Issue.record("no object")
            return
        }
        #expect(root["$schema"] == .string("https://json-schema.org/draft/2020-12/schema"))
        #expect(
            schema["required"] == .array([.string("scenario"), .string("steps"), .string("expect")]))
        for (name, property) in properties {
            guard case .object(let keywords) = property, case .string(let text) = keywords["description"] else {
                Issue.record("\(name) has no description")
                continue
            }
            #expect(text.count > 10)
        }
    }

    @Test(arguments: ["minimal.yaml", "resumes.yaml", "everything.yaml", "everything-over-h2.yaml", "stores.yaml"])
    func `the samples are valid`(name: String) throws {
        #expect(try Self.problems(try Sample.text(name)) == [])
    }

    @Test func `all scenarios of the repository are valid`() throws {
        let schema = try Self.schema()
        let files = try ScenarioFiles.find(in: [Sample.scenarios])
        #expect(files.count > 10)
        for file in files {
            let root = try Document(file: file, text: try ScenarioReader.text(ofFile: file)).root
            let problems = try SchemaValidator.problems(JSON(root), schema)
            #expect(problems == [], "\(file)")
        }
    }

    struct Variant: Sendable, CustomTestStringConvertible {
        var line: String
        var isGood: Bool
        init(_ line: String, _ isGood: Bool) {
            self.line = line
            self.isGood = isGood
        }
        var testDescription: String { line }
    }

    /// Replacements for `timeout: 20s`.
    static let variants = [
        Variant("timeout: 1.5min", true), Variant("timeout: 5", false), Variant("timeout: 5 s", false),
        Variant("timeout: 1e3ms", false),
        Variant("timeout: [1s]", false), Variant("timeout: { s: 1 }", false), Variant("timeout:", false),
        Variant("timout: 20s", false),
        Variant("requestBudget: 3", true), Variant("requestBudget: 0", false), Variant("requestBudget: '3'", false),
        Variant("requestBudget: 1.5", false), Variant("tags: a", true), Variant("tags: [a, 5, true]", true),
        Variant("tags: []", false), Variant("tags: [[a]]", false), Variant("tags: [~]", false),
        Variant("needs: data", true),
        Variant("needs: [dta]", false), Variant("dependsOn: a/b", true), Variant("dns: { a.test: nxdomain }", true),
        Variant("dns: { a.test: [10.0.0.1], '*': { reply: silent, delay: 1s } }", true),
        Variant("dns: { a.test: nothing }", false), Variant("dns: { a.test: { delay: 1 } }", false),
        Variant("session: { minimumTLS: 1.2, maximumTLS: '1.3' }", true),
        Variant("session: { minimumTLS: 1.4 }", false),
        Variant("session: { waitsForConnectivity: true }", true),
        Variant("session: { waitsForConnectivity: yes }", false),
        Variant("session: { waitsForConnectivity: 'true' }", false),
        Variant("session: { headers: { A: [1, b], C: true } }", true),
        Variant("session: { headers: [A] }", false), Variant("sessions: { main: {} }", true),
        Variant("sessions: { main: 1 }", false),
        Variant("timeline: [{ when: { sinceStart: 2s }, set: { wifi: down } }]", true),
        Variant("timeline: [{ when: { sinceStart: 2s, request: 1 }, set: { wifi: down } }]", false),
        Variant("timeline: [{ when: { after: 2s }, set: { wifi: down } }]", false),
        Variant("timeline: [{ when: { responseSent: 5, request: 2 }, set: { wifi: lte } }]", true),
        Variant("timeline: [{ when: { responseSent: -5 }, set: { wifi: lte } }]", false),
        Variant("timeline: [{ when: first.didComplete, set: { wifi: { both: { loss: 0.5 } } } }]", true),
        Variant("timeline: [{ when: first.didComplete, set: { wifi: { both: { loss: 5 } } } }]", false),
        Variant("timeline: [{ when: first.didComplete, set: { wifi: { both: { rate: 5 } } } }]", false),
        Variant("timeline: [{ when: first.didComplete, set: { wifi: { both: { queue: { bytes: 5KiB } } } } }]", true),
        Variant("timeline: [{ set: { wifi: down } }]", false),
    ]

    @Test(arguments: variants)
    func `reader and schema agree`(variant: Variant) throws {
        let text = Sample.good(replacing: "timeout: 20s", with: variant.line)
        let errors = Sample.errors(text)
        #expect(errors.isEmpty == variant.isGood, "\(errors)")
        let problems = try Self.problems(text)
        #expect(problems.isEmpty == variant.isGood, "\(problems)")
    }

    /// Replacements for the only step.
    @Test(arguments: [
        Variant("data: /a\n    body: { size: 5, from: memory }", true),
        Variant("data: /a\n    body: { from: memory }", false),
        Variant("dota: /a", false), Variant("data: /a\n    upload: /a", false), Variant("data: [/a]", false),
        Variant("data: /a\n    challenge: cancel", true),
        Variant("data: /a\n    challenge: [{ user: u, password: 5 }, reject]", true),
        Variant("data: /a\n    challenge: { user: u }", false), Variant("data: /a\n    resumeData: true", false),
        Variant("data: /a\n    response: deny", false),
    ])
    func `reader and schema agree on a step`(variant: Variant) throws {
        let text = Sample.good(replacing: "data: /a", with: variant.line)
        #expect(Sample.errors(text).isEmpty == variant.isGood, "\(Sample.errors(text))")
        #expect(try Self.problems(text).isEmpty == variant.isGood)
    }
}
