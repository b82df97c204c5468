// AsyncHTTPClient takes bytes after a complete response for the beginning of the response to the next request.
//
// RFC 9112 §6.3: "A client MUST NOT process, cache, or forward such extra data as a separate response, since such behavior would be vulnerable to
// cache poisoning."
//
// Run: ./run surplus-bytes-are-the-next-response. Exit status 1 while the defect is there.
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
        let server = Server([
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\noneHTTP/1.1 203 Forged\r\nSet-Cookie: forged=1\r\nX-Forged: ", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\ntwo",
        ])
        let port = try await server.start()
        let client = HTTPClient()
        let first = try await client.execute(HTTPClientRequest(url: "http://127.0.0.1:\(port)/a"), timeout: .seconds(5))
        _ = try await first.body.collect(upTo: 1_000)
        let second = try await client.execute(HTTPClientRequest(url: "http://127.0.0.1:\(port)/b"), timeout: .seconds(5))
        print("AsyncHTTPClient 1.37.0: the response to /b: status \(second.status.code), Set-Cookie \(second.headers["Set-Cookie"])")
        let isRight = second.status == .ok && second.headers["Set-Cookie"].isEmpty
        exit(isRight ? 0 : 1)
    }
}
