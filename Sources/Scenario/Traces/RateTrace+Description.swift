extension RateTrace {
    /// One stamp a line: what `parse` reads, and mahimahi's `mm-link`.
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
