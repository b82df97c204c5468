/// How fast a link sends; bytes of layer 3.
package enum LinkRate: Hashable, Sendable {
    /// A serial line: one packet after the other, each for as long as its bits take.
    case constant(bitsPerSecond: UInt64)
    /// A token bucket: what was not sent is saved up, and after a pause this many bytes pass at once. A longer packet waits
    /// until the bytes beyond the bucket have been saved as well.
    case bucket(bitsPerSecond: UInt64, burstBytes: Int)
    /// Each stamp, in milliseconds since the trace came into force, is one opportunity to send 1500 bytes; the last is the
    /// period after which it repeats. Several packets share an opportunity, a packet larger than what is left goes on in the
    /// next, and an opportunity that finds no packet waiting is lost (mahimahi's packet-delivery traces). A change that
    /// keeps the trace keeps its place in it.
    case trace(milliseconds: [UInt32])

    package static let bytesPerOpportunity = 1500
}
