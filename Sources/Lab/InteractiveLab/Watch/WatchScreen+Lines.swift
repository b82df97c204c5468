import Record
import ScenarioLanguage

extension WatchScreen {
    package struct Size: Hashable, Sendable {
        package var columns: Int
        package var rows: Int
        package init(columns: Int, rows: Int) {
            self.columns = columns
            self.rows = rows
        }
    }

    /// A part of a line in one style.
    package struct Span: Hashable, Sendable {
        package enum Style: Hashable, Sendable { case plain, title, bar, bad, soft, selected }
        package var text: String
        package var style: Style
    }

    package typealias Line = [Span]

    /// Returns exactly `rows` lines of exactly `columns` cells.
    package func lines(_ size: Size) -> [Line] {
        let (columns, rows) = (max(1, size.columns), max(1, size.rows))
        var lines: [Line] = [[Span(text: TerminalText.fit(heading, to: columns), style: .bar)]]
        if showsHelp {
            lines += WatchScreen.help.map { [Span(text: TerminalText.fit($0, to: columns), style: .plain)] }
        } else if let view {
            lines += links(view, columns)
            let left = rows - lines.count - 1
            if columns >= 120 {
                let half = (columns - 3) / 2
                let first = sections([requests(view, half), connections(view, half)], half, left)
                let second = sections([changes(view), queries(view)], columns - 3 - half, left)
                for row in 0..<max(0, left) {
                    lines.append(first[row] + [Span(text: isPlain ? " | " : " │ ", style: .soft)] + second[row])
                }
            } else {
                lines += sections(
                    [changes(view), requests(view, columns), queries(view), connections(view, columns)], columns,
                    left)
            }
        } else {
            lines.append([Span(text: TerminalText.fit("waiting for the lab …", to: columns), style: .soft)])
        }
        let empty = [Span(text: String(repeating: " ", count: columns), style: .plain)]
        lines = Array(lines.prefix(rows > 1 ? rows - 1 : 1))
        lines += Array(repeating: empty, count: max(0, rows - 1 - lines.count))
        if rows > 1 { lines.append([Span(text: TerminalText.fit(footer, to: columns), style: .bar)]) }
        return lines
    }

    private var heading: String {
        guard let view else { return " crosswind" }
        let program = TerminalText.clean(view.lab.program)
        return " lab \(TerminalText.clean(view.lab.id))  up \(WatchTable.age(view.age))  "
            + "\(TerminalText.clean(view.lab.engine)) engine  \(view.translation.map { $0 + "  " } ?? "")\(program)"
    }

    private var footer: String {
        if !message.isEmpty { return " " + TerminalText.clean(message) }
        let target = selected.map { "\($0.interface.rawValue): " } ?? ""
        return " q quit  ? help  w Wi-Fi  c cellular  n NAT64  \(target)1-9 profile  Tab next"
    }

    private static let help: [String] =
        [
            "", "  w      Wi-Fi down, or up again", "  c      cellular down, or up again",
            "  n      IPv6 only, behind NAT64 with DNS64, or both address families again",
            "  Tab    mark the next interface", "  q      leave; the lab keeps running", "",
            "  The marked interface gets one of these profiles:",
        ]
        + profiles.enumerated().map { index, name in
            "  \(index + 1)      \(TerminalText.fit(name, to: 18))\(ProfileCatalogue.named(name)?.summary ?? "")"
        } + ["", "  Everything else: crosswind set, at another terminal. Any key closes this page."]

    // MARK: - Links

    private func links(_ view: LabView, _ columns: Int) -> [Line] {
        // The values of the four measurements need this much; the rest is for their histories.
        let widths = [12, 9, 6, 5]
        let used = 4 + widths.reduce(0, +) + widths.count * 3
        let bars = max(0, (columns - used) / widths.count)
        var lines: [Line] = []
        var titles = "    "
        for (title, width) in zip(["rate", "delay", "loss", "queue"], widths) {
            titles += TerminalText.fit(title, to: width, alignsRight: true) + String(repeating: " ", count: bars + 3)
        }
        lines.append([Span(text: TerminalText.fit(titles, to: columns), style: .soft)])
        for link in view.links {
            let isSelected = link == selected
            let title =
                "\(isSelected ? (isPlain ? ">" : "▸") : " ") \(link.interface.rawValue)  \(link.state.rawValue)  "
                + TerminalText.clean(link.condition) + "  " + TerminalText.clean(link.downlink.requested)
            let style: Span.Style = link.state == .up ? (isSelected ? .selected : .title) : .bad
            lines.append([Span(text: TerminalText.fit(title, to: columns), style: style)])
            for (isDownlink, direction) in [(true, link.downlink), (false, link.uplink)] {
                let past = history[Place(interface: link.interface, isDownlink: isDownlink)] ?? []
                let values = [
                    WatchTable.rate(direction.bitsPerSecond), direction.delay.map(WatchTable.milliseconds) ?? "–",
                    WatchTable.share(direction.lossShare), direction.queuedPackets.map(String.init) ?? "–",
                ]
                let histories = [
                    Sparkline(values: past.map(\.rate), least: 1000),
                    Sparkline(values: past.map(\.delay), least: 1_000_000),
                    Sparkline(values: past.map(\.loss), least: 0.1),
                    Sparkline(values: past.map(\.queue), least: 10),
                ]
                var text = isPlain ? (isDownlink ? "  v " : "  ^ ") : (isDownlink ? "  ↓ " : "  ↑ ")
                for (index, width) in widths.enumerated() {
                    text += TerminalText.fit(plain(values[index]), to: width, alignsRight: true) + " "
                    text += histories[index].text(width: bars, isPlain: isPlain) + "  "
                }
                lines.append([Span(text: TerminalText.fit(text, to: columns), style: .plain)])
            }
        }
        return lines
    }

