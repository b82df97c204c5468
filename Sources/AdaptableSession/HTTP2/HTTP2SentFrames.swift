package import NIOCore

/// Parses the frames that an HTTP/2 client sends, to detect what NIO does not report: that it ended a stream or the
/// connection itself.
package struct HTTP2SentFrames {
    package enum Frame: Equatable {
        /// A RST_STREAM frame.
        case reset(stream: Int, code: Int)
        /// A GOAWAY frame.
        case goAway
    }

    /// Bytes to skip; first the connection preface (RFC 9113 §3.4).
    private var passing = 24
    /// The header of a frame, and for RST_STREAM also its error code.
    private var head: [UInt8] = []

    package init() {}

    package mutating func sent(_ bytes: ByteBufferView) -> [Frame] {
        var words: [Frame] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            if passing > 0 {
                let passed = rest.prefix(passing).count
                passing -= passed
                rest = rest.dropFirst(passed)
                continue
            }
            let wanted = head.count >= 9 ? 13 : 9
            let part = rest.prefix(wanted - head.count)
            head += part
            rest = rest.dropFirst(part.count)
            guard head.count == wanted else { break }
            if let word = nextFrame() { words.append(word) }
        }
        return words
    }

    /// Handles a complete frame header, or the error code that follows it.
    private mutating func nextFrame() -> Frame? {
        let length = number(0..<3)
        let isReset = head[3] == 3
        if isReset, head.count == 9, length == 4 { return nil }
        let word: Frame? =
            if isReset, head.count == 13 {
                .reset(stream: number(5..<9) & 0x7FFF_FFFF, code: number(9..<13))
            } else if head[3] == 7 {
                .goAway
            } else {
                nil
            }
        passing = length - (head.count - 9)
        head = []
        return word
    }

    private func number(_ range: Range<Int>) -> Int { head[range].reduce(0) { $0 << 8 | Int($1) } }
}
