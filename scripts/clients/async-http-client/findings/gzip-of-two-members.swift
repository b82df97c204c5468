// AsyncHTTPClient fails on a gzip body of two members.
//
// RFC 9110 §8.4.1.3: the "gzip" coding is the format of RFC 1952. RFC 1952 §2.2: "A gzip file consists of a series of "members" (compressed data
// sets)." "The members simply appear one after another in the file, with no additional information before, between, or after them."
//
// Run: ./run gzip-of-two-members. Exit status 1 while the defect is there.
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
        // "one, " and "two", each a member.
        let coded = Data(base64Encoded: "H4sIAAAAAAACA8vPS9VRAAAc1fpKBQAAAB+LCAAAAAAAAgMrKc8HAGaKyhEDAAAA")!
        let server = Server([Data("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(coded.count)\r\n\r\n".utf8) + coded])
        let port = try await server.start()
        let client = HTTPClient(configuration: HTTPClient.Configuration(decompression: .enabled(limit: .none)))
        let result: String
        do {
            let response = try await client.execute(HTTPClientRequest(url: "http://127.0.0.1:\(port)/"), timeout: .seconds(5))
            result = String(buffer: try await response.body.collect(upTo: 1_000))
        } catch { result = "\(error)" }
        print("AsyncHTTPClient 1.37.0: a body of two members: \(result)")
        exit(result == "one, two" ? 0 : 1)
    }
}
