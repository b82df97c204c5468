/// The kind and cancellation of one task, derived from a seed so that a run is reproducible.
struct StressPlan {
    enum Kind { case data, dataOfDelegate, download, downloadOfDelegate, downloadWithResumeData, upload }
    enum CancellationTiming {
        /// Immediately, from the thread that resumed it.
        case atOnce
        case never
        case beforeResume
        /// From another thread, after this many microseconds.
        case after(Int)
        /// From two threads at the same time.
        case twice(after: Int)
        case suspendedThenCancelled(after: Int)
        case suspendedResumedCancelled(after: Int)
    }

    let kind: Kind
    let timing: CancellationTiming

    /// Creates a task of that kind that is not cancelled.
    init(uncut kind: Kind) { (self.kind, timing) = (kind, .never) }

    /// Draws a task.
    ///
    /// - Parameter span: the range of cancellation times in microseconds; half of them are within the task's life.
    init(_ random: inout SplitMix, span: Int) {
        kind =
            switch random.next() % 10 {
            case 0...2: .data
            case 3, 4: .dataOfDelegate
            case 5: .download
            case 6: .downloadOfDelegate
            case 7, 8: .downloadWithResumeData
            default: .upload
            }
        let moment = Int(random.next() % UInt64(max(1, span)))
        timing =
            switch random.next() % 32 {
            case 0, 1: .atOnce
            case 2: .never
            case 3: .beforeResume
            case 4...7: .twice(after: moment)
            case 8, 9: .suspendedThenCancelled(after: moment)
            case 10, 11: .suspendedResumedCancelled(after: moment)
            default: .after(moment)
            }
    }
}
