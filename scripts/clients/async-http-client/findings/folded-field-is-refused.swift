// AsyncHTTPClient fails on a response with a folded field line.
//
// RFC 9112 §5.2: "A user agent that receives an obs-fold in a response message that is not within a "message/http" container MUST replace each
// received obs-fold with one or more SP octets prior to interpreting the field value."
//
// Run: ./run folded-field-is-refused. Exit status 1 while the defect is there.
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
            "HTTP/1.1 200 OK\r\nX-Folded: one\r\n two\r\nContent-Length: 2\r\n\r\nok"
        ])
        let port = try await server.start()
        let client = HTTPClient()
        let result: String
        do {
            let response = try await client.execute(HTTPClientRequest(url: "http://127.0.0.1:\(port)/"), timeout: .seconds(5))
            result = response.headers.first(name: "X-Folded") ?? "no field"
        } catch { result = "\(error)" }
        print("AsyncHTTPClient 1.37.0: X-Folded: \(result)")
        let isRight = result.split(separator: " ") == ["one", "two"]
        exit(isRight ? 0 : 1)
    }
}
