package import NIOCore

/// Counts the frames of an HTTP/2 server that do not advance an exchange, and records when it sent anything.
///
/// NIO has separate limits for PING, SETTINGS, PRIORITY, RST_STREAM, CONTINUATION and empty DATA, but not for
/// WINDOW_UPDATE, GOAWAY, frames of unknown types and their length. It does not limit header blocks either, which flow
/// control does not hold back from a stream that does not read.
package struct HTTP2ReceivedFrames {
    private enum Kind: UInt8 {
        case data = 0
        case headers = 1
        case reset = 3
        case continuation = 9
    }

    /// The number of bytes in frames that do not advance an exchange which may arrive within `window`, in addition to two
    /// for each byte sent: some 40,000 WINDOW_UPDATEs, or 20,000 PINGs and as much again.
    private static let controlBytesTaken: Int64 = 512 * 1024
    /// Nanoseconds: the same period as NIO uses for its own limits.
    private static let window: Int64 = 30_000_000_000

    /// The remaining bytes of the current frame's payload.
    private var passing = 0
    private var head: [UInt8] = []
    private var windowStart: Int64
    /// The time at which the last bytes arrived; nil while nothing has arrived since the handshake.
    private var lastArrival: Int64?
    /// Bytes of control frames in the current period.
    private var controlBytes: Int64 = 0
    private var sentInWindow: Int64 = 0
    private var sent: Int64 = 0
    /// The number of header blocks of each stream that has not ended.
    private var blocks: [Int: Int] = [:]

    package init(now: Int64) {
        windowStart = now
    }

    /// Returns true if nothing has arrived on any stream since `time`. A path that drops every packet closes no
    /// connection, so silence is the only sign of it. A server that has not even sent its SETTINGS is silent.
    func isSilent(since time: Int64) -> Bool { lastArrival.map { $0 < time } ?? true }

    /// Counts bytes that this side sends. A server may respond to each of them: with WINDOW_UPDATE for a body, and with
    /// 104 as it is stored.
    mutating func sent(_ count: Int) {
        sent += Int64(count)
        sentInWindow += Int64(count)
    }

    mutating func ended(stream: Int) { blocks[stream] = nil }

    /// Returns what is wrong with a connection that has received too many such frames.
    package mutating func received(_ bytes: ByteBufferView, now: Int64) -> String? {
        lastArrival = now
        if now - windowStart > HTTP2ReceivedFrames.window {
            windowStart = now
            controlBytes = 0
            sentInWindow = 0
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            if passing > 0 {
                let passed = min(passing, rest.count)
                passing -= passed
                rest = rest.dropFirst(passed)
                continue
            }
            let part = rest.prefix(9 - head.count)
            head += part
            rest = rest.dropFirst(part.count)
            guard head.count == 9 else { break }
            passing = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            if let fault = take() { return fault }
            head.removeAll(keepingCapacity: true)
        }
        return nil
    }

    /// Handles a complete frame header.
    private mutating func take() -> String? {
        let stream = head[5..<9].reduce(0) { $0 << 8 | Int($1) } & 0x7FFF_FFFF
        let endsStream = head[4] & 1 != 0
        switch Kind(rawValue: head[3]) {
        case .data: if endsStream { blocks[stream] = nil }
        case .headers:
            blocks[stream, default: 0] += 1
            // The final head and the trailers are two more blocks.
            let most = Int64(ResponseLimits.informationalResponses + 2) + sent / ResponseLimits.requestPart
            if blocks[stream, default: 0] > most {
                return "the server sends too many header blocks on one stream"
            }
            if endsStream { blocks[stream] = nil }
        // The continuation of a header block.
        case .continuation: break
        case .reset, nil:
            if head[3] == Kind.reset.rawValue { blocks[stream] = nil }
            controlBytes += Int64(9 + passing)
            // Twice as much as was sent: two WINDOW_UPDATEs (26 bytes) may follow a frame of one byte (10 bytes).
            if controlBytes > HTTP2ReceivedFrames.controlBytesTaken + 2 * sentInWindow {
                return "the server sends too many control frames"
            }
        }
        return nil
    }
}
