import Units

/// The periods in which nothing passes, in nanoseconds since the condition took effect; a change that keeps the outages
/// keeps their phase.
struct OutageSchedule: Sendable {
    /// The time after which the windows repeat.
    private var period = Int64.max
    private var windows: [Range<Int64>]

    init(_ outages: LinkEffect.Outages) {
        switch outages {
        case .periodic(let every, let lasting):
            period = every.nanoseconds
            windows = [period - lasting.nanoseconds..<period]
        case .windows(let list):
            windows = list.map { $0.from.nanoseconds..<$0.from.nanoseconds + $0.lasting.nanoseconds }
        }
    }

    func isOut(at time: LinkTime, since start: LinkTime) -> Bool {
        let elapsed = (time - start) % period
        // Only the last window that has begun can still be active.
        var low = 0
        var high = windows.count
        while low < high {
            let middle = (low + high) / 2
            if windows[middle].lowerBound <= elapsed { low = middle + 1 } else { high = middle }
        }
        return low > 0 && elapsed < windows[low - 1].upperBound
    }
}
