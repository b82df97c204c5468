import Conformance
import Record
import ScenarioLanguage
import Testing

@testable import Reports

/// Tests the results of many clients: the states of cells, the rows, the file, and the joining of shards.
@Suite struct MatrixReportTests {
    typealias State = MatrixReport.State

    /// A repetition may make a result worse, never better.
    @Test(arguments: [
        (["pass"], State.right), (["pass", "pass"], .right), (["fail", "fail", "fail"], .wrong),
        (["fail", "pass", "pass"], .varies), (["pass", "fail"], .varies), (["unsupported"], .cannot),
        (["unsupported", "pass"], .varies), (["error"], .noResult), (["skipped"], .noResult),
        (["error", "pass"], .noResult), (["error", "fail"], .wrong), (["error", "unsupported"], .noResult),
        (["fail", "error", "pass"], .varies), ([], .noResult), (["unheard-of"], .noResult),
    ])
    func `the state of a scenario follows from the outcomes of its runs`(_ outcomes: [String], _ state: State) {
        let support = MatrixReport.Support(runs: outcomes.map { MatrixReport.Run(outcome: $0) })
        #expect(support.state == state)
    }

    @Test(arguments: [
        ([State.right, .right], State.right, 2, 2), ([.right, .cannot], .right, 1, 1),
        ([.wrong, .wrong], .wrong, 0, 2), ([.wrong, .cannot], .wrong, 0, 1), ([.wrong, .noResult], .wrong, 0, 1),
        ([.right, .wrong], .partly, 1, 2), ([.wrong, .varies], .partly, 0, 2), ([.right, .varies], .varies, 1, 2),
        ([.right, .noResult], .noResult, 1, 1), ([.cannot, .cannot], .cannot, 0, 0),
        ([.cannot, .noResult], .noResult, 0, 0), ([], .noResult, 0, 0),
    ])
    func `the cell of a behaviour follows from the states of its scenarios`(
        _ states: [State], _ state: State, _ right: Int, _ asked: Int
    ) {
        let cell = MatrixReport.Cell(states)
        #expect(cell.state == state)
        #expect([cell.right, cell.asked, cell.total] == [right, asked, states.count])
    }

    @Test func `every state has its own sign and words`() {
        #expect(Set(State.allCases.map(\.sign)).count == State.allCases.count)
        #expect(Set(State.allCases.map(\.words)).count == State.allCases.count)
    }

