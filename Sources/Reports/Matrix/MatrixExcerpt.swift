/// A document does not have the place for the excerpt.
package struct MissingMarkers: Error, Hashable, CustomStringConvertible {
    let file: String

    package var description: String {
        "\(file) lacks the lines \(MatrixExcerpt.begin) and \(MatrixExcerpt.end), between which the table is written"
    }
}

/// The small part of a matrix for a README: one line for each client, and the behaviours in which clients differ most.
package enum MatrixExcerpt {
    package static let begin = "<!-- matrix: begin, written by scripts/readme-matrix -->"
    package static let end = "<!-- matrix: end -->"

    /// Returns `document` with the excerpt between the two markers. A second call returns the same text.
    package static func updating(_ document: String, file: String, with report: MatrixReport)
        throws(MissingMarkers) -> String
    {
        guard let start = document.ranges(of: begin).first,
            let stop = document[start.upperBound...].ranges(of: end).first
        else { throw MissingMarkers(file: file) }
        return document[..<start.upperBound] + "\n" + markdown(report) + document[stop.lowerBound...]
    }

    /// The number of behaviours in the second table.
    private static let length = 10

    package static func markdown(_ report: MatrixReport) -> String {
        let clients = report.clients.filter { $0.missing == nil }
        let states: [MatrixReport.State] = [.right, .partly, .wrong, .varies, .cannot]
        var lines = [
            "| client | version | " + states.map(\.words).joined(separator: " | ") + " |",
            "|---|---|" + String(repeating: "--:|", count: states.count),
        ]
        for client in clients {
            let counts = report.counts(of: client.id)
            let cells = [client.name, client.version ?? ""].map(escaped) + states.map { "\(counts[$0] ?? 0)" }
            lines.append("| \(cells.joined(separator: " | ")) |")
        }
        let rows = differing(report, clients)
        if !rows.isEmpty {
            lines += [
                "",
                "Where they differ most (✓ right, ◐ partly right, ✗ wrong, ≈ varies, – cannot be asked, ? no result):",
                "",
                "| behaviour | " + clients.map { escaped($0.name) }.joined(separator: " | ") + " |",
                "|---|" + String(repeating: ":-:|", count: clients.count),
            ]
            for row in rows {
                let signs = clients.map { report.cell(of: row, $0.id).state.sign }
                lines.append("| \(escaped(row.title)) | \(signs.joined(separator: " | ")) |")
            }
        }
        let dates = clients.compactMap(\.date)
        if let last = dates.max() {
            lines += [
                "",
                "\(report.behaviours.count) behaviours, \(report.scenarios.count) scenarios, profile `\(report.profile)`, run on \(last).",
            ]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the requirements that some clients keep and others break, those with the most even division first.
    private static func differing(
        _ report: MatrixReport, _ clients: [MatrixReport.Client]
    ) -> [MatrixReport.Behaviour] {
        let found = report.behaviours.enumerated().compactMap { index, row -> (row: Int, weight: Int)? in
            guard row.level != nil else { return nil }
            let states = clients.map { report.cell(of: row, $0.id).state }
            let bad = states.count { $0 == .wrong || $0 == .partly }
            let weight = min(states.count { $0 == .right }, bad)
            return weight > 0 ? (index, weight) : nil
        }
        return found.sorted { ($1.weight, $0.row) < ($0.weight, $1.row) }.prefix(length).map {
            report.behaviours[$0.row]
        }
    }

    private static func escaped(_ text: String) -> String {
        TerminalSanitizer.text(text, limit: 80).reduce(into: "") { result, character in
            switch character {
            case "|", "\\", "`", "*", "_", "[", "]": result += "\\\(character)"
            case "<": result += "&lt;"
            case "&": result += "&amp;"
            default: result.append(character)
            }
        }
    }
}
