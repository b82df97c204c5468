import NIOCore
import NIOHPACK
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import Testing

@testable import AdaptableSession

/// The client's handling of streams, resets and GOAWAY, against NIO's server implementation over the loopback without
/// TLS.
@Suite struct HTTP2ConnectionTests {
    /// A server's handling of one stream.
    enum Behaviour: Sendable {
        case answers, refuses, resets, goesAway, closes
        case says(status: String)
    }

    private final class Server: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame.FramePayload
        typealias OutboundOut = HTTP2Frame.FramePayload

        let behaviour: Behaviour
        let connection: any Channel

        init(_ behaviour: Behaviour, _ connection: any Channel) {
            self.behaviour = behaviour
            self.connection = connection
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .headers(let request) = unwrapInboundIn(data) else { return }
            switch behaviour {
            case .answers:
                let early = HPACKHeaders([(":status", "103"), ("link", "</a>")])
                let head = HPACKHeaders([
                    (":status", "200"), ("x-authority", request.headers.first(name: ":authority") ?? ""),
                ])
                context.write(wrapOutboundOut(.headers(.init(headers: early))), promise: nil)
                context.write(wrapOutboundOut(.headers(.init(headers: head))), promise: nil)
                let body = ByteBuffer(string: request.headers.first(name: ":path") ?? "")
                context.writeAndFlush(
                    wrapOutboundOut(.data(.init(data: .byteBuffer(body), endStream: true))), promise: nil)
            case .refuses: context.writeAndFlush(wrapOutboundOut(.rstStream(.refusedStream)), promise: nil)
            case .resets: context.writeAndFlush(wrapOutboundOut(.rstStream(.internalError)), promise: nil)
            case .goesAway:
                let frame = HTTP2Frame(
                    streamID: .rootStream,
                    payload: .goAway(lastStreamID: .rootStream, errorCode: .noError, opaqueData: nil))
                connection.writeAndFlush(frame, promise: nil)
            case .closes: connection.close(promise: nil)
            case .says(let status):
                let head = HPACKHeaders([(":status", status), ("content-length", "0")])
                context.writeAndFlush(wrapOutboundOut(.headers(.init(headers: head, endStream: true))), promise: nil)
            }
        }
    }

    private final class Receiver: ExchangeReceiver {
        var words: [String] = []
        let done: EventLoopPromise<[String]>
        init(_ done: EventLoopPromise<[String]>) { self.done = done }

        func exchange(informational head: HTTPResponseHead) { words.append("\(head.status.code)") }
        func exchange(head: HTTPResponseHead) {
            words.append("\(head.status.code) \(head.headers.first(name: "x-authority") ?? "")")
        }
        func exchange(body: ByteBuffer) { words.append(String(buffer: body)) }
        func exchangeEnded(trailers: HTTPHeaders?) {
            words.append("end")
            done.succeed(words)
        }
        func exchangeFailed(_ failure: TransportFailure) {
            words.append(Self.word(failure))
            done.succeed(words)
        }

        static func word(_ failure: TransportFailure) -> String {
            switch failure {
            case .streamRefused: "refused"
            case .goneAway: "gone away"
            case .lost: "lost"
            case .reset: "reset"
            default: "\(failure)"
            }
        }
    }

    /// Sends one request for each path over one connection and returns their results.
    private func exchange(_ behaviour: Behaviour, paths: [String]) async throws -> (words: [[String]], events: [String])
    {
        let group = MultiThreadedEventLoopGroup.singleton
        let server = try await ServerBootstrap(group: group).childChannelInitializer { channel in
            channel.configureHTTP2Pipeline(mode: .server) { stream in
                stream.eventLoop.makeCompletedFuture {
                    try stream.pipeline.syncOperations.addHandler(Server(behaviour, channel))
                }
            }.map { _ in }
        }.bind(host: "127.0.0.1", port: 0).get()
        let loop = group.any()
        let address = try #require(server.localAddress)
        let client = try await ClientBootstrap(group: loop).channelOption(.autoRead, value: false).connect(to: address)
            .get()
        let all = loop.makePromise(of: (words: [[String]], events: [String]).self)
        loop.execute {
            var events: [String] = []
            do {
                let connection = try HTTP2Connection(on: client, isSecure: false, policy: HTTP2Policy()) { event in
                    switch event {
                    case .streamLimit: events.append("limit")
                    case .goingAway: events.append("going away")
                    case .closed: events.append("closed")
                    }
                }
                let answers = paths.map { path in
                    let promise = loop.makePromise(of: [String].self)
                    connection.open { result in
                        switch result {
                        case .success(let stream):
                            let receiver = Receiver(promise)
                            PendingResponse(stream.handler).begin(receiver)
                            var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path)
                            head.headers.add(name: "Host", value: "a.test")
                            stream.handler.send(head)
                            stream.handler.sendEnd()
                            // The receiver lives as long as its exchange.
                            promise.futureResult.assumeIsolated().whenComplete { _ in
                                withExtendedLifetime((receiver, connection)) { stream.channel.close(promise: nil) }
                            }
                        case .failure(let failure): promise.succeed([Receiver.word(failure)])
                        }
                    }
                    return promise.futureResult
                }
                EventLoopFuture.whenAllSucceed(answers, on: loop).assumeIsolated().whenSuccess { words in
                    // Events sent at the same time have arrived by then.
                    loop.assumeIsolated().execute { withExtendedLifetime(connection) { all.succeed((words, events)) } }
                }
            } catch {
                all.fail(error)
            }
        }
        let result = try await all.futureResult.get()
        try? await client.close().get()
        try await server.close().get()
        return result
    }

    /// NIO's codec creates an unsigned number from any text that Int can parse, and relies on a first digit.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            "-1", "-9223372036854775808", "9223372036854775807", "+200", "0", "99", "1000", "", "20O", "200,200",
        ])
    func `a status that is not three digits is not HTTP`(_ status: String) async throws {
        let (words, _) = try await exchange(.says(status: status), paths: ["/a"])
        #expect(words.count == 1)
        #expect(words[0].count == 1 && words[0][0].contains("malformed"), "\(words)")
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["200", "599", "999"]) func `any status of three digits is accepted`(
        _ status: String
    ) async throws {
        let (words, _) = try await exchange(.says(status: status), paths: ["/a"])
        #expect(words == [["\(status) ", "end"]])
    }

    @Test(.timeLimit(.minutes(1)))
    func `many streams share a connection, each with its own response and informational responses`() async throws {
        let paths = (0..<20).map { "/\($0)" }
        let (words, events) = try await exchange(.answers, paths: paths)
        #expect(words == paths.map { ["103", "200 a.test", $0, "end"] })
        #expect(events == ["limit"])
    }

    @Test(.timeLimit(.minutes(1))) func `a refused stream is distinguished from a reset one`() async throws {
        let refused = try await exchange(.refuses, paths: ["/"])
        #expect(refused.words == [["refused"]])
        let reset = try await exchange(.resets, paths: ["/"])
        #expect(reset.words == [["reset"]])
    }

    @Test(.timeLimit(.minutes(1))) func `GOAWAY below a stream means that it was not processed`() async throws {
        let (words, events) = try await exchange(.goesAway, paths: ["/"])
        #expect(words == [["gone away"]])
        #expect(events.contains("going away"))
    }

    /// TCP may stay open after the close of TLS, and no response could arrive.
    @Test(.timeLimit(.minutes(1))) func `a connection whose TLS was closed is closed`() async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let server = try await ServerBootstrap(group: group).bind(host: "127.0.0.1", port: 0).get()
        let client = try await ClientBootstrap(group: group).channelOption(.autoRead, value: false)
            .connect(to: try #require(server.localAddress)).get()
        let isClosed = try await client.eventLoop.submit {
            let connection = try HTTP2Connection(on: client, isSecure: true, policy: HTTP2Policy()) { _ in }
            client.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            defer { client.close(promise: nil) }
            return withExtendedLifetime(connection) { !client.isActive }
        }.get()
        #expect(isClosed)
        try await server.close().get()
    }

    @Test(.timeLimit(.minutes(1))) func `a connection that closes ends its streams`() async throws {
        let (words, events) = try await exchange(.closes, paths: ["/", "/a"])
        #expect(words == [["lost"], ["lost"]])
        #expect(events.contains("closed"))
    }
}
