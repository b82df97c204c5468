/// The rate of a link, in bytes of layer 3.
package enum LinkRate: Hashable, Sendable {
    /// A serial line: one packet after the other, each for the duration of its bits.
    case constant(bitsPerSecond: UInt64)
    /// A token bucket: unused capacity is saved, and after a pause this many bytes pass at once. A longer packet waits
    /// until the bytes beyond the bucket have been saved as well.
    case bucket(bitsPerSecond: UInt64, burstBytes: Int)
    /// Each stamp, in milliseconds since the trace took effect, is one opportunity to send 1500 bytes; the last is the
    /// period after which the trace repeats. Several packets share an opportunity, a packet larger than the rest
    /// continues in the next, and an opportunity without a waiting packet is lost (mahimahi's packet-delivery traces).
    /// A change that keeps the trace keeps its position.
    case trace(milliseconds: [UInt32])

    package static let bytesPerOpportunity = 1500
}
