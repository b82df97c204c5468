import NIOCore
import NIOEmbedded
import Testing

@testable import AdaptableSession

@Suite struct StreamHandlerTests {
    private final class Receiver: StreamReceiver {
        var ends = 0
        func received(_ bytes: ByteBuffer) {}
        func readMore() {}
        func inputEnded() { ends += 1 }
        func broke(_ failure: TransportFailure) {}
    }

    /// TLS keeps a connection open after its task was cancelled, until its last bytes were sent.
    @Test func `a connection may outlive its task`() throws {
        var receiver: Receiver? = Receiver()
        let handler = StreamHandler(try #require(receiver))
        let channel = EmbeddedChannel(handler: handler)
        channel.pipeline.fireChannelInactive()
        #expect(receiver?.ends == 1)
        weak let gone = receiver
        receiver = nil
        #expect(gone == nil)
        try channel.writeInbound(ByteBuffer(string: "late"))
        channel.pipeline.fireErrorCaught(ChannelError.ioOnClosedChannel)
        channel.pipeline.fireChannelInactive()
    }
}
