import Conformance
import Foundation
import LinkEmulator
import Record
import ScenarioLanguage
import Testing

@testable import Reports

/// Tests of the pages' filters in a browser. Skipped where Chromium is not installed.
@Suite struct PageScriptTests {
    private static let browser = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// Opens the page, runs statements that fill the list `seen`, and returns that list.
    private static func seen(in html: String, _ statements: String) throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "crosswind-page-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let script = """
            <script>
            const seen = [];
            const press = word => document.querySelector('.bar button[data-k="' + word + '"]').click();
            const search = text => {
              const field = document.querySelector('.bar input'); field.value = text; field.dispatchEvent(new Event('input'));
            };
            const rows = () => [...document.querySelectorAll('#list tr[data-k]')].filter(row => !row.hidden).length;
            window.onerror = message => { seen.push('error: ' + message); };
            \(statements)
            document.body.textContent = '';
            document.title = 'seen:' + seen.join('|') + ':end';
            </script></body>
            """
        let page = folder.appendingPathComponent("page.html")
        try Data(html.replacing("</body>", with: script).utf8).write(to: page)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(browser))
        process.arguments = [
            "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=\(folder.path)/profile", "--dump-dom",
            "file://\(page.path)",
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let start = try #require(text.range(of: "seen:"), "\(text.prefix(500))")
        let end = try #require(text.range(of: ":end"))
        return text[start.upperBound..<end.lowerBound].split(separator: "|", omittingEmptySubsequences: false)
            .map(String.init)
    }

    @Test(.enabled(if: browser != nil)) func `runs are filtered by outcome, family and text`() throws {
        let html = SuitePage.html(Example.suite, history: RunHistory().adding(Example.suite))
        let seen = try Self.seen(
            in: html,
            """
            seen.push(rows());
            press('fail'); seen.push(rows());
            press('error'); seen.push(rows());
            press('fail'); press('error'); press('unexpected'); seen.push(rows());
            press('unexpected'); search('reset DNLD'); seen.push(rows());
            search(''); document.querySelector('a[data-area=order]').click(); seen.push(rows());
            seen.push(document.querySelector('.shown').textContent);
            seen.push(document.querySelectorAll('td[data-h] span.f').length);
            """)
        #expect(seen == ["7", "2", "3", "3", "2", "2", "2 of 7 shown", "2"])
    }

    @Test(.enabled(if: browser != nil)) func `a change of the network stays visible with every filter`() throws {
        let facts: [RecordEntry.Fact] = [
            .stepsBegan, .network(.interfaceState(.wifi, .down)), .note(.other("late")), .adapter(.signalled(11)),
        ]
        let record = facts.enumerated().map { RecordEntry(time: Int64($0.offset) * 1_000_000, fact: $0.element) }
        let run = ReportedRun(Example.result("a/b", "T", .fail(.crash, []), milliseconds: 1), record: record)
        let seen = try Self.seen(
            in: RunPage.html(run, record: record),
            """
            seen.push(rows());
            press('adapter'); seen.push(rows());
            press('adapter'); search('nothing like this'); seen.push(rows());
            search('note'); seen.push(rows());
            search(''); press('evidence'); seen.push(rows());
            """)
        #expect(seen == ["4", "2", "1", "2", "2"])
    }

    /// A page that is wider than the screen scrolls sideways as a whole, which hides the ends of its lines.
    @Test(.enabled(if: browser != nil)) func `a page fits a phone`() throws {
        for html in [
            SuitePage.html(Example.suite, history: RunHistory().adding(Example.suite)),
            RunPage.html(Example.suite.runs[1], record: Example.record),
        ] {
            let framed =
                "<body><iframe id=\"phone\" style=\"width:400px;height:800px\" srcdoc=\"\(XMLEscaping.attribute(html))\"></iframe></body>"
            let seen = try Self.seen(
                in: framed,
                """
                document.getElementById('phone').addEventListener('load', event => {
                  const page = event.target.contentDocument.documentElement;
                  document.title = 'seen:' + (page.scrollWidth <= page.clientWidth) + ':end';
                });
                throw new Error('the title is set when the frame has loaded');
                """)
            #expect(seen == ["true"])
        }
    }
}
