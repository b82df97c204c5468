import Dispatch
import LabKernel
import NetworkMonitor
import Synchronization
import Testing

@testable import Harness

/// One processor, so that the second run depends on the pressure alone until the first one has ended.
@Suite struct ConcurrencyLimiterTests {
    @Test func `under high pressure a run starts when another one ends`() throws {
        let (read, started) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let limiter = ConcurrencyLimiter(processors: 1) {
            read.signal()
            return 0.9
        }
        limiter.acquire()
        let thread = try DedicatedThread(name: "second") {
            limiter.acquire()
            started.signal()
        }
        // The pressure was read once and found too high, and the thread is still waiting when it reads again.
        for _ in 0..<2 { #expect(read.wait(timeout: .now() + 10) == .success) }
        #expect(started.wait(timeout: .now()) == .timedOut)
        limiter.release()
        #expect(started.wait(timeout: .now() + 10) == .success)
        _ = consume thread
    }

    @Test func `the pressure is read again until it is low`() {
        let shares = Mutex<[Double?]>([0.9, nil, 0.7, 0.1])
        let limiter = ConcurrencyLimiter(processors: 1) { shares.withLock { $0.removeFirst() } }
        limiter.acquire()
        limiter.acquire()
        #expect(shares.withLock { $0.isEmpty })
    }

    @Test func `without a measure of pressure every run starts at once`() {
        let limiter = ConcurrencyLimiter(processors: 1, pressure: nil)
        for _ in 0..<3 { limiter.acquire() }
    }
}
