import Testing

@testable import TransferDaemon

// DISC-08, with 4096 bytes per second over 10 s: 40,960 bytes are just enough.

@Suite struct ThroughputMonitorTests {
    private func run(_ samples: [(Int64, Double)]) -> [Bool] {
        var monitor = ThroughputMonitor()
        return samples.map { monitor.add($0.0, at: .seconds(100 + $0.1)) }
    }

    @Test func `a period below the minimum is poor`() {
        #expect(run([(0, 0), (20_000, 5), (20_959, 10)]) == [false, false, true])
        #expect(run([(0, 0), (20_000, 5), (20_960, 10)]) == [false, false, false])
    }

    @Test func `a short pause is not poor`() { #expect(run([(0, 0), (0, 9.9)]) == [false, false]) }

    @Test func `a stall is poor without any byte`() { #expect(run([(0, 0), (0, 10)]) == [false, true]) }

    /// A fast beginning must not hide a later stall.
    @Test func `each period counts apart`() {
        #expect(run([(0, 0), (9_000_000, 10), (0, 15), (0, 20)]) == [false, false, false, true])
    }
}
