/// A web page with the table of behaviours and clients. It loads nothing, so that it works offline; without scripts the
/// whole table is shown.
package struct MatrixPage {
    private let report: MatrixReport
    private let notes: MatrixNotes
    private let scenarios: [String: MatrixReport.Scenario]

    package static func html(_ report: MatrixReport) -> String { MatrixPage(report).html }

    private init(_ report: MatrixReport) {
        self.report = report
        notes = MatrixNotes(report)
        scenarios = Dictionary(report.scenarios.map { ($0.id, $0) }) { first, _ in first }
    }

    private var html: String {
        let body = """
            <h1>HTTP clients compared</h1>
            <p>\(summary)</p>
            \(legend)
            \(controls)
            <div class="table" role="region" aria-label="Behaviours and clients" tabindex="0">
            <table id="matrix">
            \(head)
            \(rows)</table>
            </div>
            \(footnotes)\(missing)
            """
        return PageFrame.page(
            title: "HTTP clients compared", style: MatrixPage.style, script: MatrixPage.script, body: body)
    }

    private func text(_ text: String) -> String { PageFrame.text(text) }

    private var summary: String {
        let shard = report.of > 1 ? " · only part \(report.part) of \(report.of)" : ""
        let dated =
            days.isEmpty
            ? ""
            : " · run \(days.count == 1 ? "on" : "from") \(text(days.count > 1 ? "\(days[0]) to \(days[days.count - 1])" : days[0]))"
        let cut = report.isComplete ? "" : " · interrupted"
        return "\(MatrixPage.count(report.behaviours.count, "behaviour")) and "
            + "\(MatrixPage.count(report.scenarios.count, "scenario")) for \(MatrixPage.count(report.clients.count, "client")) · "
            + "profile \(text(report.profile)) · seed \(text(report.seed)) · "
            + "\(MatrixPage.count(report.repetitions, "run")) of what did not pass at once\(dated)\(shard)\(cut)"
    }

    private static func count(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }

    private var legend: String {
        let meanings: [(MatrixReport.State, String)] = [
            (.right, "every scenario that was asked passed"), (.wrong, "every one failed"),
            (.partly, "some passed, others failed"), (.varies, "a repetition ended differently"),
            (.cannot, "the client lacks what the scenarios need"),
            (.noResult, "not run, or the machine could not judge it"),
        ]
        let items = meanings.map { state, meaning in
            "<li><span class=\"chip\" data-s=\"\(state)\">\(state.sign)</span> <b>\(state.words)</b>: \(meaning)</li>"
        }
        return "<ul class=\"legend\">\n\(items.joined(separator: "\n"))\n</ul>\n"
            + "<p class=\"hint\">3/4: 3 of the 4 scenarios that were asked are right. A cell leads to the page of its run; "
            + "small numbers are notes below the table.</p>"
    }

    private var controls: String {
        var areas: [String] = []
        for area in report.behaviours.map(\.area) where !areas.contains(area) { areas.append(area) }
        let options = areas.map { "<option>\(text($0))</option>" }.joined()
        let boxes = report.clients.enumerated().map { index, client in
            "<label><input type=\"checkbox\" name=\"client\" value=\"\(index + 1)\" checked> \(text(client.name))</label>"
        }
        return """
            <form class="controls" id="controls" hidden>
            <label>Search <input type="search" id="search" placeholder="title, id or RFC"></label>
            <label>Area <select id="area"><option value="">all</option>\(options)</select></label>
            <label>Show <select id="show"><option value="">all behaviours</option><option value="differ">where clients differ</option>
            <option value="bad">with something wrong</option><option value="varies">that vary</option><option value="noResult">without a result</option></select></label>
            <label>Order <select id="order"><option value="">of the catalogue</option><option value="title">by title</option>
            <option value="bad">most clients wrong first</option></select></label>
            <button type="button" id="expand" aria-pressed="false">Show all scenarios</button>
            <details><summary>Clients</summary><div class="boxes">\(boxes.joined(separator: "\n"))</div></details>
            <output id="count" role="status"></output>
            </form>
            """
    }

    // MARK: - Head

    /// The days of the runs; a single one is shown above the table only.
    private var days: [String] { Set(report.clients.compactMap(\.date)).sorted() }

    /// Returns a name that may be broken before capitals, so that its column can be narrow.
    private func breakable(_ name: String) -> String {
        var out = ""
        var wasSmall = false
        for character in name {
            if wasSmall, character.isUppercase { out += "<wbr>" }
            out += text(String(character))
            wasSmall = character.isLowercase
        }
        return out
    }

    private var head: String {
        let columns = report.clients.map { client in
            "<th scope=\"col\"><span class=\"client\">\(breakable(client.name))</span>"
                + "<span class=\"version\">\(text(client.version ?? "not installed"))</span>"
                + (days.count > 1 ? "<span class=\"date\">\(text(client.date ?? ""))</span></th>" : "</th>")
        }
        let totals = report.clients.map { client in
            let counts = report.counts(of: client.id)
            let asked = [.right, .wrong, .partly, .varies].reduce(0) { $0 + (counts[$1] ?? 0) }
            return "<td>\(counts[.right] ?? 0)/\(asked)</td>"
        }
        return "<thead><tr><th scope=\"col\">Behaviour</th>\(columns.joined(separator: "\n"))</tr>\n"
            + "<tr class=\"totals\"><th scope=\"row\">behaviours right, of those asked</th>\(totals.joined())</tr></thead>"
    }

    // MARK: - Rows

    private var rows: String {
        var out = ""
        var area: String?
        for behaviour in report.behaviours {
            if behaviour.area != area {
                area = behaviour.area
                out +=
                    "<tbody class=\"area\"><tr><th scope=\"rowgroup\" colspan=\"\(report.clients.count + 1)\"><span>\(text(behaviour.area))</span></th></tr></tbody>\n"
            }
            out += row(behaviour)
        }
        return out
    }

    private func row(_ behaviour: MatrixReport.Behaviour) -> String {
        let own = behaviour.scenarios.compactMap { scenarios[$0] }
        let isRequirement = behaviour.level != nil
        var details = isRequirement ? [text(behaviour.id)] : []
        if let level = behaviour.level { details.append(text(level)) }
        details += behaviour.sources.map(link)
        var out =
            "<tbody class=\"behaviour\" data-area=\"\(XMLEscaping.attribute(behaviour.area))\">\n<tr><th scope=\"row\">"
        out += "<span class=\"title\">\(text(behaviour.title))</span>"
        out += "<span class=\"statement\">\(text(behaviour.statement))</span>"
        if !details.isEmpty { out += "<span class=\"details\">\(details.joined(separator: " · "))</span>" }
        out += "</th>"
        for client in report.clients {
            let cell = MatrixReport.Cell(own.map { report.state(of: $0, client.id) })
            let page = page(of: own, client.id)
            let number = cell.asked > 0 ? "\(cell.right)/\(cell.asked)" : ""
            let numbers = own.compactMap { notes.number(of: $0.id, client.id) }
            out += self.cell(cell.state, number, page: page, numbers: Array(Set(numbers)).sorted(), hover: client.name)
        }
        out += "</tr>\n"
        for scenario in own { out += row(scenario) }
        return out + "</tbody>\n"
    }

    private func row(_ scenario: MatrixReport.Scenario) -> String {
        var out = "<tr class=\"scenario\"><th scope=\"row\"><span class=\"name\">\(text(scenario.title))</span>"
        out += "<span class=\"details\">\(text(scenario.id))</span></th>"
        for client in report.clients {
            let support = scenario.support[client.id]
            let runs = support?.runs.count ?? 0
            let left = support?.notJudged.map { "\(MatrixPage.count($0, "check")) not judged" }
            let hover = [client.name, MatrixPage.count(runs, "run"), left ?? "", support?.found ?? ""]
                .filter { !$0.isEmpty }
            out += cell(
                report.state(of: scenario, client.id), runs > 1 ? "×\(runs)" : "", page: page(of: scenario, client.id),
                numbers: notes.number(of: scenario.id, client.id).map { [$0] } ?? [],
                hover: hover.joined(separator: "\n"))
        }
        return out + "</tr>\n"
    }

    /// Returns the page of the run that shows the state of these scenarios best: a failure, else a varying run, else any.
    private func page(of scenarios: [MatrixReport.Scenario], _ client: String) -> String? {
        for state in [MatrixReport.State.wrong, .varies, .right, .cannot, .noResult] {
            for scenario in scenarios where report.state(of: scenario, client) == state {
                if let page = page(of: scenario, client) { return page }
            }
        }
        return nil
    }

    /// Returns the page of the first run that did not pass, else of the first run.
    private func page(of scenario: MatrixReport.Scenario, _ client: String) -> String? {
        let runs = scenario.support[client]?.runs ?? []
        return (runs.first { $0.outcome != "pass" && $0.page != nil } ?? runs.first)?.page
    }

    private func cell(
        _ state: MatrixReport.State, _ number: String, page: String?, numbers: [Int], hover: String
    ) -> String {
        let mark =
            "<span class=\"sign\" aria-hidden=\"true\">\(state.sign)</span><span class=\"word\">\(state.words)</span>"
            + (number.isEmpty ? "" : " <span class=\"number\">\(number)</span>")
        let linked = page.map { "<a href=\"\(PageFrame.link($0))\">\(mark)</a>" } ?? mark
        let references = numbers.map { "<a href=\"#note-\($0)\">\($0)</a>" }.joined(separator: ",")
        let title = XMLEscaping.attribute("\(state.words)\n\(hover)")
        return
            "<td data-s=\"\(state)\" title=\"\(title)\">\(linked)\(references.isEmpty ? "" : "<sup>\(references)</sup>")</td>"
    }

    private func link(_ source: MatrixReport.Source) -> String {
        // The file may come from elsewhere, so that only links to pages are written.
        guard let url = source.url, url.hasPrefix("https://") else { return text(source.text) }
        return "<a href=\"\(XMLEscaping.attribute(url))\">\(text(source.text))</a>"
    }

    // MARK: - Below the table

    private var footnotes: String {
        guard !notes.all.isEmpty else { return "" }
        let items = notes.all.enumerated().map { index, note in
            "<li id=\"note-\(index + 1)\"><b>\(text(note.client))</b> (\(text(note.scenarios.joined(separator: ", ")))): \(text(note.text))</li>"
        }
        return "<h2>Notes</h2>\n<ol class=\"notes\">\n\(items.joined(separator: "\n"))\n</ol>\n"
    }

    private var missing: String {
        let lines = report.clients.compactMap { client in
            client.missing.map { "<li><b>\(text(client.name))</b>: \(text($0))</li>" }
        }
        return lines.isEmpty ? "" : "<h2>Not run</h2>\n<ul>\n\(lines.joined(separator: "\n"))\n</ul>\n"
    }
}

