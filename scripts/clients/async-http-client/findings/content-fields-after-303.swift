// AsyncHTTPClient keeps Content-Language when a redirect turns a POST into a GET.
//
// RFC 9110 §15.4: the user agent SHOULD resend the original request with modifications, of which the fifth is: "If the request method has been
// changed to GET or HEAD, remove content-specific header fields, including (but not limited to) Content-Encoding, Content-Language,
// Content-Location, Content-Type, Content-Length, Digest, Last-Modified."
//
// Run: ./run content-fields-after-303. Exit status 1 while the defect is there.
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
        let server = Server(["HTTP/1.1 303 See Other\r\nLocation: http://127.0.0.1:\(other)/b\r\nContent-Length: 0\r\n\r\n"])
        let port = try await server.start()
        let client = HTTPClient()
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/a")
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "text/plain")
        request.headers.add(name: "Content-Language", value: "de")
        request.body = .bytes(ByteBuffer(string: "hallo"))
        _ = try await client.execute(request, timeout: .seconds(5))
        let received = try await target.received()
        let isRight = !received.lowercased().contains("content-")
        print("AsyncHTTPClient 1.37.0: the request after the 303:\n\(received)")
        exit(isRight ? 0 : 1)
    }
}
