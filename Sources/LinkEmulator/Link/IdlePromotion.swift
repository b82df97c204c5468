/// A radio that falls asleep: the first packet after a pause waits for the channel, and those behind it wait with it.
///
/// The link counts as idle at first, and again once neither a packet came nor one was being sent for `tailNanoseconds`. Probes
/// neither wake it nor keep it awake.
package struct IdlePromotion: Hashable, Sendable {
    package var delayNanoseconds: Int64
    package var tailNanoseconds: Int64

    package init(delayNanoseconds: Int64, tailNanoseconds: Int64) {
        self.delayNanoseconds = delayNanoseconds
        self.tailNanoseconds = tailNanoseconds
    }
}
