import Foundation
import LinuxNet
import Synchronization
import Testing

/// As many threads that never rest as the machine has processors leave none to spare, which shows that the answer comes from the
/// machine; on an idle one it may be either, since other programs run as well.
@Suite(.serialized) struct SpareProcessorTests {
    @Test func `a machine whose every processor is taken has none to spare`() throws {
        let flag = Flag()
        var threads: [DedicatedThread] = []
        for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
            threads.append(try DedicatedThread(name: "busy") { while !flag.isRaised {} })
        }
        defer {
            flag.raise()
            threads.removeAll()
        }
        var spare = try SpareProcessor.make()
        let now = MonotonicClock.now()
        // The second answer is kept from the first; the third is asked for again.
        let answers = [spare.isThere(at: now), spare.isThere(at: now + 1), spare.isThere(at: now + 1_000_000_000)]
        #expect(answers == [false, false, false])
    }

    private final class Flag: Sendable {
        private let raised = Atomic(false)
        var isRaised: Bool { raised.load(ordering: .relaxed) }
        func raise() { raised.store(true, ordering: .relaxed) }
    }
}
