import NIOCore
import Testing

@testable import AdaptableSession

/// Each byte sequence is also passed one byte at a time: NIO writes header and payload separately and guarantees no
/// other boundaries.
@Suite struct HTTP2SentFramesTests {
    private func frame(_ kind: UInt8, stream: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [0, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF), kind, 0, 0, 0, 0, stream] + payload
    }

    private func words(_ bytes: [UInt8]) -> [HTTP2SentFrames.Frame] {
        let all = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + bytes
        var whole = HTTP2SentFrames()
        let words = whole.sent(ByteBuffer(bytes: all).readableBytesView)
        var cut = HTTP2SentFrames()
        #expect(all.flatMap { cut.sent(ByteBuffer(bytes: [$0]).readableBytesView) } == words)
        return words
    }

    @Test func `resets and the end of the connection are reported in order`() {
        let sent =
            frame(4, stream: 0, [0, 2, 0, 0, 0, 0]) + frame(1, stream: 1, [0x82]) + frame(3, stream: 1, [0, 0, 0, 1])
        #expect(words(sent) == [.reset(stream: 1, code: 1)])
        #expect(
            words(sent + frame(7, stream: 0, [0, 0, 0, 0, 0, 0, 0, 0]) + frame(3, stream: 3, [0, 0, 1, 8])) == [
                .reset(stream: 1, code: 1), .goAway, .reset(stream: 3, code: 264),
            ])
    }

    @Test func `the content of a body is not parsed as a frame`() {
        let forged = frame(3, stream: 5, [0, 0, 0, 1]) + frame(7, stream: 0, [0, 0, 0, 0, 0, 0, 0, 0])
        #expect(words(frame(0, stream: 1, forged)).isEmpty)
        #expect(
            words(
                frame(0, stream: 1, Array(repeating: 7, count: 1000)) + frame(0, stream: 1, [])
                    + frame(3, stream: 1, [0, 0, 0, 8])) == [
                    .reset(stream: 1, code: 8)
                ])
    }
}
