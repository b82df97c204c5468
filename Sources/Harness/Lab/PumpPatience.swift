import LinuxNet

/// How the emulator's thread waits: asleep, except for the last moments before a release and the first after a packet, when it goes on
/// looking as long as a processor would be idle anyway. To wake a thread takes the machine longer than most packets take.
struct PumpPatience: ~Copyable {
    private var spare: SpareProcessor
    /// Until when more packets are likely to follow the last.
    private var lingersUntil = Int64.min

    /// A sleeping thread is woken so much too late at times, in nanoseconds.
    private static let lead: Int64 = 80_000
    /// The far end's answer, or the next packet of a burst, mostly comes within this.
    private static let linger: Int64 = 30_000

    init(spare: consuming SpareProcessor) { self.spare = spare }

    /// As `Poller.wait`.
    mutating func wait(in poller: inout Poller, until end: Int64, _ handle: (Poller.Event) -> Void) throws(SystemCallError) {
        var now = MonotonicClock.now()
        if now < lingersUntil, now < end, spare.isThere(at: now) {
            if try look(in: &poller, until: min(end, lingersUntil), handle) { return }
            now = MonotonicClock.now()
        }
        if end != MonotonicClock.never, now < end, spare.isThere(at: now) {
            let early = end - PumpPatience.lead
            if now < early, try sleep(in: &poller, until: early, handle) { return }
            // Meanwhile others may have come to want it.
            if spare.isThere(at: MonotonicClock.now()), try look(in: &poller, until: end, handle) { return }
        }
        _ = try sleep(in: &poller, until: end, handle)
    }

    /// False at the end.
    private mutating func sleep(
        in poller: inout Poller, until end: Int64, _ handle: (Poller.Event) -> Void
    ) throws(SystemCallError) -> Bool {
        guard try poller.wait(until: end, handle) > 0 else { return false }
        lingersUntil = MonotonicClock.now() + PumpPatience.linger
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
                lingersUntil = now + PumpPatience.linger
                return true
            }
        }
        return false
    }
}
