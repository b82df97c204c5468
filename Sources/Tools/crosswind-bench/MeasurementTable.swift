import Foundation

/// The figures as text: minimum, median and maximum of each, the target, and the ratio to its reference.
struct MeasurementTable {
    private var rows: [[String]] = [["figure", "unit", "min", "median", "max", "n", "target", "ratio of medians"]]
    private var notes: [String] = []

    mutating func add(_ measurement: Measurement) {
        guard let first = measurement.samples.first, let last = measurement.samples.last else { return }
        var ratio = ""
        if let peer = measurement.peer, let value = measurement.ratio { ratio = "\(Self.text(value)) × \(peer.name)" }
        rows.append([
            measurement.name, measurement.unit.rawValue, Self.text(first), Self.text(measurement.median),
            Self.text(last), "\(measurement.samples.count)",
            measurement.target.map { Self.text($0, met: $0.isMet(by: measurement.median)) } ?? "", ratio,
        ])
    }

    /// Adds a measurement that failed, and the reason.
    mutating func add(note: String) { notes.append(note) }

    private static func text(_ target: Measurement.Target, met: Bool) -> String {
        let words =
            switch target {
            case .atLeast(let bound): "≥ \(text(bound))"
            case .atMost(let bound): "≤ \(text(bound))"
            }
        return met ? words : "\(words) missed"
    }

    func text(command: String) -> String {
        var widths = [Int](repeating: 0, count: rows[0].count)
        for row in rows { for (column, cell) in row.enumerated() { widths[column] = max(widths[column], cell.count) } }
        var text = "\(command)\n\(Machine.description)\n\n"
        for row in rows {
            let cells = row.enumerated().map { column, cell in
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                return (2...5).contains(column) ? padding + cell : cell + padding
            }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            text += line + "\n"
        }
        for note in notes { text += "\n\(note)\n" }
        return text
    }

    /// Formats a value with three significant digits.
    static func text(_ value: Double) -> String {
        let digits = abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : abs(value) >= 1 ? 2 : 3
        return String(format: "%.\(digits)f", value)
    }

    private enum Machine {
        /// The machine and its load, without which the numbers are meaningless.
        static var description: String {
            let kernel = (try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)) ?? "?"
            let load =
                (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8))?.split(separator: " ").first ?? "?"
            let cores = ProcessInfo.processInfo.activeProcessorCount
            return "Linux \(kernel.split(separator: "\n").first ?? "?"), \(cores) processors, load \(load)"
        }
    }
}
