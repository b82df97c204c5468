import CLinux

/// A named thread that runs one body; its release waits for the body to end.
@safe package final class DedicatedThread: Sendable {
    private nonisolated(unsafe) let thread: OpaquePointer

    /// Starts the thread. `name` is truncated to the kernel's 15 bytes. The body must end by itself (see `Waker`).
    package init(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemCallError) {
        let box = unsafe Unmanaged.passRetained(Body(body))
        var thread: OpaquePointer?
        let result = unsafe cw_thread_start(
            name,
            { context in
                guard let context = unsafe context else { return }
                unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
            }, box.toOpaque(), &thread)
        guard result >= 0, let thread = unsafe thread else {
            unsafe box.release()
            throw SystemCallError(call: "pthread_create", errno: -result, context: name)
        }
        unsafe self.thread = thread
    }

    deinit {
        unsafe cw_thread_join(thread)
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
