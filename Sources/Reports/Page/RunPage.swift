package import Conformance
package import Record

/// A web page about one run: its findings, the timeline, every check, the requested and measured link conditions, and the
/// record.
package enum RunPage {
    /// Maximum number of entries in the list of the record: the first and the last ones, evidence and causes.
    static let mostEntries = 3000
    /// Maximum number of lanes of the picture, and of markers in each.
    private static let (mostLanes, mostMarkers) = (80, 400)
    /// Maximum number of mismatches that are listed of one check; all of them are findings.
    private static let mostMismatches = 20

    /// - Parameters:
    ///   - checks: every invariant and check of the run; empty where only the record is known.
    ///   - home: the relative path of the suite's page.
    package static func html(
        _ run: ReportedRun, record: [RecordEntry], checks: [Verdict.Finding] = [], home: String? = nil
    ) -> String {
        let header = run.result.header
        var out = home.map { "<p><a href=\"\(PageFrame.link($0))\">All runs</a></p>\n" } ?? ""
        out += "<h1>\(PageFrame.text(header.title))</h1>\n"
        out += "<p class=\"wrap\"><span class=\"outcome \(run.result.outcome.word)\">\(word(run))</span> · "
        let facts =
            [
                ConsoleReport.label(header), TimeFormat.length(run.result.duration), "adapter \(header.adapter)",
                "\(header.engine) link engine", "seed \(header.seed)",
            ] + claims(header)
        out += facts.map { PageFrame.text($0) }.joined(separator: " · ") + "</p>\n"
        switch run.baselineStatus {
        case .expected(let reason): out += "<p>The baseline expects this: \(PageFrame.text(reason))</p>\n"
        case .unexpectedPass: out += "<p class=\"found\">\(PageFrame.text(run.headline))</p>\n"
        case .otherwise(let listed): out += "<p>The baseline expects \(PageFrame.text(listed))</p>\n"
        case .unlisted: break
        }
        switch run.result.outcome {
        case .unsupported, .skipped: out += "<p>\(PageFrame.text(run.headline))</p>\n"
        case .pass, .fail, .error: break
        }
        if !run.findings.isEmpty {
            out += "<h2>Findings</h2>\n" + PageFrame.findings(run.findings)
        }
        if !run.notJudged.isEmpty {
            let items = run.notJudged.map { "<li>\(PageFrame.text($0))</li>" }.joined(separator: "\n")
            out += "<h2>Not judged</h2>\n<ul>\n\(items)\n</ul>\n"
        }
        let timeline = RunTimeline(record).reduced(lanes: mostLanes, markers: mostMarkers)
        out +=
            "<h2>Timeline</h2>\n<div class=\"scroll picture\">\(TimelinePicture.svg(timeline, isAlone: false))</div>\n"
        out += list(checks, header, record) + conditions(run) + self.record(record, run)
        return PageFrame.page(
            title: header.scenario, script: PageFrame.filter + "\nfilters('#list tr[data-k]');", body: out)
    }

    /// Draws the timeline as a picture for a file of its own.
    package static func svg(_ timeline: RunTimeline) -> String { TimelinePicture.svg(timeline, isAlone: true) }

    static func word(_ run: ReportedRun) -> String {
        let outcome = run.result.outcome
        return PageFrame.text(outcome.kindName.map { "fail (\($0))" } ?? outcome.word)
    }

    /// The requirements, the cited sections and the report.
    private static func claims(_ header: RunHeader) -> [String] {
        var claims: [String] = []
        if let basis = header.basis { claims.append("basis \(basis.rawValue)") }
        if header.profile != .urlsession { claims.append("profile \(header.profile.rawValue)") }
        if !header.proves.isEmpty { claims.append("proves \(header.proves.joined(separator: ", "))") }
        if !header.cites.isEmpty { claims.append("cites \(header.cites.joined(separator: ", "))") }
        if let report = header.report { claims.append("reported in \(report)") }
        return claims
    }

    private static func list(_ checks: [Verdict.Finding], _ header: RunHeader, _ record: [RecordEntry]) -> String {
        guard !checks.isEmpty else { return "" }
        let failed = checks.count { !$0.passed }
        var out = "<h2>Checks <span class=\"soft\">\(checks.count - failed) hold, \(failed) fail</span></h2>\n<table>"
        for check in checks {
            let place = check.line.map { "\(header.file):\($0)" } ?? "always checked"
            out += "<tr><td class=\"\(check.passed ? "pass" : "fail")\">\(check.passed ? "holds" : "fails")</td>"
            out += "<td>\(PageFrame.text(check.name))</td><td class=\"what\">\(PageFrame.text(check.summary))"
            for mismatch in check.mismatches.prefix(mostMismatches) {
                out +=
                    "<dl><dt>expected</dt><dd>\(PageFrame.text(mismatch.expected))</dd><dt>found</dt><dd class=\"found\">\(PageFrame.text(mismatch.found))</dd></dl>"
                let lines = mismatch.evidence.filter(record.indices.contains).prefix(5).map {
                    PageFrame.text(RecordEntryFormat.line(record[$0], start: record.first?.time ?? 0))
                }
                if !lines.isEmpty { out += "<pre>\(lines.joined(separator: "\n"))</pre>" }
            }
            out += "</td><td class=\"soft wide\">\(PageFrame.text(place))</td></tr>\n"
        }
        return out + "</table>\n"
    }

    private static func conditions(_ run: ReportedRun) -> String {
        guard !run.conditions.isEmpty else { return "" }
        var out = "<h2>Link conditions, requested and measured</h2>\n<table>"
        for condition in run.conditions {
            out += "<tr><td>\(condition.place)</td><td class=\"what\">\(PageFrame.text(condition.text))</td></tr>\n"
        }
        return out + "</table>\n"
    }

    private static func record(_ record: [RecordEntry], _ run: ReportedRun) -> String {
        guard !record.isEmpty else { return "" }
        var out = "<h2>Record</h2>\n<div class=\"bar\">"
        for source in RecordEntryFormat.Source.allCases {
            out += "<button data-k=\"\(source.rawValue)\" aria-pressed=\"false\">\(source.rawValue)</button>"
        }
        out += "<button data-k=\"evidence\" aria-pressed=\"false\">evidence and causes</button>"
        out += "<input type=\"search\" placeholder=\"Search (/)\" aria-label=\"Search the record\">"
        out += "<span class=\"shown soft\"></span></div>\n"
        out += "<p class=\"soft\">Changes of the network stay visible with every filter.</p>\n<table id=\"list\">"
        let causes = FailureCause.all(in: record)
        let evidence = Set(run.mismatches.flatMap(\.evidence))
        let end = evidence.max() ?? record.count
        let start = record.first?.time ?? 0
        var leftOut = 0
        for (index, entry) in record.enumerated() {
            let isEvidence = evidence.contains(index)
            let known = causes[index]
            let cause = known.flatMap { $0.explains(upTo: end, at: index) ? $0 : nil }
            let isNear = index < mostEntries / 2 || index >= record.count - mostEntries / 2
            // Even the evidence is bounded: a flood is evidence by the thousand.
            guard isNear || ((isEvidence || known != nil) && index < mostEntries) else {
                leftOut += 1
                continue
            }
            if leftOut > 0 { out += self.leftOut(leftOut) }
            leftOut = 0
            let source = RecordEntryFormat.source(entry.fact)
            let isChange = known == .network || (known == .dns && source == .network)
            var classes: [String] = []
            if isEvidence { classes.append("ev") }
            if cause != nil { classes.append("cause") }
            if isChange { classes.append("change") }
            out += "<tr data-k=\"\(source.rawValue)\(isEvidence || cause != nil ? " evidence" : "")\""
            if !classes.isEmpty { out += " class=\"\(classes.joined(separator: " "))\"" }
            out += isChange ? " data-always>" : ">"
            out += "<td class=\"n\">\(TimeFormat.sinceStart(entry.time &- start))</td><td>\(source.rawValue)</td>"
            out += "<td class=\"what\">\(PageFrame.text(RecordEntryFormat.line(entry.fact)))</td></tr>\n"
        }
        if leftOut > 0 { out += self.leftOut(leftOut) }
        return out + "</table>\n"
    }

    private static func leftOut(_ count: Int) -> String {
        "<tr><td></td><td></td><td class=\"soft\">… \(count) entries are only in the record file …</td></tr>\n"
    }
}