    @Test func `the runs of a scenario become one result with the person's note and the first finding`() {
        func run(_ repetition: Int, _ outcome: Outcome, _ status: Baseline.BaselineStatus) -> ReportedRun {
            ReportedRun(
                Example.result("a/b", "T", repetition: repetition, outcome, milliseconds: 1), baselineStatus: status,
                record: [])
        }
        let mismatch = Mismatch(check: "requests", expected: "1 request", found: "2\u{1b}[31m requests")
        let support = MatrixReport.Support([
            run(2, .pass, .unlisted), run(1, .fail(.wrong, [mismatch]), .expected(reason: "sends it twice")),
        ]) { "p\($0.result.header.repetition).html" }
        #expect(
            support.runs == [
                MatrixReport.Run(outcome: "fail", kind: "wrong", page: "p1.html"),
                MatrixReport.Run(outcome: "pass", page: "p2.html"),
            ])
        #expect(support.state == .varies)
        #expect(support.note == "sends it twice")
        #expect(support.found == "requests: expected 1 request; found 2\\u{1b}[31m requests")
        #expect(support.asExpected)
        #expect(!MatrixReport.Support([run(1, .fail(.wrong, []), .unlisted)]) { _ in nil }.asExpected)
    }

    // MARK: - Rows

    private static let catalogue = """
        - area: RFC-A
          title: Redirects
          basis: rfc
          requirements:
            - { id: RFC-A-01, title: One, statement: It does., level: must, sources: ['RFC 9110 §15.4: words', 'RFC 9110 §15.4: others'] }
            - { id: RFC-A-02, title: Two, statement: It does., level: may, sources: ['Fetch §4.5: words'] }
        - area: RFC-B
          title: Cookies
          basis: fetch
          requirements:
            - { id: RFC-B-01, title: Three, statement: It does., level: should, sources: ['Fetch §4.5: words'] }
        """

    @Test func `a row is a requirement with its scenarios, and what proves none is listed by folder`() throws {
        func scenario(_ id: String, proves: [String]) -> Scenario {
            var scenario = Scenario(file: "\(id).yaml", id: id, title: id)
            scenario.proves = proves
            return scenario
        }
        let rows = MatrixReport.behaviours(
            of: [
                scenario("x/one", proves: ["RFC-A-01", "DATA-01"]),
                scenario("x/two", proves: ["RFC-A-01", "RFC-B-01"]),
                scenario("z/three", proves: ["DATA-01"]), scenario("y/four", proves: []),
            ],
            in: try RequirementCatalogue.read(text: Self.catalogue).requirements)
        #expect(rows.map(\.id) == ["RFC-A-01", "RFC-B-01", "scenarios/y", "scenarios/z"])
        #expect(rows.map(\.scenarios) == [["x/one", "x/two"], ["x/two"], ["y/four"], ["z/three"]])
        #expect(rows[0].sources == [MatrixReport.Source("RFC 9110 §15.4")])
        #expect(rows.map(\.area) == ["Redirects", "Cookies", "Other scenarios", "Other scenarios"])
        #expect(rows.map(\.basis) == ["rfc", "fetch", nil, nil])
        #expect(rows[0].level == "must")
        #expect(rows[3].level == nil)
    }

    @Test(
        arguments: [
            (
                "RFC 9110 §15.4.4: a quotation: with a colon", "RFC 9110 §15.4.4",
                "https://www.rfc-editor.org/rfc/rfc9110.html#section-15.4.4"
            ),
            ("RFC 7538", "RFC 7538", "https://www.rfc-editor.org/rfc/rfc7538.html"),
            ("RFC 9112 §A.1", "RFC 9112 §A.1", "https://www.rfc-editor.org/rfc/rfc9112.html#appendix-A.1"),
            ("Fetch §4.5: x", "Fetch §4.5", "https://fetch.spec.whatwg.org/"),
            (
                "draft-ietf-httpbis-rfc6265bis-22 §5.7", "draft-ietf-httpbis-rfc6265bis-22 §5.7",
                "https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis-22#section-5.7"
            ),
            ("RFC x\" onclick §1", "RFC x\" onclick §1", nil), ("URLSession.h", "URLSession.h", nil), ("", "", nil),
        ] as [(String, String, String?)])
    func `a source leads to its section`(_ source: String, _ text: String, _ url: String?) {
        #expect(MatrixReport.Source(source).text == text)
        #expect(MatrixReport.Source(source).url == url)
    }

    // MARK: - The file

    @Test func `the file is read back as it was written`() throws {
        let report = MatrixSample.report()
        #expect(try MatrixReport.read(Array(report.json.utf8), file: "f") == report)
        #expect(report.json.contains("\"seed\": \"18446744073709551615\""))
        for text in ["{}", "", "{\"crosswind\": \"summary\", \"version\": 1}"] {
            #expect(throws: ShardError<MatrixReport>.unreadable("f")) {
                try MatrixReport.read(Array(text.utf8), file: "f")
            }
        }
        let newer = report.json.replacing("\"version\": 1,", with: "\"version\": 9,")
        #expect(throws: ShardError<MatrixReport>.wrongVersion("f", found: 9)) {
            try MatrixReport.read(Array(newer.utf8), file: "f")
        }
    }

    @Test func `the file names the state of every cell`() {
        let json = MatrixSample.report().json
        #expect(json.contains("\"httpx\": {\"state\": \"partly\", \"right\": 1, \"asked\": 2, \"of\": 2}"))
        #expect(json.contains("\"curl\": {\"state\": \"varies\", \"right\": 1, \"asked\": 2, \"of\": 2}"))
        #expect(json.contains("\"curl\": {\"state\": \"cannot\", \"right\": 0, \"asked\": 0, \"of\": 1}"))
        #expect(json.contains("\"ureq\": {\"state\": \"noResult\", \"right\": 0, \"asked\": 0, \"of\": 1}"))
    }

    @Test func `only pages below the folder of the report are followed`() {
        let runs = ["runs/a.html", "/etc/passwd", "../secret", "runs/../../secret"].map {
            MatrixReport.Run(outcome: "pass", page: $0)
        }
        let scenario = MatrixReport.Scenario(id: "a", title: "A", support: ["curl": .init(runs: runs)])
        #expect(MatrixSample.report(scenarios: [scenario]).pages == ["runs/a.html"])
    }

    // MARK: - Shards

    @Test(arguments: [1, 2, 3, 4, 7])
    func `shards make the report and the page of one run`(_ count: Int) throws {
        let parts = (1...count).map { ("out/\($0)/matrix.json", MatrixSample.shard($0, of: count)) }
        let read = try parts.map { ($0.0, try MatrixReport.read(Array($0.1.json.utf8), file: $0.0)) }
        let merged = try MatrixReport.merging(read.reversed())
        #expect(merged == MatrixSample.report())
        #expect(merged.json == MatrixSample.report().json)
        #expect(MatrixPage.html(merged) == MatrixPage.html(MatrixSample.report()))
    }

    @Test func `the first day of the shards is the day of the whole`() throws {
        var (first, second) = (MatrixSample.shard(1, of: 2), MatrixSample.shard(2, of: 2))
        first.clients[0].date = "2026-11-24"
        second.clients[1].date = nil
        let merged = try MatrixReport.merging([("1", first), ("2", second)])
        #expect(merged.clients.map(\.date) == ["2026-11-23", "2026-11-23", nil])
    }

    @Test func `shards that do not belong together are refused`() {
        let first = ("1", MatrixSample.shard(1, of: 2))
        func merge(_ change: (inout MatrixReport) -> Void) throws {
            var second = MatrixSample.shard(2, of: 2)
            change(&second)
            _ = try MatrixReport.merging([first, ("2", second)])
        }
        let changes: [(inout MatrixReport) -> Void] = [
            { $0.seed = "9" }, { $0.profile = "browser" }, { $0.of = 3 }, { $0.repetitions = 1 },
            { $0.clients.removeLast() }, { $0.behaviours.removeLast() }, { $0.scenarios[0].title = "another" },
        ]
        for change in changes {
            #expect(throws: ShardError<MatrixReport>.doNotBelongTogether("1", "2")) { try merge(change) }
        }
        #expect(throws: ShardError<MatrixReport>.differentClients("1", "8.14.1", "2", "8.15.0", client: "curl")) {
            try merge { $0.clients[0].version = "8.15.0" }
        }
        #expect(throws: ShardError<MatrixReport>.samePart("1", "2", part: 1, of: 2)) { try merge { $0.part = 1 } }
        #expect(throws: ShardError<MatrixReport>.cutShort("2")) { try merge { $0.isComplete = false } }
        #expect(throws: ShardError<MatrixReport>.missingParts([2], of: 2)) { try MatrixReport.merging([first]) }
        #expect(throws: ShardError<MatrixReport>.nothingToMerge) { try MatrixReport.merging([]) }
    }
}
