import Record
import Conformance
import Foundation
import ScenarioLanguage
import Testing

@testable import Reports

struct SummaryFileTests {
    @Test func `the file equals the golden text`() {
        #expect(SummaryFile.json(Example.suite) == Golden.json + "\n")
    }

    private struct Read: Decodable {
        struct Run: Decodable {
            var title: String
            var seed: String
        }
        var version: Int
        var runs: [Run]
    }

    @Test func `any text and any seed survive a JSON reader`() throws {
        let text = "\"\\ \u{0}\u{1f}\u{7f}\u{2028} \n\r\t é 😀"
        var run = ReportedRun(Example.result("a/b", text, .pass, milliseconds: 1), record: [])
        run.result.header.seed = .max
        let json = SummaryFile.json(SuiteReport(runs: [run], startedAt: 0, elapsed: .zero))
        let read = try JSONDecoder().decode(Read.self, from: Data(json.utf8))
        #expect(read.version == 1 && read.runs.first?.title == text && read.runs.first?.seed == "18446744073709551615")
    }
}
