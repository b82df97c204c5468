import Record
import LinkEmulator

/// Formats the traffic of a lab as a table.
package struct WatchTable {
    /// Maximum number of connections shown; the rest are counted.
    package var connections: Int

    package init(connections: Int = 12) { self.connections = connections }

    package func lines(_ view: LabView) -> [String] {
        var lines = [
            "lab \(view.lab.id), up \(Self.age(view.age)), \(view.lab.engine) engine"
                + "\(view.translation.map { ", " + $0 } ?? ""): \(view.lab.program)",
            "",
        ]
        var rows = [
            ["interface", "state", "condition", "", "rate", "delay", "loss", "queue", "packets", "lost", "asked"]
        ]
        for link in view.links {
            rows.append(
                [link.interface.rawValue, link.state.rawValue, link.condition] + Self.row("downlink", link.downlink))
            rows.append(["", "", ""] + Self.row("uplink", link.uplink))
        }
        lines += Self.columns(rows)
        lines.append("")
        guard !view.connections.isEmpty else { return lines + ["no TCP connections"] }
        rows = [["connection", "", "state", "round trip", "resent", "waiting", "sent", "received"]]
        for connection in view.connections.prefix(connections) {
            rows.append([
                connection.local, "→ \(connection.remote)", connection.state,
                connection.roundTrip.map(Self.milliseconds) ?? "–", "\(connection.resent)",
                Self.bytes(UInt64(connection.waiting)),
                Self.bytes(connection.sent), Self.bytes(connection.received),
            ])
        }
        lines += Self.columns(rows)
        let rest = view.connections.count - connections
        return rest > 0 ? lines + ["and \(rest) more"] : lines
    }

    /// Returns one line for each direction that carries traffic or is not up, for output to a file.
    package func log(_ view: LabView) -> [String] {
        view.links.flatMap { link in
            [("downlink", link.downlink), ("uplink", link.uplink)].map { name, direction in
                "\(Self.age(view.age)) \(link.interface.rawValue) \(link.state.rawValue) \(link.condition) \(name): "
                    + "\(Self.rate(direction.bitsPerSecond)), delay \(direction.delay.map(Self.milliseconds) ?? "–"), "
                    + "loss \(Self.share(direction.lossShare)), queue \(Self.queue(direction)), "
                    + "\(Self.count(Int(clamping: direction.packets), "packet")), "
                    + Self.count(view.connections.count, "connection")
            }
        }
    }

    private static func row(_ name: String, _ direction: LabView.Direction) -> [String] {
        [
            name, rate(direction.bitsPerSecond), direction.delay.map(milliseconds) ?? "–", share(direction.lossShare),
            queue(direction), "\(direction.packets)", direction.lost.map(String.init) ?? "–", direction.requested,
        ]
    }

    private static func columns(_ rows: [[String]]) -> [String] {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            var line = zip(row, widths).map { cell, width in cell + String(repeating: " ", count: width - cell.count) }
                .joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    // MARK: Words

    static func rate(_ bitsPerSecond: UInt64) -> String {
        let bits = Double(bitsPerSecond)
        switch bits {
        case 1e9...: return "\(oneDecimal(bits / 1e9)) Gbit/s"
        case 1e6...: return "\(oneDecimal(bits / 1e6)) Mbit/s"
        case 1e3...: return "\(oneDecimal(bits / 1e3)) kbit/s"
        default: return "\(bitsPerSecond) bit/s"
        }
    }

    static func bytes(_ count: UInt64) -> String {
        switch count {
        case (1 << 30)...: "\(oneDecimal(Double(count) / Double(1 << 30))) GiB"
        case (1 << 20)...: "\(oneDecimal(Double(count) / Double(1 << 20))) MiB"
        case (1 << 10)...: "\(oneDecimal(Double(count) / Double(1 << 10))) KiB"
        default: "\(count) B"
        }
    }

    static func milliseconds(_ nanoseconds: Int64) -> String { "\(oneDecimal(Double(nanoseconds) / 1e6)) ms" }

    static func share(_ share: Double?) -> String { share.map { "\(oneDecimal($0 * 100))%" } ?? "–" }

    private static func queue(_ direction: LabView.Direction) -> String {
        guard let packets = direction.queuedPackets else { return "–" }
        guard packets > 0, let waiting = direction.queuedBytes else { return "\(packets)" }
        return "\(packets) (\(bytes(UInt64(clamping: waiting))))"
    }

    static func age(_ nanoseconds: Int64) -> String {
        let seconds = nanoseconds / 1_000_000_000
        let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return (seconds < 3600 ? parts.dropFirst() : parts[...]).joined(separator: ":")
    }

    private static func count(_ number: Int, _ thing: String) -> String {
        "\(number) \(thing)\(number == 1 ? "" : "s")"
    }

    private static func oneDecimal(_ value: Double) -> String {
        let tenths = Int64((value * 10).rounded())
        return "\(tenths / 10).\(abs(tenths % 10))"
    }
}
