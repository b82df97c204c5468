package import Foundation

/// The clock of background transfers: that of the machine, or the one that the harness describes in
/// `ADAPTABLE_TRANSFER_CLOCK` as `scale=1000 offset=-3600 origin=1700000000`. Both count from `origin`.
package enum TransferTime {
    /// Returns the date on this clock that comes `delay` from now.
    package static func date(after delay: Duration) -> Date {
        let text = ProcessInfo.processInfo.environment["ADAPTABLE_TRANSFER_CLOCK"] ?? ""
        let words = text.split(separator: " ").map { $0.split(separator: "=") }.filter { $0.count == 2 }
        let values = Dictionary(words.map { ($0[0], Double($0[1]) ?? 0) }) { $1 }
        return date(
            after: delay, scale: values["scale"] ?? 1, offset: values["offset"] ?? 0, origin: values["origin"] ?? 0)
    }

    static func date(after delay: Duration, scale: Double, offset: Double, origin: Double, now: Date = Date()) -> Date {
        let start = Date(timeIntervalSince1970: origin)
        return start.addingTimeInterval(now.timeIntervalSince(start) * scale + offset + delay.seconds)
    }
}
