import CLinux

/// Waits for descriptors (epoll) until a deadline in nanoseconds.
package struct Poller: ~Copyable, Sendable {
    /// The conditions to wait for, and those that occurred.
    package struct Readiness: OptionSet, Sendable {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }

        package static let readable = Readiness(rawValue: CW_READABLE.rawValue)
        package static let writable = Readiness(rawValue: CW_WRITABLE.rawValue)
        package static let failed = Readiness(rawValue: CW_ERROR.rawValue)
    }

    package struct Event: Equatable, Sendable {
        package let token: UInt64
        package let readiness: Readiness
    }

    private let epoll: OwnedDescriptor
    private var ready: [cw_event]

    package static func make(capacity: Int = 64) throws(SystemCallError) -> Poller {
        Poller(
            epoll: try SystemCallError.descriptor(cw_epoll_make(), "epoll_create1"),
            ready: [cw_event](repeating: cw_event(), count: min(max(capacity, 1), 64)))
    }

    private init(epoll: consuming OwnedDescriptor, ready: [cw_event]) {
        self.epoll = epoll
        self.ready = ready
    }

    package borrowing func add(_ descriptor: CInt, for interest: Readiness, token: UInt64) throws(SystemCallError) {
        try epoll.withRaw { epoll throws(SystemCallError) in
            _ = try SystemCallError.check(
                cw_epoll_add(epoll, descriptor, interest.rawValue, token), "epoll_ctl(EPOLL_CTL_ADD)")
        }
    }

    package borrowing func modify(_ descriptor: CInt, for interest: Readiness, token: UInt64) throws(SystemCallError) {
        try epoll.withRaw { epoll throws(SystemCallError) in
            _ = try SystemCallError.check(
                cw_epoll_modify(epoll, descriptor, interest.rawValue, token), "epoll_ctl(EPOLL_CTL_MOD)")
        }
    }

    package borrowing func remove(_ descriptor: CInt) throws(SystemCallError) {
        try epoll.withRaw { epoll throws(SystemCallError) in
            _ = try SystemCallError.check(cw_epoll_remove(epoll, descriptor), "epoll_ctl(EPOLL_CTL_DEL)")
        }
    }

    /// Waits until a descriptor is ready or `deadline` (CLOCK_MONOTONIC nanoseconds) has passed, then calls `handle`
    /// for each event. Returns the number of events; 0 means the deadline.
    @discardableResult
    package mutating func wait(
        until deadline: Int64 = MonotonicClock.never, _ handle: (Event) -> Void
    ) throws(SystemCallError) -> Int {
        let raw = epoll.withRaw { $0 }
        let count = unsafe cw_epoll_wait(raw, &ready, CInt(ready.count), deadline)
        try SystemCallError.check(count, "epoll_pwait2")
        for index in 0..<Int(count) {
            handle(Event(token: ready[index].token, readiness: Readiness(rawValue: ready[index].events)))
        }
        return Int(count)
    }

    /// Sets the timers of the calling thread to fire within 1 ns instead of 50 µs of slack.
    package static func minimizeTimerSlack() throws(SystemCallError) {
        _ = try SystemCallError.check(cw_timer_slack_minimal(), "prctl(PR_SET_TIMERSLACK)")
    }

    /// Raises the priority of this thread over others that want a processor. Requires root; returns false if refused.
    @discardableResult
    package static func preferThisThread() -> Bool { cw_set_priority(0, -15) == 0 }

    /// Waits for a single descriptor; returns an empty set at the deadline.
    package static func wait(
        for descriptor: CInt, _ interest: Readiness, until deadline: Int64
    ) throws(SystemCallError) -> Readiness {
        Readiness(
            rawValue: UInt32(try SystemCallError.check(cw_poll_one(descriptor, interest.rawValue, deadline), "ppoll")))
    }
}
