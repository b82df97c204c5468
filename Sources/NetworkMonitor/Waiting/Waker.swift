import CLinux

/// Wakes a thread that waits in a `Poller` (an eventfd).
package struct Waker: ~Copyable, Sendable {
    private let descriptor: OwnedDescriptor

    package static func make() throws(SystemCallError) -> Waker {
        Waker(descriptor: try SystemCallError.descriptor(cw_eventfd_make(), "eventfd"))
    }

    private init(descriptor: consuming OwnedDescriptor) {
        self.descriptor = descriptor
    }

    /// Wakes the thread. May be called from any thread, any number of times.
    package borrowing func wake() {
        descriptor.withRaw { _ = cw_eventfd_raise($0) }
    }

    /// Clears the wake-up; called by the woken thread. Returns true if it had been woken since the last call.
    package borrowing func clear() -> Bool {
        descriptor.withRaw { cw_eventfd_clear($0) > 0 }
    }

    package borrowing func withRaw<Result: ~Copyable, Failure: Error>(
        _ body: (CInt) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try descriptor.withRaw(body)
    }
}
