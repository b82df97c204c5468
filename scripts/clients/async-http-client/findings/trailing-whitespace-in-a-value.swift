// AsyncHTTPClient keeps the whitespace after a field value.
//
// RFC 9112 §5.1: "The field line value does not include that leading or trailing whitespace: OWS occurring before the first non-whitespace octet
// of the field line value, or after the last non-whitespace octet of the field line value, is excluded by parsers when extracting the field line
// value from a field line."
//
// Run: ./run trailing-whitespace-in-a-value. Exit status 1 while the defect is there.
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
            "HTTP/1.1 200 OK\r\nX-Wide:  2 \t \r\nContent-Length: 2\r\n\r\nok"
        ])
        let port = try await server.start()
        let client = HTTPClient()
        let response = try await client.execute(HTTPClientRequest(url: "http://127.0.0.1:\(port)/"), timeout: .seconds(5))
        let value = response.headers.first(name: "X-Wide")
        print("AsyncHTTPClient 1.37.0: X-Wide: \(String(reflecting: value))")
        let isRight = value == "2"
        exit(isRight ? 0 : 1)
    }
}
