import Testing

@testable import Reports

/// Tests the results of sweeps: their table, their file, and the joining of shards.
@Suite struct SweepReportTests {
    private static func item(
        _ number: Int, _ fault: String, _ phase: String, _ verdict: SweepReport.Verdict, kind: String? = nil,
        point: String = "byte"
    ) -> SweepReport.Case {
        var item = SweepReport.Case(
            id: "case-\(number)", scenario: "resume/a", faults: [fault], phases: [phase], points: [point],
            verdict: verdict)
        item.kind = kind
        if verdict == .fail { item.file = "failures/case-\(number).yaml" }
        return item
    }

    private static let cases = [
        item(1, "reset", "connect", .pass),
        item(2, "reset", "response-body", .fail, kind: "wrong a", point: "byte 100"),
        item(3, "reset", "response-body", .fail, kind: "wrong a", point: "byte 1"),
        item(4, "drop", "response-body", .missed), item(5, "drop", "connect", .error, kind: "late"),
        item(6, "drop", "connect", .fail, kind: "hang b"),
    ]

    private static func report(_ cases: [SweepReport.Case], part: Int = 1, of: Int = 1, seed: UInt64 = 1) -> SweepReport
    {
        SweepReport(
            plan: SweepReport.Plan(
                scenarios: [SweepReport.Plan.Source(scenario: "resume/a", checksum: "ab")], adapter: "adaptable",
                faults: ["reset", "close", "drop"], phases: nil, everyByte: false, limit: nil, random: nil, seed: seed),
            part: part, of: of, cases: cases)
    }

    private static let phases = ["dns", "connect", "response-body"]

    @Test func `the table has a row for each fault and a column for each phase that occurs`() {
        let lines = SweepTable(Self.report(Self.cases), phases: Self.phases).lines
        #expect(lines[0].split(separator: " ") == ["fault", "connect", "response-body"])
        #expect(lines[1].split(separator: " ") == ["reset", "1", "2✗/2"])
        #expect(lines[2].split(separator: " ") == ["drop", "1✗/1", "1?", "0", "1−"])
    }

    @Test func `failures are grouped by kind, with the smallest case`() {
        let groups = Self.report(Self.cases).failures
        #expect(groups.map(\.kind) == ["wrong a", "hang b"])
        #expect(groups.map(\.count) == [2, 1])
        #expect(groups[0].smallest.id == "case-3")
    }

    @Test func `the file is read back as it was written`() throws {
        let report = Self.report(Self.cases)
        #expect(try SweepReport.read(Array(report.json.utf8), file: "f") == report)
        #expect(throws: ShardError<SweepReport>.unreadable("f")) { try SweepReport.read(Array("{}".utf8), file: "f") }
        let newer = report.json.replacing("\"version\" : 1", with: "\"version\" : 9")
        #expect(throws: ShardError<SweepReport>.wrongVersion("f", found: 9)) {
            try SweepReport.read(Array(newer.utf8), file: "f")
        }
    }

    @Test func `shards make the table of one run`() throws {
        let parts = (0..<3).map { part in
            (
                "out/\(part)/sweep.json",
                Self.report(
                    Self.cases.enumerated().filter { $0.offset % 3 == part }.map(\.element), part: part + 1, of: 3)
            )
        }
        let merged = try SweepReport.merging(parts.reversed())
        let whole = Self.report(Self.cases)
        #expect(
            SweepTable(merged, phases: Self.phases).lines.prefix(3)
                == SweepTable(whole, phases: Self.phases).lines.prefix(3))
        #expect(merged.cases.map(\.id) == whole.cases.map(\.id))
        #expect(merged.cases.first { $0.id == "case-3" }?.file == "out/2/failures/case-3.yaml")
    }

    @Test func `shards that do not belong together are refused`() {
        let first = ("1", Self.report([], part: 1, of: 2))
        func merge(_ second: SweepReport) throws { _ = try SweepReport.merging([first, ("2", second)]) }
        #expect(throws: ShardError<SweepReport>.doNotBelongTogether("1", "2")) {
            try merge(Self.report([], part: 2, of: 2, seed: 9))
        }
        #expect(throws: ShardError<SweepReport>.doNotBelongTogether("1", "2")) {
            try merge(Self.report([], part: 2, of: 3))
        }
        #expect(throws: ShardError<SweepReport>.samePart("1", "2", part: 1, of: 2)) {
            try merge(Self.report([], part: 1, of: 2))
        }
        #expect(throws: ShardError<SweepReport>.missingParts([2], of: 2)) { try SweepReport.merging([first]) }
        var cut = Self.report([], part: 2, of: 2)
        cut.isComplete = false
        #expect(throws: ShardError<SweepReport>.cutShort("2")) { try merge(cut) }
        #expect(throws: ShardError<SweepReport>.nothingToMerge) { try SweepReport.merging([]) }
    }

    @Test func `the page loads nothing and escapes what it shows`() {
        var cases = Self.cases
        cases[1].kind = "<script>"
        let page = SweepPage.html(Self.report(cases), phases: Self.phases)
        #expect(page.contains("&lt;script&gt;"))
        #expect(page.contains(" --adapter adaptable</pre>"))
        for remote in ["http://", "https://", "src=", "<script>", "@import"] { #expect(!page.contains(remote)) }
    }
}
