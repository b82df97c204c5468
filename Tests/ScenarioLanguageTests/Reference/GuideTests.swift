import Conformance
import Testing

@testable import ScenarioLanguage

/// Tests that the guide shows the files it names, and that these are scenarios.
struct GuideTests {
    private static func page() throws -> String { try ScenarioReader.text(ofFile: Sample.scenarios + "/GUIDE.md") }

    @Test func `each of the ten scenarios of the guide is its file, in order`() throws {
        let page = try Self.page()
        let names = page.matches(of: #/\[guide/(.+?)\]\(guide/(.+?)\):/#).map { match in
            #expect(match.1 == match.2)
            return String(match.1)
        }
        let files = try ScenarioFiles.find(in: [Sample.scenarios + "/guide"])
        #expect(names == files.compactMap { $0.split(separator: "/").last.map(String.init) })
        #expect(files.count == 10)
        #expect(try Fences.yaml(of: page) == files.map { try ScenarioReader.text(ofFile: $0) })
    }

    @Test func `the reader accepts every run of the guide`() throws {
        for file in try ScenarioFiles.find(in: [Sample.scenarios + "/guide"]) {
            let cases = try ScenarioReader.cases(path: file).get()
            #expect(cases.scenarios.count == (file.hasSuffix("10-a-table-of-cases.yaml") ? 3 : 1))
        }
    }

    /// The guide must not name a file or folder that does not exist.
    @Test func `links of the pages lead to files`() throws {
        for name in ["GUIDE.md", "SYMPTOMS.md"] {
            let page = try ScenarioReader.text(ofFile: "\(Sample.scenarios)/\(name)")
            for match in page.matches(of: #/\]\(([A-Za-z0-9\/._-]+)\)/#) {
                let path = "\(Sample.scenarios)/\(match.1)"
                #expect(throws: Never.self, "\(path)") { try ScenarioFiles.find(in: [path]) }
            }
        }
    }
}
