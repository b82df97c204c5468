// AsyncHTTPClient removes one of two codings and delivers the rest as the body, without an error.
//
// RFC 9110 §8.4: "If one or more encodings have been applied to a representation, the sender that applied the encodings MUST generate a
// Content-Encoding header field that lists the content codings in the order in which they were applied." The request of AsyncHTTPClient accepts
// both. A client that does not decode a list of codings can leave the body as it is, with its Content-Encoding; this one is neither.
//
// Run: ./run one-of-two-codings-is-decoded. Exit status 1 while the defect is there.
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOPosix

/// Each request gets the next response; only the event loop of the server uses this.
final class Server: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    private var responses: [Data]
    init(_ responses: [Data]) { self.responses = responses }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let text = String(buffer: unwrapInboundIn(data))
        guard text.contains(" HTTP/1.1\r\n"), !responses.isEmpty else { return }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: responses.removeFirst())), promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

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
        // "plain plain plain plain", first in the zlib format, then in gzip.
        let coded = Data(base64Encoded: "H4sIAAAAAAACA6uYo33C88yZYA0HdcaMYo6NAO41iHAQAAAA")!
        let server = Server([Data("HTTP/1.1 200 OK\r\nContent-Encoding: deflate, gzip\r\nContent-Length: \(coded.count)\r\n\r\n".utf8) + coded])
        let port = try await server.start()
        let client = HTTPClient(configuration: HTTPClient.Configuration(decompression: .enabled(limit: .none)))
        let response = try await client.execute(HTTPClientRequest(url: "http://127.0.0.1:\(port)/"), timeout: .seconds(5))
        let body = Data((try await response.body.collect(upTo: 1_000)).readableBytesView)
        print("AsyncHTTPClient 1.37.0: \(coded.count) coded bytes, \(body.count) delivered: \(String(decoding: body, as: UTF8.self))")
        let isRight = body == coded || body == Data("plain plain plain plain".utf8)
        exit(isRight ? 0 : 1)
    }
}
