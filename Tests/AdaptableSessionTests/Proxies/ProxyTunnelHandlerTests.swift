import NIOCore
import NIOEmbedded
import Testing

@testable import AdaptableSession

@Suite struct ProxyTunnelHandlerTests {
    /// The receiver inside the tunnel.
    private final class Inside: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        var text = ""
        func channelRead(context: ChannelHandlerContext, data: NIOAny) { text += String(buffer: unwrapInboundIn(data)) }
    }

    private final class Outcome {
        var words: [String] = []
        let inside = Inside()
    }

    private func channel(_ server: ProxyServer, _ outcome: Outcome, isConnected: Bool = true) throws -> EmbeddedChannel
    {
        let channel = EmbeddedChannel()
        if isConnected { try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 8080)).wait() }
        let handler = ProxyTunnelHandler(server, host: "api.test", port: 443, fields: ["X-A": "1"]) {
            [unowned channel] result in
            switch result {
            case .success:
                outcome.words.append("open")
                do { try channel.pipeline.syncOperations.addHandler(outcome.inside) } catch {
                    outcome.words.append("\(error)")
                }
            case .failure(let failure): outcome.words.append("\(failure)")
            }
        }
        try channel.pipeline.syncOperations.addHandler(handler)
        return channel
    }

    private func sent(_ channel: EmbeddedChannel) throws -> [String] {
        var texts: [String] = []
        while let buffer = try channel.readOutbound(as: ByteBuffer.self) { texts.append(String(buffer: buffer)) }
        return texts
    }

    private let proxy = ProxyServer(kind: .http, host: "proxy.test", port: 8080)
    private let request = "CONNECT api.test:443 HTTP/1.1\r\nHost: api.test:443\r\nX-A: 1\r\n\r\n"

    /// NIO completes a connect before the channel becomes active.
    @Test(arguments: [true, false]) func `the tunnel is requested once, whichever event comes first`(
        _ isConnected: Bool
    )
        throws
    {
        let outcome = Outcome()
        let channel = try channel(proxy, outcome, isConnected: isConnected)
        if !isConnected { try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 8080)).wait() }
        channel.pipeline.fireChannelActive()
        #expect(try sent(channel) == [request])
    }

    @Test func `bytes with the proxy's response and later ones are passed to the protocol inside the tunnel`() throws {
        let outcome = Outcome()
        let channel = try channel(proxy, outcome)
        try channel.writeInbound(ByteBuffer(string: "HTTP/1.1 200 OK\r\n\r\nabc"))
        try channel.writeInbound(ByteBuffer(string: "def"))
        #expect(outcome.words == ["open"])
        #expect(outcome.inside.text == "abcdef")
        #expect(throws: (any Error).self) { try channel.pipeline.syncOperations.handler(type: ProxyTunnelHandler.self) }
    }

    @Test func `a refusal and a close are reported once`() throws {
        let refused = Outcome()
        let first = try channel(proxy, refused)
        try first.writeInbound(ByteBuffer(string: "HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n"))
        first.pipeline.fireChannelInactive()
        #expect(refused.words == ["the proxy requires credentials"])
        let closed = Outcome()
        let second = try channel(proxy, closed)
        second.pipeline.fireChannelInactive()
        #expect(closed.words == ["the proxy closed the connection instead of opening the tunnel"])
    }

    @Test func `a SOCKS proxy gets a SOCKS handshake`() throws {
        let outcome = Outcome()
        let channel = try channel(ProxyServer(kind: .socks5, host: "socks.test", port: 1080), outcome)
        try channel.writeInbound(ByteBuffer(bytes: [5, 0]))
        try channel.writeInbound(ByteBuffer(bytes: [5, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0x61]))
        #expect(outcome.words == ["open"])
        #expect(outcome.inside.text == "a")
    }
}
