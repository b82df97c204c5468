/// Splits bytes into whole lines as they arrive. A line ends with a line feed; a carriage return before it is dropped.
package struct LineReader: Sendable {
    /// The maximum length of a line.
    package let limit: Int
    /// The bytes since the last line end (for a line that is too long, its beginning): the last output of a program
    /// that ends in the middle of a line.
    package private(set) var partial: [UInt8] = []
    /// Bytes left over from a call that threw before it could return them.
    private var unread: [UInt8] = []
    private var hasPendingError = false
    private var isSkipping = false

    package init(limit: Int = 8 << 20) { self.limit = limit }

    /// Returns the lines that these bytes complete, without empty ones. A line that is too long is skipped to its end
    /// and thrown as an error once, after the lines before it have been returned; the next call returns the lines after
    /// it.
    package mutating func append(_ bytes: [UInt8]) throws(WireError) -> [[UInt8]] {
        let bytes = unread.isEmpty ? bytes : unread + bytes
        unread = []
        if hasPendingError {
            hasPendingError = false
            unread = bytes
            throw .lineTooLong(limit: limit)
        }
        var lines: [[UInt8]] = []
        var start = bytes.startIndex
        while start < bytes.endIndex {
            let end = bytes.firstLineFeed(from: start)
            let piece = bytes[start..<(end ?? bytes.endIndex)]
            start = end.map { $0 + 1 } ?? bytes.endIndex
            if !isSkipping {
                partial += piece
                if partial.count > limit {
                    partial = Array(partial.prefix(1024))
                    isSkipping = true
                    hasPendingError = true
                }
            }
            guard end != nil else { break }
            if isSkipping {
                isSkipping = false
            } else {
                if partial.last == UInt8(ascii: "\r") { partial.removeLast() }
                if !partial.isEmpty { lines.append(partial) }
            }
            partial = []
            if hasPendingError { break }
        }
        guard hasPendingError else { return lines }
        unread = Array(bytes[start...])
        guard lines.isEmpty else { return lines }
        hasPendingError = false
        throw .lineTooLong(limit: limit)
    }
}
