/// The times at which a link may send: each stamp is one opportunity for 1,500 bytes of layer 3, in milliseconds since
/// the start of the trace. The trace repeats with its last stamp as the period (the packet-delivery traces of
/// mahimahi).
package struct RateTrace: Hashable, Sendable {
    /// The file or generator that the trace comes from, for messages.
    package let name: String
    /// The stamps: not empty, ascending, the last greater than 0.
    package let milliseconds: [UInt32]

    /// Returns nil if the stamps violate the rules of `milliseconds`.
    package init?(name: String, milliseconds: [UInt32]) {
        guard let last = milliseconds.last, last > 0,
            zip(milliseconds, milliseconds.dropFirst()).allSatisfy({ $0 <= $1 })
        else {
            return nil
        }
        self.name = name
        self.milliseconds = milliseconds
    }

    package static let bytesPerOpportunity = 1500
    /// Bits per second over one period.
    package var meanRate: Double {
        Double(milliseconds.count * RateTrace.bytesPerOpportunity * 8) * 1000
            / Double(milliseconds[milliseconds.count - 1])
    }
}

extension RateTrace {
    /// One stamp per line: the format that `parse` and mahimahi's `mm-link` read.
    package var text: String {
        var text = ""
        text.reserveCapacity(milliseconds.count * 7)
        for stamp in milliseconds {
            text += String(stamp)
            text += "\n"
        }
        return text
    }
}
