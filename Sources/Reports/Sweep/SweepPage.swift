/// A web page with the heat map of a sweep. It loads nothing, so that it works offline.
package enum SweepPage {
    package static func html(_ report: SweepReport, phases: [String]) -> String {
        let columns = report.columns(phases)
        let title = report.plan.scenarios.map(\.scenario).prefix(3).joined(separator: ", ")
        let style = """
            :root { color-scheme: light }
            body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; padding: 0 1rem; max-width: 1120px; color: #1c2733; background: #fff }
            h1 { font-size: 1.35rem; margin-bottom: .2rem } h2 { font-size: 1.05rem; margin-top: 1.8rem }
            table { border-collapse: collapse; font-size: 13px } th { text-align: left; padding: .3rem .6rem; font-weight: 600 }
            td { padding: .3rem .6rem; text-align: center; border: 1px solid #fff; font-variant-numeric: tabular-nums }
            td.none { color: #b6c0c9 } td.text, .failures td { text-align: left; vertical-align: top }
            pre { background: #f5f7f9; padding: .8rem; overflow-x: auto; font-size: 12.5px; white-space: pre-wrap }
            .legend span { padding: .1rem .5rem; margin-right: .4rem; font-size: 13px }
            """
        var out = """
            <h1>Sweep of \(XMLEscaping.content(title))\(report.plan.scenarios.count > 3 ? ", …" : "")</h1>
            <p>\(XMLEscaping.content(SweepTable(report, phases: phases).summary)) · adapter \(XMLEscaping.content(report.plan.adapter)) ·
            seed \(XMLEscaping.content(report.plan.seed))</p>
            <table><tr><th>fault \\ phase</th>\(columns.map { "<th>\(XMLEscaping.content($0))</th>" }.joined())</tr>

            """
        for fault in report.rows {
            let cells = columns.map { cell(report.cell(fault, $0), "\(fault), \($0)") }
            out += "<tr><th>\(XMLEscaping.content(fault))</th>\(cells.joined())</tr>\n"
        }
        out += """
            </table>
            <p class="legend"><span style="background:\(colour(0))">none failed</span><span style="background:\(colour(0.5))">half failed</span>
            <span style="background:\(colour(1))">all failed</span><span style="background:\(unknown)">not reached or not judged</span></p>

            """
        out += failures(report)
        if !report.leftOut.isEmpty {
            out += "<h2>Not swept</h2>\n<pre>\(XMLEscaping.content(report.leftOut.joined(separator: "\n")))</pre>\n"
        }
        return PageFrame.page(title: "Sweep", style: style, body: out)
    }

    private static let unknown = "#e3e8ed"

    private static func cell(_ cell: SweepReport.Cell, _ place: String) -> String {
        guard cell.total > 0 else { return "<td class=\"none\">·</td>" }
        let judged = cell.passed + cell.failed
        let fill = judged == 0 ? unknown : colour(Double(cell.failed) / Double(judged))
        let title =
            "\(place): \(cell.passed) passed, \(cell.failed) failed, \(cell.missed) missed, \(cell.errors) not judged"
        return "<td style=\"background:\(fill)\" title=\"\(XMLEscaping.attribute(title))\">"
            + (cell.failed > 0 ? "\(cell.failed)/\(judged)" : "\(judged)") + "</td>"
    }

    /// Returns green for no failures, then yellow to red by their share.
    private static func colour(_ share: Double) -> String {
        share == 0 ? "#b7e4c7" : "hsl(\(Int(50 - 50 * share)) 85% \(Int(72 - 10 * share))%)"
    }

    private static func failures(_ report: SweepReport) -> String {
        let groups = report.failures
        guard !groups.isEmpty else { return "" }
        var out =
            "<h2>Kinds of failure</h2>\n<p>The commands are for the folder of this page.</p>\n<table class=\"failures\"><tr><th>cases</th><th>kind and smallest case</th></tr>\n"
        for group in groups {
            let item = group.smallest
            let faults = zip(item.faults, item.points).map { "\($0) at \($1)" }.joined(separator: ", and ")
            let adapter = SweepTable.quoted(report.plan.adapter)
            let text = [
                group.kind, "\(faults) in \(item.scenario)",
                item.file.map { "crosswind run \($0) --adapter \(adapter)" } ?? "",
            ]
            out +=
                "<tr><td>\(group.count)</td><td><pre>\(XMLEscaping.content(text.joined(separator: "\n")))</pre></td></tr>\n"
        }
        return out + "</table>\n"
    }
}
