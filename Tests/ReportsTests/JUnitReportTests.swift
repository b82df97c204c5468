import Conformance
import Record
import Foundation
import FoundationXML
import ScenarioLanguage
import Testing

@testable import Reports

/// Compares with the golden text, and reads the same document with a real parser, which finds errors that a reader
/// overlooks.
struct JUnitReportTests {
    private final class Reader: NSObject, XMLParserDelegate {
        var elements: [(name: String, attributes: [String: String])] = []
        var text = ""
        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) { elements.append((name, attributes)) }
        func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
        func all(_ name: String) -> [[String: String]] { elements.filter { $0.name == name }.map(\.attributes) }
    }

    private static func read(_ xml: String) throws -> Reader {
        let reader = Reader()
        let parser = XMLParser(data: Data(xml.utf8))
        parser.delegate = reader
        try #require(parser.parse(), "\(String(describing: parser.parserError))")
        return reader
    }

    @Test func `the document equals the golden text`() {
        #expect(JUnitReport.xml(Example.suite) == Golden.junit + "\n")
    }

    @Test func `the counts match the elements`() throws {
        let reader = try Self.read(JUnitReport.xml(Example.suite))
        let whole = try #require(reader.all("testsuites").first)
        #expect(
            whole["tests"] == "\(reader.all("testcase").count)"
                && reader.all("testcase").count == Example.suite.runs.count)
        #expect(whole["failures"] == "\(reader.all("failure").count)")
        #expect(whole["errors"] == "\(reader.all("error").count)")
        #expect(whole["skipped"] == "\(reader.all("skipped").count)")
        for key in ["tests", "failures", "errors", "skipped"] {
            #expect(
                reader.all("testsuite").compactMap { $0[key].flatMap { Int($0) } }.reduce(0, +)
                    == whole[key].flatMap { Int($0) })
        }
    }

    @Test func `a case is red exactly when its run is not as expected`() throws {
        for run in Example.suite.runs {
            var suite = Example.suite
            suite.runs = [run]
            let reader = try Self.read(JUnitReport.xml(suite))
            #expect((reader.all("failure") + reader.all("error")).isEmpty == run.isAsExpected)
        }
    }

    @Test func `any text survives except characters that XML forbids`() throws {
        let allowed = "<&>\"' \n\t\r ]]> é 😀 \u{85}"
        let forbidden = (0...0x1f).filter { ![9, 10, 13].contains($0) } + [0xfffe, 0xffff]
        for value in forbidden {
            let text = allowed + String(try #require(UnicodeScalar(UInt32(value))))
            let run = ReportedRun(Example.result("a/b", text, .error(text), milliseconds: 1), record: [])
            var suite = SuiteReport(runs: [run], startedAt: 0, elapsed: .zero)
            suite.staleBaselineLines = [text]
            let reader = try Self.read(JUnitReport.xml(suite))
            let title = reader.all("property").first { $0["name"] == "title" }
            #expect(title?["value"].map { Array($0.unicodeScalars) } == Array((allowed + "\u{fffd}").unicodeScalars))
            #expect(
                reader.all("error").first?["message"].map { Array($0.unicodeScalars) }
                    == Array((allowed + "\u{fffd}").unicodeScalars))
            #expect(reader.text.unicodeScalars.contains("\u{fffd}") && reader.text.contains(allowed))
        }
    }

    @Test func `cases that share a scenario have distinct names`() throws {
        var runs = [1, 2].map {
            ReportedRun(Example.result("a/b", "T", repetition: $0, .pass, milliseconds: 1), record: [])
        }
        var other = runs[0]
        other.result.header.engine = "emulator"
        runs.append(other)
        let reader = try Self.read(JUnitReport.xml(SuiteReport(runs: runs, startedAt: 0, elapsed: .zero)))
        #expect(
            reader.all("testcase").compactMap { $0["name"] } == [
                "b (emulator, repetition 1)", "b (kernel, repetition 1)", "b (kernel, repetition 2)",
            ])
    }
}
