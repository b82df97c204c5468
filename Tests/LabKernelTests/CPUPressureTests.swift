import Foundation
import LabKernel
import NetworkMonitor
import Testing

@Suite(.enabled(if: CPUPressure() != nil, "needs a kernel with pressure stall information"))
struct CPUPressureTests {
    @Test func `more threads than processors show as pressure`() throws {
        var pressure = try #require(CPUPressure())
        let early = pressure.share(over: .seconds(60))
        #expect(early == nil, "expected nil before the window has passed")
        var threads: [DedicatedThread] = []
        let end = MonotonicClock.deadline(after: 500_000_000)
        for _ in 0..<ProcessInfo.processInfo.activeProcessorCount + 2 {
            threads.append(try DedicatedThread(name: "busy") { while MonotonicClock.now() < end {} })
        }
        threads.removeAll()  // Waits for each.
        let late = pressure.share(over: .milliseconds(1))
        let share = try #require(late)
        #expect(share > 0.3 && share < 1.1, "\(share)")
    }
}
