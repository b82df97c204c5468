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
