// AsyncHTTPClient repeats the request's own Host field at the target of a redirect, another host.
//
// RFC 9112 §3.2: "If the target URI includes an authority component, then a client MUST send a field value for Host that is identical to that
// authority component, excluding any userinfo subcomponent and its "@" delimiter".
//
// Run: ./run host-field-after-redirect. Exit status 1 while the defect is there.
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOPosix

/// Each request gets the next response; only the event loop of the server uses this.
final class Server: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    private var responses: [String]
    private var requests = ""
    init(_ responses: [String]) { self.responses = responses }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let text = String(buffer: unwrapInboundIn(data))
        requests += text
        // A body may arrive by itself.
        guard text.contains(" HTTP/1.1\r\n"), !responses.isEmpty else { return }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: responses.removeFirst())), promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    /// Returns what was received.
    func received() async throws -> String { try await Server.loop.submit { self.requests }.get() }

    static let loop = MultiThreadedEventLoopGroup.singleton.next()

    /// Returns the port.
    func start() async throws -> Int {
        let listener = try await ServerBootstrap(group: Server.loop).childChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(self) }
        }.bind(host: "127.0.0.1", port: 0).get()
        return listener.localAddress!.port!
    }
}

@main
enum Main {
    static func main() async throws {
        let target = Server(["HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"])
        let other = try await target.start()
        let server = Server(["HTTP/1.1 302 Found\r\nLocation: http://localhost:\(other)/b\r\nContent-Length: 0\r\n\r\n"])
        let port = try await server.start()
        let client = HTTPClient()
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/a")
        request.headers.add(name: "Host", value: "own.example")
        _ = try await client.execute(request, timeout: .seconds(5))
        let received = try await target.received()
        let isRight = !received.contains("own.example")
        print("AsyncHTTPClient 1.37.0: the request to localhost:\(other):\n\(received)")
        exit(isRight ? 0 : 1)
    }
}
