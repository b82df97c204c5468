/// What befalls one task of a storm, drawn from a seed, so that a storm can be had again.
struct StormDraw {
    enum Kind { case data, dataOfDelegate, download, downloadOfDelegate, downloadWithResumeData, upload }
    enum Blow {
        /// From the thread that resumed it, at once.
        case atOnce
        case never
        case beforeResume
        /// From another thread, after so many microseconds.
        case after(Int)
        /// From two threads at the same moment.
        case twice(after: Int)
        case suspendedThenCancelled(after: Int)
        case suspendedResumedCancelled(after: Int)
    }

    let kind: Kind
    let blow: Blow

    /// A task of that kind that nobody cancels.
    init(uncut kind: Kind) { (self.kind, blow) = (kind, .never) }

    /// - Parameter span: in microseconds, of the moments at which a task is cancelled: half of them fall into its life.
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
        blow =
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

struct SplitMix: Sendable {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
