// AsyncHTTPClient fails on the response to HEAD, and on a 204, if it has Content-Encoding and decompression is enabled.
//
// RFC 9112 §6.3: "Any response to a HEAD request and any response with a 1xx (Informational), 204 (No Content), or 304 (Not Modified) status code is
// always terminated by the first empty line after the header fields, regardless of the header fields present in the message, and thus cannot
// contain a message body or trailer section."
//
// Run: ./run no-body-is-decoded. Exit status 1 while the defect is there.
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
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
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 40\r\n\r\n", "HTTP/1.1 204 No Content\r\nContent-Encoding: gzip\r\n\r\n",
        ])
        let port = try await server.start()
        let client = HTTPClient(configuration: HTTPClient.Configuration(decompression: .enabled(limit: .none)))
        var isRight = true
        for method in ["HEAD", "GET"] {
            var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/")
            request.method = .init(rawValue: method)
            do {
                let response = try await client.execute(request, timeout: .seconds(5))
                _ = try await response.body.collect(upTo: 1_000)
                print("AsyncHTTPClient 1.37.0: \(method): status \(response.status.code)")
            } catch {
                print("AsyncHTTPClient 1.37.0: \(method): \(error)")
                isRight = false
            }
        }
        exit(isRight ? 0 : 1)
    }
}