    private func plain(_ value: String) -> String { isPlain && value == "–" ? "-" : value }

    // MARK: - Sections

    private struct Section {
        var title: String
        /// The most important entries come first; cleaned.
        var entries: [(text: String, style: Span.Style)]
    }

    /// Returns `rows` lines. Each section gets its title and an equal share of the rest; what one does not need, the next
    /// ones get. Where there is little room, the last sections are left out.
    private func sections(_ all: [Section], _ columns: Int, _ rows: Int) -> [Line] {
        guard rows > 0 else { return [] }
        let shown = Array(all.prefix(max(1, rows / 2)))
        var counts = Array(repeating: 0, count: shown.count)
        var free = rows - shown.count
        while free > 0 {
            var isUseful = false
            for index in shown.indices where free > 0 && counts[index] < max(1, shown[index].entries.count) {
                counts[index] += 1
                free -= 1
                isUseful = true
            }
            if !isUseful { break }
        }
        var lines: [Line] = []
        for (section, count) in zip(shown, counts) {
            let rest = section.entries.count - count
            let title = section.title + (rest > 0 ? " (\(rest) more)" : "")
            lines.append([Span(text: TerminalText.fit(title, to: columns), style: .title)])
            if section.entries.isEmpty, count > 0 {
                lines.append([Span(text: TerminalText.fit("  none", to: columns), style: .soft)])
            }
            for entry in section.entries.prefix(count) {
                lines.append([Span(text: TerminalText.fit("  " + entry.text, to: columns), style: entry.style)])
            }
        }
        let empty = [Span(text: String(repeating: " ", count: columns), style: .plain)]
        return Array(lines.prefix(rows)) + Array(repeating: empty, count: max(0, rows - lines.count))
    }

    private func changes(_ view: LabView) -> Section {
        Section(
            title: "changes",
            entries: view.changes.reversed().map {
                ("\(WatchTable.age($0.age)) \(TerminalText.clean($0.text))", .plain)
            })
    }

    private func queries(_ view: LabView) -> Section {
        Section(
            title: "DNS queries",
            entries: view.queries.reversed().map { query in
                let text =
                    "\(WatchTable.age(query.age)) \(TerminalText.clean(query.type)) \(TerminalText.clean(query.host)) "
                    + (isPlain ? "-> " : "→ ") + TerminalText.clean(query.reply)
                return (text, .plain)
            })
    }

    private func requests(_ view: LabView, _ columns: Int) -> Section {
        Section(
            title: "requests",
            entries: view.requests.reversed().map { request in
                var end = request.status.map { " \($0)" } ?? " …"
                if let bytes = request.bytes { end += " " + WatchTable.bytes(UInt64(clamping: bytes)) }
                if !request.isComplete, request.status != nil { end += " …" }
                if let fault = request.fault { end += " " + TerminalText.clean(fault) }
                if isPlain { end = end.replacing("…", with: "...") }
                let start =
                    "\(WatchTable.age(request.age)) \(TerminalText.clean(request.method)) \(TerminalText.clean(request.target))"
                // The end shows the outcome of the request, so the target is shortened instead.
                let room = columns - 2 - TerminalText.width(end)
                return (TerminalText.cut(start, to: max(16, room)) + end, request.fault == nil ? .plain : .bad)
            })
    }

    private func connections(_ view: LabView, _ columns: Int) -> Section {
        Section(
            title: "connections",
            entries: view.connections.map { connection in
                let figures =
                    "\(connection.roundTrip.map(WatchTable.milliseconds) ?? "-"), \(connection.resent) resent, "
                    + "sent \(WatchTable.bytes(connection.sent)), received \(WatchTable.bytes(connection.received))"
                let text =
                    TerminalText.fit(TerminalText.clean(connection.remote), to: 26) + " "
                    + TerminalText.clean(connection.state) + ", " + figures
                return (text, connection.resent > 0 ? .bad : .plain)
            })
    }
}

/// The last values of a measurement as a row of bars.
struct Sparkline: Hashable, Sendable {
    /// nil where nothing was measured.
    var values: [Double?]
    /// The value of a full bar, unless a shown value is larger.
    var least: Double

    private static let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    private static let plainBars: [Character] = [".", ":", "-", "=", "+", "*", "#", "@"]

    /// Returns the last `width` values, the newest at the right end.
    func text(width: Int, isPlain: Bool) -> String {
        guard width > 0 else { return "" }
        let shown = Array(values.suffix(width))
        let most = max(least, shown.compactMap(\.self).max() ?? 0)
        let bars = isPlain ? Sparkline.plainBars : Sparkline.bars
        let text = shown.map { value -> Character in
            guard let value, value.isFinite, most > 0 else { return " " }
            return bars[min(bars.count - 1, max(0, Int((value / most * Double(bars.count)).rounded(.up)) - 1))]
        }
        return String(repeating: " ", count: width - text.count) + String(text)
    }
}
