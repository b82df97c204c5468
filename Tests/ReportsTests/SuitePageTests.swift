import AdapterProtocol
@testable import Conformance
import Foundation
import FoundationXML
import LinkEmulator
import Record
import ScenarioLanguage
import Testing

@testable import Reports

/// The pages are read as XML, of which they are a subset apart from the void elements of the head: an unescaped character
/// or an element that is not closed is an error of the parser.
@Suite struct SuitePageTests {
    private final class Reader: NSObject, XMLParserDelegate {
        var elements: [(name: String, attributes: [String: String])] = []
        var text = ""
        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) { elements.append((name, attributes)) }
        func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
        func count(_ name: String) -> Int { elements.count { $0.name == name } }
        var links: [String] { elements.compactMap { $0.name == "a" ? $0.attributes["href"] : nil } }
    }

    private static func read(_ html: String) throws -> Reader {
        let body = try #require(html.range(of: "<body>"))
        let end = try #require(html.range(of: "<script>"))
        var xml = "<body>" + html[body.upperBound..<end.lowerBound] + "</body>"
        // Attributes without a value, and elements without an end, are HTML only.
        xml = xml.replacing(" data-always>", with: ">").replacing("<details open>", with: "<details>")
        xml = xml.replacing(/<input [^>]*>/, with: "")
        let reader = Reader()
        let parser = XMLParser(data: Data(xml.utf8))
        parser.delegate = reader
        try #require(parser.parse(), "\(String(describing: parser.parserError)) in line \(parser.lineNumber)")
        return reader
    }

    private static var suite: SuiteReport {
        var suite = Example.suite
        for index in suite.runs.indices where suite.runs[index].isFailure {
            suite.runs[index].page = suite.runs[index].pageFile
        }
        return suite
    }

    @Test func `the page has every run, and links to the pages of failures`() throws {
        let page = try Self.read(SuitePage.html(Self.suite, history: RunHistory()))
        #expect(page.elements.count { $0.attributes["data-k"] != nil && $0.name == "tr" } == Example.suite.runs.count)
        #expect(page.links.contains("runs/resume/reset-at-byte.html"))
        #expect(!page.links.contains("runs/resume/weak-validator.html"))
        for text in [
            "Not as expected", "resumeOffset", "DNLD-9", "foundation#5191 <open>", "the lab could not be built",
        ] {
            #expect(page.text.contains(text), "\(text)")
        }
        // The failures with a record have a picture.
        #expect(page.count("svg") == 3)
        #expect(page.elements.count { $0.attributes["data-k"]?.contains("unexpected") == true && $0.name == "tr" } == 3)
    }

    @Test func `a page needs nothing from the network`() {
        for html in [
            SuitePage.html(Self.suite, history: RunHistory()),
            RunPage.html(Example.suite.runs[1], record: Example.record),
        ] {
            #expect(!html.contains("<link") && !html.contains("src=") && !html.contains("@import"))
            #expect(!html.contains("url("))
        }
    }

    @Test func `text from an implementation cannot become part of the page`() throws {
        let evil = "</script><script>alert(1)</script>\" onload='x' & \u{1b}[2J\u{202e}\u{0}"
        let mismatch = Mismatch(check: evil, line: 3, expected: evil, found: evil, evidence: [0])
        let record = [
            RecordEntry(time: 0, fact: .adapter(.standardError(evil))),
            RecordEntry(time: 5, fact: .network(.interfaceChanged(.wifi, evil))),
            RecordEntry(time: 9, fact: .step(evil)),
        ]
        for outcome in [Outcome.fail(.wrong, [mismatch]), .unsupported(evil), .skipped(after: evil), .error(evil)] {
            var run = ReportedRun(
                Example.result("a/\(evil)", evil, proves: [evil], outcome, milliseconds: 1),
                baselineStatus: .expected(reason: evil), record: record)
            run.page = run.pageFile
            let check = Verdict.Finding(name: evil, line: 1, summary: evil, mismatches: [mismatch])
            let suite = SuiteReport(
                runs: [run], staleBaselineLines: [evil], requirementTitles: [evil: evil], startedAt: 0, elapsed: .zero,
                artifactDirectory: evil)
            let history = RunHistory().adding(suite)
            for html in [
                SuitePage.html(suite, history: history), RunPage.html(run, record: record, checks: [check], home: evil),
            ] {
                let page = try Self.read(html)
                #expect(page.count("script") == 0)
                #expect(!page.elements.contains { $0.attributes["onload"] != nil })
                #expect(!page.text.unicodeScalars.contains { ["\u{1b}", "\u{202e}"].contains($0) })
            }
        }
    }

    @Test func `a page of thousands of failures is bounded`() {
        let run = Example.suite.runs[1]
        let runs = (0..<3000).map { number in
            var other = run
            other.result.header.scenario = "resume/case-\(number)"
            return other
        }
        let html = SuitePage.html(SuiteReport(runs: runs, startedAt: 0, elapsed: .zero), history: RunHistory())
        #expect(html.utf8.count < 6_000_000)
        #expect(html.contains("2800 more failures are in the list of runs."))
    }

    @Test func `different runs have different files`() {
        let names = ["a/b", "a/b[c]", "a/b@c", "a/b[c]@d", "a/b~5bc", "a/B?", "../x", "a/é"]
        var runs = names.map { ReportedRun(Example.result($0, "T", .pass, milliseconds: 1), record: []) }
        runs.append(ReportedRun(Example.result("a/b", "T", repetition: 2, .pass, milliseconds: 1), record: []))
        let files = runs.map(\.pageFile)
        #expect(Set(files).count == files.count)
        #expect(files[0] == "runs/a/b.html")
        #expect(files.allSatisfy { !$0.contains("..") && $0.hasPrefix("runs/") })
    }

    // MARK: The page of a run

    @Test func `changes of the network are not hidden by filters`() throws {
        let facts: [RecordEntry.Fact] = [
            .network(.interfaceState(.wifi, .up)), .stepsBegan, .network(.interfaceState(.wifi, .down)),
            .network(.dnsService("dns a.test=nxdomain")), .adapter(.signalled(11)),
        ]
        let record = facts.enumerated().map { RecordEntry(time: Int64($0.offset) * 1_000_000, fact: $0.element) }
        let run = ReportedRun(Example.result("a/b", "T", .fail(.crash, []), milliseconds: 1), record: record)
        let html = RunPage.html(run, record: record, home: "../../index.html")
        let rows = html.split(separator: "\n").filter { $0.hasPrefix("<tr data-k") || $0.contains("<tr data-k") }
        #expect(rows.count == facts.count)
        #expect(rows.map { $0.contains("data-always") } == [false, false, true, true, false])
        let page = try Self.read(html)
        #expect(page.links.first == "../../index.html")
        #expect(page.text.contains("signal 11"))
    }

    @Test func `a long record is shortened in the middle, and keeps its causes`() throws {
        var record = (0..<20_000).map { RecordEntry(time: Int64($0), fact: .note(.other("\($0)"))) }
        record[0] = RecordEntry(time: 0, fact: .stepsBegan)
        record[2000] = RecordEntry(time: 2000, fact: .network(.interfaceState(.wifi, .down)))
        let run = ReportedRun(Example.result("a/b", "T", .error("x"), milliseconds: 1), record: record)
        let html = RunPage.html(run, record: record)
        #expect(html.utf8.count < 1_000_000)
        #expect(html.components(separatedBy: "<tr data-k").count - 1 == RunPage.mostEntries + 1)
        #expect(html.contains("entries are only in the record file"))
    }

    @Test func `every check is listed with what it found`() throws {
        let checks = [
            Verdict.Finding(name: "completes", line: 7, summary: "The task completes.", mismatches: []),
            Verdict.Finding(
                name: "resumeOffset", line: 23, summary: "The offset.", mismatches: [Example.mismatches[0]]),
        ]
        let page = try Self.read(RunPage.html(Example.suite.runs[1], record: Example.record, checks: checks))
        #expect(page.text.contains("1 hold, 1 fail"))
        #expect(page.text.contains("Scenarios/resume/reset-at-byte.yaml:7"))
        #expect(page.text.contains("+0.191000 s  session  second.didResumeAtOffset: offset 0"))
    }

    // MARK: History

    @Test func `a history is read as it was written and keeps the last runs`() {
        var history = RunHistory()
        for number in 0..<30 {
            var suite = Example.suite
            suite.startedAt = Int64(number)
            history = history.adding(suite)
            #expect(RunHistory(text: history.text) == history)
        }
        #expect(history.suites.map(\.startedAt) == Array(10..<30))
        #expect(history.suites.last?.count("pass") == 2)
        #expect(history.suites.last?.isAsExpected == false)
    }

    @Test func `a damaged line of a history is left out`() {
        let good = RunHistory().adding(Example.suite)
        #expect(RunHistory(text: "{\n" + good.text + "{\"v\":2}\n\u{0}") == good)
    }

    @Test func `the letters of a scenario are its outcomes in earlier runs`() {
        func suite(_ outcomes: [(String, Outcome)]) -> SuiteReport {
            SuiteReport(
                runs: outcomes.map { ReportedRun(Example.result($0.0, "T", $0.1, milliseconds: 1), record: []) },
                startedAt: 0, elapsed: .zero)
        }
        let history = RunHistory().adding(suite([("a", .pass)]))
            .adding(suite([("a", .fail(.wrong, [])), ("a", .pass), ("b", .error("x"))])).adding(suite([("a", .pass)]))
        #expect(history.letters == ["a": "pfp", "b": "-e-"])
    }
}
