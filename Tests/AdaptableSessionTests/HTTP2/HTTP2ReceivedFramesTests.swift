import NIOCore
import Testing

@testable import AdaptableSession

@Suite struct HTTP2ReceivedFramesTests {
    /// Part of a frame header is enough: any byte proves that the path still works.
    @Test func `a connection is silent since the last byte that arrived`() {
        var frames = HTTP2ReceivedFrames(now: 10)
        frames.sent(100)
        // The request timer may have started before the connection was open, and not even SETTINGS have arrived since.
        #expect(frames.isSilent(since: 9))
        let failure = frames.received(ByteBuffer(bytes: [0, 0, 8]).readableBytesView, now: 20)
        #expect(failure == nil)
        #expect(!frames.isSilent(since: 20))
        #expect(frames.isSilent(since: 21))
    }
}
