package import Foundation

/// The clock of background transfers: that of the machine, or the one that the harness describes in
/// `ADAPTABLE_TRANSFER_CLOCK` as `scale=1000 offset=-3600 origin=1700000000 file=/mnt/clock`. Both count from `origin`.
/// The file has the present offset, as `offset=-7200`.
package enum TransferTime {
    /// Returns the date on this clock that comes `delay` from now.
    package static func date(after delay: Duration) -> Date {
        let text = ProcessInfo.processInfo.environment["ADAPTABLE_TRANSFER_CLOCK"] ?? ""
        let values = values(text) { try? String(contentsOfFile: $0, encoding: .utf8) }
        return date(
            after: delay, scale: values["scale"] ?? 1, offset: values["offset"] ?? 0, origin: values["origin"] ?? 0)
    }

    /// Returns the numbers of a clock, with those of its file in place of earlier ones.
    static func values(_ text: String, contents: (String) -> String?) -> [String: Double] {
        var values: [String: Double] = [:]
        for word in text.split(whereSeparator: \.isWhitespace) {
            let parts = word.split(separator: "=", maxSplits: 1)
            if parts.count == 2, let value = Double(parts[1]) { values[String(parts[0])] = value }
        }
        let file = text.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("file=") }
        guard let path = file?.dropFirst("file=".count), let present = contents(String(path)) else { return values }
        return values.merging(Self.values(present) { _ in nil }) { $1 }
    }

    static func date(after delay: Duration, scale: Double, offset: Double, origin: Double, now: Date = Date()) -> Date {
        let start = Date(timeIntervalSince1970: origin)
        return start.addingTimeInterval(now.timeIntervalSince(start) * scale + offset + delay.seconds)
    }
}
