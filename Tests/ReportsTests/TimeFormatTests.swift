import Testing

@testable import Reports

struct TimeFormatTests {
    @Test func `durations are rounded and never negative`() {
        let lengths: [(Duration, String)] = [
            (.zero, "0.00 s"), (.milliseconds(4), "0.00 s"), (.milliseconds(5), "0.01 s"),
            (.milliseconds(1240), "1.24 s"),
            (.milliseconds(59_994), "59.99 s"), (.milliseconds(59_999), "1 min 00.0 s"),
            (.milliseconds(125_250), "2 min 05.3 s"),
            (.seconds(-1), "0.00 s"),
        ]
        for (duration, text) in lengths { #expect(TimeFormat.length(duration) == text) }
        #expect(TimeFormat.seconds(.microseconds(1_234_567)) == "1.235")
        #expect(TimeFormat.clock(.seconds(59)) == "00:59")
        #expect(TimeFormat.clock(.seconds(3661)) == "1:01:01")
        #expect(TimeFormat.milliseconds(-1_234_000) == "-1.23 ms")
    }

    @Test(
        arguments: [
            (0, "0 s"), (200_000_000, "200 ms"), (35_268_000, "35.27 ms"), (1_000_000_000, "1 s"),
            (1_200_000_000, "1.2 s"),
            (999_999_999, "1 s"), (12_345_678_000, "12.345678 s"),
        ] as [(Int64, String)])
    func `moments of an axis end without zeros`(_ nanoseconds: Int64, _ text: String) {
        #expect(TimeFormat.moment(nanoseconds) == text)
    }

    /// Checked against `date -u -d @…`: an ordinary day, both sides of a leap day, a century without one, and the
    /// epoch.
    @Test func `timestamps follow the calendar`() {
        let stamps: [(Int64, String)] = [
            (0, "1970-01-01T00:00:00"), (1_795_240_162, "2026-11-21T05:49:22"), (1_709_164_799, "2024-02-28T23:59:59"),
            (1_709_164_800, "2024-02-29T00:00:00"), (1_709_251_200, "2024-03-01T00:00:00"),
            (951_782_400, "2000-02-29T00:00:00"),
            (4_107_542_399, "2100-02-28T23:59:59"), (4_107_542_400, "2100-03-01T00:00:00"), (-1, "1969-12-31T23:59:59"),
        ]
        for (seconds, text) in stamps { #expect(TimeFormat.timestamp(seconds) == text) }
    }
}
