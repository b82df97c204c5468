import NIOCore

/// The replies of one socket that wait for their delay on its event loop.
struct DelayedReplies {
    private var tasks: [UInt64: Scheduled<Void>] = [:]
    private var number: UInt64 = 0

    var isEmpty: Bool { tasks.isEmpty }

    /// Calls `send` after the delay, with the number to remove; drops it when too many wait.
    mutating func add(after delay: Duration, on loop: any EventLoop, send: @escaping (_ number: UInt64) -> Void) {
        guard tasks.count < DNSServerContext.maximumPending else { return }
        let number = self.number
        self.number += 1
        tasks[number] = loop.assumeIsolated().scheduleTask(in: TimeAmount(delay)) { send(number) }
    }

    mutating func remove(_ number: UInt64) { tasks[number] = nil }

    mutating func cancelAll() {
        for task in tasks.values { task.cancel() }
        tasks = [:]
    }
}
