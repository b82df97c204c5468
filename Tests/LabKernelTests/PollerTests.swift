import Glibc
import InternetAddresses
import LabKernel
import NetworkMonitor
import Testing

extension KernelTests {
    struct PollerTests {
        @Test func `a deadline in the past returns immediately`() throws {
            var poller = try Poller.make()
            let ready = try poller.wait(until: 0) { _ in }
            #expect(ready == 0)
        }

        @Test func `a deadline is never early and accurate to nanoseconds`() throws {
            // The default slack alone would add 50 µs; the bound is loose because the machine is shared.
            try Poller.minimizeTimerSlack()
            var poller = try Poller.make()
            var lateness: [Int64] = []
            for _ in 0..<20 {
                let deadline = MonotonicClock.deadline(after: 300_000)
                try poller.wait(until: deadline) { _ in }
                lateness.append(MonotonicClock.now() - deadline)
            }
            #expect(lateness.allSatisfy { $0 >= 0 })
            #expect(try #require(lateness.min()) < 300_000)
        }

        @Test func `a waker wakes from another thread and is cleared`() throws {
            var poller = try Poller.make()
            let waker = try Waker.make()
            try waker.withRaw { try poller.add($0, for: .readable, token: 9) }
            let raw = waker.withRaw { $0 }
            let thread = try DedicatedThread(name: "waker") {
                var one: UInt64 = 1
                _ = unsafe write(raw, &one, 8)
            }
            var tokens: [UInt64] = []
            try poller.wait(until: MonotonicClock.deadline(after: milliseconds(5_000))) { tokens.append($0.token) }
            _ = thread
            #expect(tokens == [9])
            let clearings = [waker.clear(), waker.clear()]
            #expect(clearings == [true, false])
            waker.wake()
            let again = try poller.wait(until: 0) { #expect($0.readiness == .readable) }
            #expect(again == 1)
        }

        @Test func `a removed descriptor causes no further events`() throws {
            var poller = try Poller.make()
            let waker = try Waker.make()
            waker.wake()
            try waker.withRaw { try poller.add($0, for: .readable, token: 1) }
            try waker.withRaw { try poller.modify($0, for: [], token: 1) }
            let deaf = try poller.wait(until: 0) { _ in }
            #expect(deaf == 0)
            try waker.withRaw { try poller.modify($0, for: .readable, token: 1) }
            try waker.withRaw { try poller.remove($0) }
            let ready = try poller.wait(until: 0) { _ in }
            #expect(ready == 0)
        }

        @Test func `a dedicated thread has its name and is joined`() throws {
            let pipe = try NetworkNamespace.current().bindUDP(on: SocketAddress(.loopbackV4, port: 0))
            let raw = pipe.withRaw { $0 }
            do {
                _ = try DedicatedThread(name: "crosswind-test") {
                    for _ in 0..<1_000 { sched_yield() }
                    _ = contents("/proc/thread-self/comm") == "crosswind-test\n" ? fcntl(raw, F_SETFD, 0) : 0
                }
            }
            // Finished before the thread's owner continued, or the flag would still be set.
            #expect(fcntl(raw, F_GETFD) & FD_CLOEXEC == 0)
        }
    }
}
