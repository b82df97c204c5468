import NetworkMonitor
import LabKernel

/// The waiting strategy of the emulator's thread: it sleeps, except shortly before a release and shortly after a
/// packet, when it polls as long as a processor would be idle anyway. Waking a thread takes longer than the processing
/// of most packets.
struct WaitStrategy: ~Copyable {
    private var spare: IdleCPUProbe
    /// The time until which more packets are likely to follow.
    private var lingersUntil = Int64.min

    /// The wake-up delay of a sleeping thread that is to be expected at times, in nanoseconds.
    private static let lead: Int64 = 80_000
    /// The time within which the far end's response or the next packet of a burst usually arrives.
    private static let linger: Int64 = 30_000

    init(spare: consuming IdleCPUProbe) { self.spare = spare }

    /// Waits like `Poller.wait`.
    mutating func wait(in poller: inout Poller, until end: Int64, _ handle: (Poller.Event) -> Void)
        throws(SystemCallError)
    {
        var now = MonotonicClock.now()
        if now < lingersUntil, now < end, spare.isThere(at: now) {
            if try look(in: &poller, until: min(end, lingersUntil), handle) { return }
            now = MonotonicClock.now()
        }
        if end != MonotonicClock.never, now < end, spare.isThere(at: now) {
            let early = end - WaitStrategy.lead
            if now < early, try sleep(in: &poller, until: early, handle) { return }
            // Other threads may need the processor by now.
            if spare.isThere(at: MonotonicClock.now()), try look(in: &poller, until: end, handle) { return }
        }
        _ = try sleep(in: &poller, until: end, handle)
    }

    /// Returns false at the end of the time.
    private mutating func sleep(
        in poller: inout Poller, until end: Int64, _ handle: (Poller.Event) -> Void
    ) throws(SystemCallError) -> Bool {
        guard try poller.wait(until: end, handle) > 0 else { return false }
        lingersUntil = MonotonicClock.now() + WaitStrategy.linger
        return true
    }

    private mutating func look(
        in poller: inout Poller, until end: Int64, _ handle: (Poller.Event) -> Void
    ) throws(SystemCallError) -> Bool {
        var now = MonotonicClock.now()
        while now < end {
            let found = try poller.wait(until: 0, handle)
            now = MonotonicClock.now()
            guard found == 0 else {
                lingersUntil = now + WaitStrategy.linger
                return true
            }
        }
        return false
    }
}
