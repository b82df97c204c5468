import NIOCore

/// The alarms of a session's loads. All that ring within the same two milliseconds share one timer of the event loop: a
/// timer for each took 350 bytes of each queued task, and to cancel one the event loop searches all of them.
final class LoadAlarms {
    private struct Ringing {
        var loads: Set<Int> = []
        var timer: Scheduled<Void>
    }

    private static let step: Int64 = 2_000_000

    private let eventLoop: any EventLoop
    private let ring: (Int) -> Void
    private var ringings: [Int64: Ringing] = [:]

    /// - Parameter ring: Called on the event loop with the number of a load whose alarm rings.
    init(on eventLoop: any EventLoop, ring: @escaping (Int) -> Void) {
        self.eventLoop = eventLoop
        self.ring = ring
    }

    /// Sets an alarm and returns the time at which it rings, not before `deadline` and at most two milliseconds later.
    func set(_ load: Int, at deadline: Int64) -> Int64 {
        let deadline = min(max(0, deadline), .max - Self.step)
        let time = (deadline + Self.step - 1) / Self.step * Self.step
        if ringings[time] == nil {
            let timer = eventLoop.assumeIsolated().scheduleTask(deadline: .uptimeNanoseconds(UInt64(time))) {
                [weak self] () -> Void in
                self?.rings(at: time)
            }
            ringings[time] = Ringing(timer: timer)
        }
        ringings[time]?.loads.insert(load)
        return time
    }

    /// Cancels the alarm that rings at this time.
    func cancel(_ load: Int, at time: Int64) {
        guard ringings[time]?.loads.remove(load) != nil, ringings[time]?.loads.isEmpty == true else { return }
        ringings.removeValue(forKey: time)?.timer.cancel()
    }

    private func rings(at time: Int64) {
        guard let ringing = ringings.removeValue(forKey: time) else { return }
        for load in ringing.loads.sorted() { ring(load) }
    }
}
