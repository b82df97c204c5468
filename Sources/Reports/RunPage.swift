import Conformance
package import Record

/// A web page about one run: the timeline, the requested and measured link conditions, and every entry of the record.
package enum RunPage {
    private static let width = 1080
    private static let left = 120
    private static let laneHeight = 34

    package static func html(_ run: ReportedRun, record: [RecordEntry]) -> String {
        let header = run.result.header
        var out = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>\(XMLEscaping.content(header.scenario)) · Crosswind</title>
            <style>
            body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; padding: 0 1rem; max-width: \(width + 40)px; color: #1c2733; background: #fff }
            h1 { font-size: 1.35rem; margin-bottom: .2rem } h2 { font-size: 1.05rem; margin-top: 1.8rem }
            .outcome { font-weight: 700 } .pass { color: #18794e } .fail { color: #b42318 } .error { color: #86198f }
            .unsupported, .skipped { color: #92600a }
            pre { background: #f5f7f9; padding: .8rem; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 12.5px }
            table { border-collapse: collapse; font-size: 13px } td, th { padding: .15rem .6rem; text-align: left; vertical-align: top }
            tr:nth-child(even) td { background: #f5f7f9 } td.time { font-variant-numeric: tabular-nums; white-space: nowrap }
            </style></head><body>
            <h1>\(XMLEscaping.content(header.title))</h1>
            <p><span class="outcome \(run.result.outcome.word)">\(run.result.outcome.word)</span> · \(XMLEscaping.content(header.scenario)) ·
            adapter \(XMLEscaping.content(header.adapter)) · \(header.engine) link engine · seed \(header.seed)\(claims(header))</p>

            """
        if !run.findings.isEmpty {
            out += "<h2>Findings</h2>\n<pre>\(XMLEscaping.content(run.findings.joined(separator: "\n")))</pre>\n"
        }
        if !run.notJudged.isEmpty {
            let items = run.notJudged.map { "<li>\(XMLEscaping.content($0))</li>" }.joined(separator: "\n")
            out += "<h2>Not judged</h2>\n<ul>\n\(items)\n</ul>\n"
        }
        out += "<h2>Timeline</h2>\n\(svg(RunTimeline(record)))\n"
        if !run.conditions.isEmpty {
            out +=
                "<h2>Link conditions, requested and measured</h2>\n<table><tr><th>link</th><th>requested and measured</th></tr>\n"
            for condition in run.conditions {
                out += "<tr><td>\(condition.place)</td><td>\(XMLEscaping.content(condition.text))</td></tr>\n"
            }
            out += "</table>\n"
        }
        out += "<h2>Record</h2>\n<table><tr><th>time</th><th>source</th><th>what</th></tr>\n"
        let start = record.first?.time ?? 0
        for entry in record {
            out += "<tr><td class=\"time\">\(TimeFormat.sinceStart(entry.time &- start))</td>"
            out +=
                "<td>\(RecordEntryFormat.source(entry.fact).rawValue)</td><td>\(XMLEscaping.content(RecordEntryFormat.line(entry.fact)))</td></tr>\n"
        }
        return out + "</table>\n</body></html>\n"
    }

    /// The requirements, the cited sections and the report, each after a dot.
    private static func claims(_ header: RunHeader) -> String {
        var claims: [String] = []
        if let basis = header.basis { claims.append("basis \(basis.rawValue)") }
        if header.profile != .urlsession { claims.append("profile \(header.profile.rawValue)") }
        if !header.proves.isEmpty { claims.append("proves \(header.proves.joined(separator: ", "))") }
        if !header.cites.isEmpty { claims.append("cites \(header.cites.joined(separator: ", "))") }
        if let report = header.report { claims.append("reported in \(report)") }
        return claims.map { " ·\n\(XMLEscaping.content($0))" }.joined()
    }

    /// Draws the timeline as SVG. A label that does not fit is available only in its tooltip.
    package static func svg(_ timeline: RunTimeline) -> String {
        let height = timeline.lanes.count * laneHeight + 44
        var out =
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width) \(height)\" width=\"100%\" role=\"img\">\n"
        out +=
            "<style>text { font: 12px system-ui, sans-serif; fill: #1c2733 } .small { font-size: 11px; fill: #52616f }</style>\n"
        out += "<rect width=\"\(width)\" height=\"\(height)\" fill=\"#ffffff\"/>\n"
        for (number, time) in ticks(timeline.length).enumerated() {
            let x = place(time, timeline.length)
            out += "<line x1=\"\(x)\" y1=\"24\" x2=\"\(x)\" y2=\"\(height - 8)\" stroke=\"#e3e8ed\"/>"
            out +=
                "<text class=\"small\" x=\"\(x)\" y=\"16\" text-anchor=\"\(number == 0 ? "start" : "middle")\">\(label(time))</text>\n"
        }
        for (row, lane) in timeline.lanes.enumerated() {
            let y = 30 + row * laneHeight
            out +=
                "<text x=\"\(left - 10)\" y=\"\(y + 16)\" text-anchor=\"end\">\(XMLEscaping.content(TerminalSanitizer.text(lane.title, limit: 17)))</text>\n"
            for segment in lane.segments { out += draw(segment, y, timeline.length) }
            for mark in lane.markers { out += draw(mark, y, timeline.length) }
        }
        return out + "</svg>"
    }

    private static func draw(_ segment: RunTimeline.Segment, _ y: Int, _ length: Int64) -> String {
        let (from, to) = (place(segment.from, length), place(segment.to, length))
        let isFrame = segment.label.isEmpty
        let size = max(1, to - from)
        var out =
            "<rect x=\"\(from)\" y=\"\(isFrame ? y + 9 : y + 2)\" width=\"\(size)\" height=\"\(isFrame ? 4 : 20)\" rx=\"2\""
        out += " fill=\"\(fill(segment.tone))\">"
        if !isFrame { out += "<title>\(XMLEscaping.content(segment.label))</title>" }
        out += "</rect>"
        let room = (size - 8) / 7
        if !isFrame, room >= 4 {
            out +=
                "<text class=\"small\" x=\"\(from + 4)\" y=\"\(y + 16)\" pointer-events=\"none\">\(XMLEscaping.content(TerminalSanitizer.text(segment.label, limit: room)))</text>"
        }
        return out + "\n"
    }

    private static func draw(_ mark: RunTimeline.Marker, _ y: Int, _ length: Int64) -> String {
        let x = place(mark.at, length)
        return
            "<path d=\"M\(x) \(y + 24)v-6M\(x - 3) \(y + 28)l3 -5l3 5z\" stroke=\"\(strokeStyle(mark.tone))\" fill=\"\(strokeStyle(mark.tone))\">"
            + "<title>\(label(mark.at)) \(XMLEscaping.content(mark.label))</title></path>\n"
    }

    private static func place(_ time: Int64, _ length: Int64) -> Int {
        left + Int(Double(min(max(time, 0), length)) / Double(length) * Double(width - left - 24))
    }

    /// Returns about eight round tick values.
    private static func ticks(_ length: Int64) -> [Int64] {
        let steps: [Int64] = [1, 2, 5].flatMap { base in
            (3...10).map { power in (0..<power).reduce(base) { value, _ in value * 10 } }
        }.sorted()
        let step = steps.first { length / $0 <= 8 } ?? length
        return Array(stride(from: 0, through: length, by: Int(step)))
    }

    private static func label(_ time: Int64) -> String {
        time % 1_000_000_000 == 0 ? "\(time / 1_000_000_000) s" : TimeFormat.milliseconds(time)
    }

    private static func fill(_ tone: RunTimeline.Tone) -> String {
        switch tone {
        case .good: "#bfe3cf"
        case .degraded: "#fbe3ad"
        case .bad: "#f6c1bb"
        case .neutral: "#cfd8e1"
        case .waiting: "#cfd0f6"
        }
    }

    private static func strokeStyle(_ tone: RunTimeline.Tone) -> String {
        switch tone {
        case .good: "#18794e"
        case .degraded: "#b77d05"
        case .bad: "#b42318"
        case .neutral: "#52616f"
        case .waiting: "#4338ca"
        }
    }
}
