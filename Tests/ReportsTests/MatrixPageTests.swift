import Testing

@testable import Reports

/// Tests the page and the excerpt of a matrix.
@Suite struct MatrixPageTests {
    @Test func `the page shows a sign, a word and the counts, and leads to the page of the run`() {
        let page = MatrixPage.html(MatrixSample.report())
        #expect(
            page.contains(
                "<td data-s=\"partly\" title=\"partly right&#10;Python httpx\"><a href=\"runs/httpx/redirect/a.html\">"
                    + "<span class=\"sign\" aria-hidden=\"true\">◐</span><span class=\"word\">partly right</span>"
                    + " <span class=\"number\">1/2</span></a><sup><a href=\"#note-1\">1</a></sup></td>"))
        #expect(page.contains("href=\"runs/curl/redirect/b%5Bearly%5D%40lte.html\""))
        #expect(
            page.contains("<a href=\"https://www.rfc-editor.org/rfc/rfc9110.html#section-15.4.4\">RFC 9110 §15.4.4</a>")
        )
        #expect(page.contains("<b>Rust ureq</b>: Rust ureq is not installed: no rustc"))
        for state in MatrixReport.State.allCases { #expect(page.contains("data-s=\"\(state)\"")) }
    }

    @Test func `a note is numbered once for a client and lists its scenarios`() {
        let notes = MatrixNotes(MatrixSample.report())
        #expect(
            notes.all == [
                MatrixNotes.Note(client: "Python httpx", text: "sends the body", scenarios: ["redirect/a", "faults/a"])
            ])
        #expect(notes.number(of: "faults/a", "httpx") == 1)
        #expect(notes.number(of: "faults/a", "curl") == nil)
    }

    @Test func `the page loads nothing`() {
        let page = MatrixPage.html(MatrixSample.report())
        for remote in ["src=", "@import", "url(", "<link", "fetch(", "http://"] { #expect(!page.contains(remote)) }
    }

    /// Every text of a report comes from files that others may have written.
    @Test func `hostile names are shown as text and never become links or elements`() {
        let hostile = "<img src=x onerror=alert(1)>\"'</script><script>alert(1)</script>&amp;\u{202e}"
        var source = MatrixReport.Source(hostile)
        source.url = "javascript:alert(1)"
        let run = MatrixReport.Run(outcome: "fail", kind: hostile, page: "javascript:alert(\"1\")/../<b>")
        let support = MatrixReport.Support(runs: [run, run], found: hostile, note: hostile)
        let report = MatrixReport(
            profile: hostile, seed: 1, repetitions: 2,
            clients: [
                .init(id: hostile, name: hostile, language: hostile, version: hostile, date: hostile, missing: hostile),
                .init(id: "b", name: "b", language: "C", version: "1", date: "2026-11-23"),
            ],
            behaviours: [
                .init(
                    id: hostile, area: hostile, title: hostile, statement: hostile, level: hostile, basis: hostile,
                    sources: [source], scenarios: [hostile])
            ],
            scenarios: [.init(id: hostile, title: hostile, support: [hostile: support])])
        let page = MatrixPage.html(report)
        #expect(!page.contains("<img"))
        #expect(!page.contains("\"'<"))
        #expect(page.ranges(of: "<script>").count == 1)
        #expect(page.ranges(of: "</script>").count == 1)
        #expect(!page.contains("href=\"javascript:"))
        #expect(page.contains("href=\"javascript%3Aalert%28%221%22%29/../%3Cb%3E\""))
        #expect(!page.contains("onerror=alert(1)>\""))
    }

    // MARK: - The excerpt

    private static let document = "# Title\n\n\(MatrixExcerpt.begin)\nold\n\(MatrixExcerpt.end)\n\nEnd\n"

    @Test func `the excerpt replaces what is between the markers, and a second time changes nothing`() throws {
        let once = try MatrixExcerpt.updating(Self.document, file: "README.md", with: MatrixSample.report())
        #expect(once.hasPrefix("# Title\n\n\(MatrixExcerpt.begin)\n| client | version |"))
        #expect(once.hasSuffix("\(MatrixExcerpt.end)\n\nEnd\n"))
        #expect(!once.contains("old"))
        #expect(try MatrixExcerpt.updating(once, file: "README.md", with: MatrixSample.report()) == once)
    }

    @Test func `the excerpt counts the behaviours of each client that ran`() {
        let lines = MatrixExcerpt.markdown(MatrixSample.report()).split(separator: "\n")
        #expect(lines[2] == "| curl | 8.14.1 | 0 | 0 | 0 | 1 | 1 |")
        #expect(lines[3] == "| Python httpx | 0.28.1 | 1 | 1 | 1 | 0 | 0 |")
        #expect(!lines.contains { $0.contains("ureq") })
    }

    @Test func `the excerpt lists where some clients are right and others wrong`() {
        var report = MatrixSample.report()
        report.scenarios[0].support["curl"] = MatrixSample.support("pass")
        report.scenarios[1].support["curl"] = MatrixSample.support("pass")
        let text = MatrixExcerpt.markdown(report)
        #expect(text.contains("| 303 turns into a GET | ✓ | ◐ |"))
        #expect(!text.contains("Cookies stay"))
    }

    @Test func `cells of the excerpt cannot break the table`() {
        var report = MatrixSample.report()
        report.clients[0].name = "a|b\n<script>`*_"
        #expect(MatrixExcerpt.markdown(report).contains("| a\\|b\\\\n&lt;script>\\`\\*\\_ |"))
    }

    @Test(arguments: ["", "\(MatrixExcerpt.begin)\n", "\(MatrixExcerpt.end)\n\(MatrixExcerpt.begin)\n"])
    func `a document without both markers is refused`(_ text: String) {
        #expect(throws: MissingMarkers(file: "README.md")) {
            try MatrixExcerpt.updating(text, file: "README.md", with: MatrixSample.report())
        }
    }
}
