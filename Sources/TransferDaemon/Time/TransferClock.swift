import CLinux
package import Foundation

/// The clock of the daemon: the machine's, or for tests a faster and shifted one.
///
/// Both clocks run `scale` times as fast. The wall clock is scaled from `origin`, so that several processes with the
/// same values agree across restarts.
package struct TransferClock: Hashable, Sendable {
    /// The name of the environment variable with the text of `init(_:)`.
    package static let variable = "ADAPTABLE_TRANSFER_CLOCK"

    /// The clock of the machine.
    package static let machine = TransferClock(scale: 1, offset: .zero, origin: Date(timeIntervalSince1970: 0))

    package var scale: Double
    /// Added to the wall clock alone, as if somebody had set it.
    package var offset: Duration
    package var origin: Date
    /// The file with the present offset; nil: the offset does not change.
    package var file: String?

    package init(scale: Double, offset: Duration, origin: Date, file: String? = nil) {
        self.scale = scale
        self.offset = offset
        self.origin = origin
        self.file = file
    }

    /// Reads `scale=1000 offset=-3600 origin=1700000000 file=/mnt/clock`, in any order: a factor above 0, seconds,
    /// seconds since 1970, and the path of a file. A missing `offset` is 0; `origin` is needed for a scale other than
    /// 1. nil for any other text.
    package init?(_ text: String) {
        var values: [Substring: Double] = [:]
        var file: String?
        for word in text.split(whereSeparator: \.isWhitespace) {
            let parts = word.split(separator: "=", maxSplits: 1)
            if parts.count == 2, parts[0] == "file", file == nil {
                file = String(parts[1])
                continue
            }
            guard parts.count == 2, ["scale", "offset", "origin"].contains(parts[0]), values[parts[0]] == nil,
                let value = Double(parts[1]), value.isFinite
            else { return nil }
            values[parts[0]] = value
        }
        let scale = values["scale"] ?? 1
        guard scale > 0, scale <= 10_000_000, scale == 1 || values["origin"] != nil else { return nil }
        self.init(
            scale: scale, offset: Duration(limiting: values["offset"] ?? 0),
            origin: Date(timeIntervalSince1970: values["origin"] ?? 0), file: file)
    }

    /// Sets the wall clock as the text of `file` describes, such as `offset=-7200`, and returns the step. A text
    /// without an offset changes nothing.
    package mutating func set(_ text: String) -> Duration {
        guard text.contains("offset="), let new = TransferClock(text)?.offset else { return .zero }
        defer { offset = new }
        return new - offset
    }

    /// Sets the wall clock as `file` describes now, and returns the step; zero without a file.
    package mutating func reread() -> Duration {
        guard let file, let text = try? String(contentsOfFile: file, encoding: .utf8) else { return .zero }
        return set(text)
    }

    /// Returns this clock's time for a time of the machine.
    package func instant(of machine: TransferInstant) -> TransferInstant {
        let sinceOrigin = machine.wall.timeIntervalSince(origin)
        return TransferInstant(
            wall: origin.addingTimeInterval(sinceOrigin * scale + offset.inSeconds),
            uptime: scale == 1 ? machine.uptime : Duration(limiting: machine.uptime.inSeconds * scale),
            boot: machine.boot)
    }

    package func now() -> TransferInstant { instant(of: .ofMachine()) }

    /// Returns the real time in which a duration of this clock passes.
    package func real(_ duration: Duration) -> Duration {
        scale == 1 ? duration : Duration(limiting: duration.inSeconds / scale)
    }
}

extension TransferInstant {
    private static let boot: UUID = {
        // Without /proc every process counts as a run of its own, which falls back to the wall clock.
        let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        return text.flatMap { UUID(uuidString: $0.trimmingCharacters(in: .whitespacesAndNewlines)) } ?? UUID()
    }()

    /// Returns the time of the machine's own clocks.
    package static func ofMachine() -> TransferInstant {
        TransferInstant(wall: Date(), uptime: .nanoseconds(cw_boottime_now()), boot: boot)
    }
}
