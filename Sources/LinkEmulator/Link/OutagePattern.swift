/// The times at which nothing passes while the interface stays up.
///
/// Time counts from the moment the pattern takes effect; a change that keeps the pattern keeps its phase.
package enum OutagePattern: Hashable, Sendable {
    /// The last `lastingNanoseconds` of each `everyNanoseconds`.
    case periodic(everyNanoseconds: Int64, lastingNanoseconds: Int64)
    /// Exactly these windows; ascending, not overlapping.
    case windows([OutageWindow])

    func isOut(at time: LinkTime, since start: LinkTime) -> Bool {
        let elapsed = time - start
        switch self {
        case .periodic(let every, let lasting): return elapsed % every >= every - lasting
        case .windows(let windows):
            // Only the last window that has begun can still be active.
            var low = 0
            var high = windows.count
            while low < high {
                let middle = (low + high) / 2
                if windows[middle].fromNanoseconds <= elapsed { low = middle + 1 } else { high = middle }
            }
            return low > 0 && elapsed - windows[low - 1].fromNanoseconds < windows[low - 1].lastingNanoseconds
        }
    }
}

package struct OutageWindow: Hashable, Sendable {
    package var fromNanoseconds: Int64
    package var lastingNanoseconds: Int64

    package init(fromNanoseconds: Int64, lastingNanoseconds: Int64) {
        self.fromNanoseconds = fromNanoseconds
        self.lastingNanoseconds = lastingNanoseconds
    }
}
