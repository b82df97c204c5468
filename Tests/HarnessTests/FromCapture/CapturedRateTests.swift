import LinkEmulator
import ScenarioLanguage
import Testing

@testable import Harness

/// 1,500 bytes per millisecond are 12 Mbit/s, so one stamp of a trace is one piece.
@Suite struct CapturedRateTests {
    private static let millisecond: Int64 = 1_000_000

    private func transfer(from start: Int64, through end: Int64, every step: Int64 = 1) -> CapturedTransfer {
        CapturedTransfer(
            direction: .downlink,
            pieces: stride(from: start, through: end, by: Int(step)).map {
                CapturedTransfer.Piece(time: $0 * Self.millisecond, bytes: 1500)
            })
    }

    private func measure(_ transfers: [CapturedTransfer], seconds: Int64 = 3) -> CapturedRate {
        .measure(transfers, of: .downlink, duration: seconds * 1000 * Self.millisecond)
    }

    @Test func `a short transfer gives a steady rate`() throws {
        let rate = try #require(BitRate(bitsPerSecond: 12_000_000))
        #expect(measure([transfer(from: 100, through: 300)]) == .steady(rate))
    }

    @Test func `a longer one gives a trace with its gap, and its mean rate elsewhere`() throws {
        // 1 s and 1 s of data with a second of silence between them, in one transfer: 2,000 pieces in 3 s.
        let pieces = transfer(from: 1000, through: 2000).pieces + transfer(from: 3000, through: 4000).pieces
        let rate = measure([CapturedTransfer(direction: .downlink, pieces: pieces)], seconds: 5)
        guard case .varying(let trace) = rate else {
            Issue.record("\(rate)")
            return
        }
        #expect(!trace.milliseconds.contains { (2001..<3000).contains($0) })
        #expect(trace.milliseconds.count { (1001...2000).contains($0) } == 1000)
        // 8 Mbit/s: 667 stamps in the second before.
        #expect((660...668).contains(trace.milliseconds.count { $0 < 1000 }))
        #expect(trace.name == "downlink.trace")
        #expect(try RateTrace.parse(trace.text, name: trace.name) == trace)
    }

    @Test func `small transfers, other directions and the speed of a loopback do not count`() {
        #expect(measure([transfer(from: 0, through: 8)]) == .unknown)
        #expect(CapturedRate.measure([transfer(from: 0, through: 900)], of: .uplink, duration: 1) == .unknown)
        let fast = CapturedTransfer(
            direction: .downlink,
            pieces: (0..<30).map { CapturedTransfer.Piece(time: $0 * Self.millisecond, bytes: 1_000_000) })
        #expect(measure([fast]) == .unknown)
        #expect(measure([]) == .unknown)
    }
}
