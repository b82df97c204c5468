import Conformance
import Testing

@testable import ScenarioLanguage

/// Tests of the symptoms: their scenarios are read, the committed page shows them, and the words of users find them.
struct SymptomTests {
    private static let folder = Sample.scenarios + "/symptoms"

    @Test func `the committed page is the one that the program prints`() throws {
        let committed = try ScenarioReader.text(ofFile: Sample.scenarios + "/SYMPTOMS.md")
        #expect(committed == Symptom.page(try Symptom.all(in: Self.folder)), "run scripts/pages")
    }

    @Test func `each snippet of the page is a scenario that the reader accepts`() throws {
        let snippets = Fences.yaml(of: try ScenarioReader.text(ofFile: Sample.scenarios + "/SYMPTOMS.md"))
        #expect(snippets.count >= 12)
        for snippet in snippets { #expect(Sample.errors(snippet).map { "\($0)" } == [], "\(snippet)") }
    }

    @Test func `each symptom has a title, words, an explanation and a copy that the reader accepts`() throws {
        for symptom in try Symptom.all(in: Self.folder) {
            #expect(symptom.words.count >= 3 && symptom.words.allSatisfy { !$0.isEmpty }, "\(symptom.name)")
            #expect(symptom.title.first?.isUppercase == true)
            #expect(symptom.explanation.count > 40)
            let copy = symptom.copy(schema: "s.json")
            #expect(copy.hasPrefix("# yaml-language-server: $schema=s.json\n# \(symptom.title).\n# "))
            #expect(copy.split(separator: "\n").allSatisfy { $0.count <= 140 })
            #expect(Sample.errors(copy).map { "\($0)" } == [], "\(symptom.name)")
        }
    }

    @Test(arguments: [
        ("connection lost", "connection-lost"), ("ECONNRESET", "connection-lost"), ("-1005", "connection-lost"),
        ("stuck in the train", "stuck-in-the-train"), ("tunnel", "stuck-in-the-train"),
        ("works on wifi only", "works-on-wifi-only"), ("Wi-Fi only", "works-on-wifi-only"),
        ("corrupt resume", "corrupt-resume"), ("ipv6-only", "ipv6-only"), ("nat64", "ipv6-only"),
        ("captive portal", "captive-portal"), ("double post", "double-post"), ("ordered twice", "double-post"),
        ("the order is placed twice", "double-post"), ("it hangs in the train", "stuck-in-the-train"),
    ])
    func `the words of users find their symptom`(query: String, name: String) throws {
        let found = try Symptom.all(in: Self.folder).filter { $0.matches(query) }.map(\.name)
        #expect(found == [name])
    }

    @Test(arguments: ["is", "the", "xyzzy", "train xyzzy", "", "the a my an"])
    func `other words find none`(query: String) throws {
        #expect(try Symptom.all(in: Self.folder).filter { $0.matches(query) } == [])
    }

    @Test func `a file is taken apart at its marked lines`() {
        let text = "# Symptom: It fails\n# Words: one, two words\n# Because of\n# this.\nscenario: A\nsteps: []\n"
        let symptom = Symptom(name: "fails", text: text)
        #expect(symptom?.title == "It fails")
        #expect(symptom?.words == ["one", "two words"])
        #expect(symptom?.explanation == "Because of this.")
        #expect(symptom?.scenario == "scenario: A\nsteps: []\n")
        #expect(Symptom(name: "fails", text: "scenario: A\n") == nil)
        #expect(Symptom(name: "fails", text: "# Symptom: It fails\nscenario: A\n") == nil)
    }
}

/// The fenced blocks of a Markdown page.
enum Fences {
    /// Returns the content of each block that is marked as YAML.
    static func yaml(of page: String) -> [String] {
        page.components(separatedBy: "```yaml\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    }
}

extension String {
    /// `components(separatedBy:)` without Foundation.
    fileprivate func components(separatedBy mark: String) -> [String] {
        split(separator: mark, omittingEmptySubsequences: false).map(String.init)
    }
}