/// The numbered notes of a report: one for each explanation of a client, with the scenarios that it explains.
struct MatrixNotes {
    struct Note: Hashable {
        /// The client's name for readers.
        var client: String
        var text: String
        var scenarios: [String]
    }

    private struct Place: Hashable {
        var scenario: String
        var client: String
    }

    private(set) var all: [Note] = []
    private var numbers: [Place: Int] = [:]

    init(_ report: MatrixReport) {
        // Rows are read from the top, so notes are numbered in that order.
        var order: [String] = []
        var seen: Set<String> = []
        for id in report.behaviours.flatMap(\.scenarios) where seen.insert(id).inserted { order.append(id) }
        let scenarios = Dictionary(report.scenarios.map { ($0.id, $0) }) { first, _ in first }
        var known: [Place: Int] = [:]
        for scenario in order.compactMap({ scenarios[$0] }) {
            for client in report.clients {
                guard let note = scenario.support[client.id]?.note else { continue }
                let same = Place(scenario: note, client: client.id)
                let index = known[same] ?? all.count
                if index == all.count {
                    all.append(Note(client: client.name, text: note, scenarios: []))
                    known[same] = index
                }
                all[index].scenarios.append(scenario.id)
                numbers[Place(scenario: scenario.id, client: client.id)] = index + 1
            }
        }
    }

    /// Returns the number of the note on a cell, from 1.
    func number(of scenario: String, _ client: String) -> Int? {
        numbers[Place(scenario: scenario, client: client)]
    }
}
