import NIOCore

/// Reads along what a client of HTTP/2 sends, for what NIO does not say: that it has ended a stream, or the connection, by itself.
struct HTTP2SentFrames {
    enum Frame: Equatable {
        /// RST_STREAM
        case reset(stream: Int, code: Int)
        /// GOAWAY
        case goAway
    }

    /// Bytes that are of no interest; first the preface (RFC 9113 §3.4).
    private var passing = 24
    /// The header of a frame, and of RST_STREAM its code.
    private var head: [UInt8] = []

    mutating func sent(_ bytes: ByteBufferView) -> [Frame] {
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

    /// A header is whole, or the code behind it.
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
