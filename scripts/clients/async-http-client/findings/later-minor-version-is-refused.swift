// AsyncHTTPClient refuses a response of HTTP/1.2.
//
// RFC 9110 §6.2: "A recipient that receives a message with a major version number that it implements and a minor version number higher than what it
// implements SHOULD process the message as if it were in the highest minor version within that major version to which the recipient is conformant."
//
// Run: ./run later-minor-version-is-refused. Exit status 1 while the defect is there.
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
            "HTTP/1.2 200 OK\r\nContent-Length: 2\r\n\r\nok"
        ])
        let port = try await server.start()
        let client = HTTPClient()
        let result: String
        do {
            let response = try await client.execute(HTTPClientRequest(url: "http://127.0.0.1:\(port)/"), timeout: .seconds(5))
            result = String(buffer: try await response.body.collect(upTo: 1_000))
        } catch { result = "\(error)" }
        print("AsyncHTTPClient 1.37.0: \(result)")
        let isRight = result == "ok"
        exit(isRight ? 0 : 1)
    }
}
