/// Draws a timeline as SVG. Colours are classes: a page sets them for light and dark, a picture in a file of its own
/// carries the light ones.
enum TimelinePicture {
    static let width = 1080
    private static let left = 120
    private static let right = 24
    private static let top = 26
    /// The height of the states of a lane, and of the labels below them.
    private static let (stateHeight, labelHeight) = (26, 16)
    /// The width of a character of the labels, in the fonts that browsers choose.
    private static let characterWidth = 6
    private static let longestLabel = 26

    /// The rules that a page and a separate picture share.
    static let style = """
        text { font: 12px system-ui, sans-serif } .small { font-size: 10.5px }
        """

    static let lightColours = """
        .paper { fill: #fff } text { fill: #1c2733 } .small { fill: #52616f } .grid { stroke: #e3e8ed }
        rect.good { fill: #bfe3cf } rect.degraded { fill: #fbe3ad } rect.bad { fill: #f6c1bb } rect.neutral { fill: #cfd8e1 }
        rect.waiting { fill: #cfd0f6 } .m.good { stroke: #18794e; fill: #18794e } .m.degraded { stroke: #b77d05; fill: #b77d05 }
        .m.bad { stroke: #b42318; fill: #b42318 } .m.neutral { stroke: #52616f; fill: #52616f }
        .m.waiting { stroke: #4338ca; fill: #4338ca } .change { stroke: #b77d05 }
        """

    /// - Parameter isAlone: true for a picture in a file, which needs its own style.
    static func svg(_ timeline: RunTimeline, isAlone: Bool) -> String {
        var rows: [(lane: RunTimeline.Lane, y: Int, labels: [(x: Int, text: String, tone: RunTimeline.Tone)])] = []
        var y = top + 4
        for lane in timeline.lanes {
            let labels = labels(of: lane, timeline.length)
            rows.append((lane, y, labels))
            y += stateHeight + (labels.isEmpty ? 6 : labelHeight + 4)
        }
        let height = y + 8
        var out =
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width) \(height)\" width=\"100%\" role=\"img\" aria-label=\"Timeline\">\n"
        if isAlone { out += "<style>\(style)\n\(lightColours)</style>\n" }
        out += "<rect class=\"paper\" width=\"\(width)\" height=\"\(height)\"/>\n"
        for (number, time) in ticks(timeline.length).enumerated() {
            let x = place(time, timeline.length)
            out += "<line class=\"grid\" x1=\"\(x)\" y1=\"24\" x2=\"\(x)\" y2=\"\(height - 8)\"/>"
            out +=
                "<text class=\"small\" x=\"\(x)\" y=\"16\" text-anchor=\"\(number == 0 ? "start" : "middle")\">\(TimeFormat.moment(time))</text>\n"
        }
        for x in Set(timeline.changes.map { place($0.at, timeline.length) }).sorted() {
            out +=
                "<line class=\"change\" x1=\"\(x)\" y1=\"24\" x2=\"\(x)\" y2=\"\(height - 8)\" stroke-dasharray=\"3 3\"/>\n"
        }
        for row in rows {
            out +=
                "<text x=\"\(left - 10)\" y=\"\(row.y + 16)\" text-anchor=\"end\">\(XMLEscaping.content(TerminalSanitizer.text(row.lane.title, limit: 17)))</text>\n"
            for segment in row.lane.segments { out += draw(segment, row.y, timeline.length) }
            for mark in row.lane.markers { out += draw(mark, row.y, timeline.length) }
            for label in row.labels {
                out +=
                    "<text class=\"small\" x=\"\(label.x)\" y=\"\(row.y + stateHeight + 11)\">\(XMLEscaping.content(label.text))</text>\n"
            }
        }
        return out + "</svg>"
    }

    /// Returns the labels of a lane's markers that fit beside each other; breaks and failures have precedence. A label that
    /// does not fit is in the marker's tooltip.
    private static func labels(of lane: RunTimeline.Lane, _ length: Int64) -> [(
        x: Int, text: String, tone: RunTimeline.Tone
    )] {
        var candidates: [RunTimeline.Marker] = []
        for mark in lane.markers where !mark.short.isEmpty && candidates.last?.short != mark.short {
            candidates.append(mark)
        }
        func rank(_ mark: RunTimeline.Marker) -> Int {
            if mark.isBreak { return 0 }
            return mark.tone == .bad ? 1 : mark.tone == .neutral ? 3 : 2
        }
        let ordered = candidates.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
        var taken: [Range<Int>] = []
        var placed: [(x: Int, text: String, tone: RunTimeline.Tone)] = []
        for mark in ordered.map(\.element) {
            let text = TerminalSanitizer.text(mark.short, limit: longestLabel)
            let size = text.count * characterWidth + 8
            let x = min(place(mark.at, length) - 3, width - right - size + 16)
            let range = x..<(x + size)
            guard !taken.contains(where: { $0.overlaps(range) }) else { continue }
            taken.append(range)
            placed.append((x, text, mark.tone))
        }
        return placed.sorted { $0.x < $1.x }
    }

    private static func draw(_ segment: RunTimeline.Segment, _ y: Int, _ length: Int64) -> String {
        let (from, to) = (place(segment.from, length), place(segment.to, length))
        let isFrame = segment.label.isEmpty
        let size = max(1, to - from)
        var out =
            "<rect class=\"\(segment.tone.rawValue)\" x=\"\(from)\" y=\"\(isFrame ? y + 9 : y + 2)\" width=\"\(size)\" height=\"\(isFrame ? 4 : 20)\" rx=\"2\">"
        if !isFrame { out += "<title>\(XMLEscaping.content(TerminalSanitizer.text(segment.label)))</title>" }
        out += "</rect>"
        let room = (size - 8) / characterWidth
        if !isFrame, room >= 4 {
            out +=
                "<text class=\"small\" x=\"\(from + 4)\" y=\"\(y + 16)\" pointer-events=\"none\">\(XMLEscaping.content(TerminalSanitizer.text(segment.label, limit: room)))</text>"
        }
        return out + "\n"
    }

    private static func draw(_ mark: RunTimeline.Marker, _ y: Int, _ length: Int64) -> String {
        let x = place(mark.at, length)
        let shape =
            mark.isBreak
            ? "M\(x - 5) \(y + 7)l10 10M\(x + 5) \(y + 7)l-10 10" : "M\(x) \(y + 22)v-5M\(x - 3) \(y + 26)l3 -5l3 5z"
        let weight = mark.isBreak ? " stroke-width=\"2.5\"" : ""
        return
            "<path class=\"m \(mark.tone.rawValue)\" d=\"\(shape)\"\(weight)>"
            + "<title>\(TimeFormat.moment(mark.at)) \(XMLEscaping.content(TerminalSanitizer.text(mark.label)))</title></path>\n"
    }

    private static func place(_ time: Int64, _ length: Int64) -> Int {
        left + Int(Double(min(max(time, 0), length)) / Double(length) * Double(width - left - right))
    }

    /// Returns about eight round tick values.
    private static func ticks(_ length: Int64) -> [Int64] {
        let steps: [Int64] = [1, 2, 5].flatMap { base in
            (3...10).map { power in (0..<power).reduce(base) { value, _ in value * 10 } }
        }.sorted()
        let step = steps.first { length / $0 <= 8 } ?? length
        return Array(stride(from: 0, through: length, by: Int(step)))
    }
}
