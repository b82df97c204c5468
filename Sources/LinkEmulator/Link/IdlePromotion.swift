/// The wake-up delay of an idle radio: the first packet after a pause waits for the channel, and later packets wait
/// behind it.
///
/// The link starts idle, and becomes idle again when no packet has arrived or been sent for `tailNanoseconds`. Probes
/// neither wake it nor keep it awake.
package struct IdlePromotion: Hashable, Sendable {
    package var delayNanoseconds: Int64
    package var tailNanoseconds: Int64

    package init(delayNanoseconds: Int64, tailNanoseconds: Int64) {
        self.delayNanoseconds = delayNanoseconds
        self.tailNanoseconds = tailNanoseconds
    }
}
