import Foundation
import LabKernel
import NetworkMonitor
import Synchronization
import Testing

/// As many busy threads as the machine has processors leave none idle, which shows that the result comes from the
/// machine. On an idle machine either result is possible, since other programs run as well.
@Suite(.serialized) struct IdleCPUProbeTests {
    @Test func `a machine with all processors busy has none to spare`() throws {
        let flag = Flag()
        var threads: [DedicatedThread] = []
        for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
            threads.append(try DedicatedThread(name: "busy") { while !flag.isRaised {} })
        }
        defer {
            flag.raise()
            threads.removeAll()
        }
        var spare = try IdleCPUProbe.make()
        let now = MonotonicClock.now()
        // The second result is cached from the first; the third is determined again.
        let answers = [spare.isThere(at: now), spare.isThere(at: now + 1), spare.isThere(at: now + 1_000_000_000)]
        #expect(answers == [false, false, false])
    }

    private final class Flag: Sendable {
        private let raised = Atomic(false)
        var isRaised: Bool { raised.load(ordering: .relaxed) }
        func raise() { raised.store(true, ordering: .relaxed) }
    }
}
