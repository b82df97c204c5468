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
        /// Responds at once and resets the stream with NO_ERROR, as nginx does before the request has ended.
        case answersAndResets
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
            case .answersAndResets:
                context.write(
                    wrapOutboundOut(.headers(.init(headers: HPACKHeaders([(":status", "200")])))), promise: nil)
                // The reset would overtake bytes that are not written yet.
                let written = context.eventLoop.makePromise(of: Void.self)
                let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
                written.futureResult.whenSuccess {
                    let (server, context) = bound.value
                    context.writeAndFlush(server.wrapOutboundOut(.rstStream(.noError)), promise: nil)
                }
                context.writeAndFlush(
                    wrapOutboundOut(.data(.init(data: .byteBuffer(ByteBuffer(string: "body")), endStream: true))),
                    promise: written)
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
        private var isInBody = false
        let done: EventLoopPromise<[String]>
        init(_ done: EventLoopPromise<[String]>) { self.done = done }

        func exchange(informational head: HTTPResponseHead) { words.append("\(head.status.code)") }
        func exchange(head: HTTPResponseHead) {
            words.append("\(head.status.code) \(head.headers.first(name: "x-authority") ?? "")")
        }
        /// A DATA frame arrives in two pieces if a read from the socket ends inside it.
        func exchange(body: ByteBuffer) {
            if isInBody { words[words.count - 1] += String(buffer: body) } else { words.append(String(buffer: body)) }
            isInBody = true
        }
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

    private struct Released {
        weak var handler: NIOHTTP2Handler?
        weak var connection: HTTP2Connection?
    }

    /// Each connection takes 200 KB, and a server closes one every thousand requests.
    private func expectReleased(_ released: NIOLoopBoundBox<Released>, on loop: any EventLoop) async throws {
        // The channel removes its handlers in the next turn, and a stream's channel in the one after.
        for _ in 0..<3 { try await loop.submit {}.get() }
        let (handler, connection) = try await loop.submit {
            (released.value.handler == nil, released.value.connection == nil)
        }.get()
        #expect(connection, "the connection was not released")
        #expect(handler, "NIO's handler was not released")
    }

    /// Sends one request for each path over one connection and returns their results.
    private func exchange(_ behaviour: Behaviour, paths: [String], endsRequests: Bool = true) async throws
        -> (words: [[String]], events: [String])
    {
        let group = MultiThreadedEventLoopGroup.singleton
        let server = try await ServerBootstrap(group: group).childChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                var streams = NIOHTTP2Handler.StreamConfiguration()
                // A client that ends its requests late resets each stream.
                streams.streamResetFrameRateLimit.maximumCount = 10_000
                _ = try channel.pipeline.syncOperations.configureHTTP2Pipeline(
                    mode: .server, connectionConfiguration: NIOHTTP2Handler.ConnectionConfiguration(),
                    streamConfiguration: streams
                ) { stream in
                    stream.eventLoop.makeCompletedFuture {
                        try stream.pipeline.syncOperations.addHandler(Server(behaviour, channel))
                    }
                }
            }
        }.bind(host: "127.0.0.1", port: 0).get()
        let loop = group.any()
        let address = try #require(server.localAddress)
        let client = try await ClientBootstrap(group: loop).channelOption(.autoRead, value: false).connect(to: address)
            .get()
        let all = loop.makePromise(of: (words: [[String]], events: [String]).self)
        let released = NIOLoopBoundBox.makeBoxSendingValue(Released(), eventLoop: loop)
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
                released.value = Released(
                    handler: try client.pipeline.syncOperations.handler(type: NIOHTTP2Handler.self),
                    connection: connection)
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
                            if endsRequests { stream.handler.sendEnd() } else { stream.handler.flush() }
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
        try await expectReleased(released, on: loop)
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

    /// RFC 9113 §8.1: a server that needs no more of a request responds, and resets the stream with NO_ERROR. That is a
    /// success, however many requests a connection serves in this way.
    @Test(.timeLimit(.minutes(1))) func `a server may reset every stream after its response`() async throws {
        let (words, events) = try await exchange(
            .answersAndResets, paths: (0..<300).map { "/\($0)" }, endsRequests: false)
        #expect(words.filter { $0 != ["200 ", "body", "end"] } == [])
        #expect(words.count == 300)
        #expect(events == ["limit"])
    }

    /// RFC 9113 §5.1: what arrives for a stream after its RST_STREAM is ignored, because the server may have sent it
    /// before. An application that scrolls through pictures cancels dozens of streams in one round trip.
    @Test(.timeLimit(.minutes(1))) func `responses to cancelled streams leave the next stream alone`() async throws {
        let cancelled = 500
        let group = MultiThreadedEventLoopGroup.singleton
        let server = try await ServerBootstrap(group: group).childChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(LateServer(after: cancelled))
            }
        }.bind(host: "127.0.0.1", port: 0).get()
        let loop = group.any()
        let client = try await ClientBootstrap(group: loop).channelOption(.autoRead, value: false)
            .connect(to: try #require(server.localAddress)).get()
        let last = loop.makePromise(of: [String].self)
        loop.execute {
            do {
                let connection = try HTTP2Connection(on: client, isSecure: false, policy: HTTP2Policy()) { _ in }
                Self.cancel(cancelled, on: connection, last)
                last.futureResult.assumeIsolated().whenComplete { _ in withExtendedLifetime(connection) {} }
            } catch { last.fail(error) }
        }
        #expect(try await last.futureResult.get() == ["200 ", "end"])
        try? await client.close().get()
        try await server.close().get()
    }

    /// As a session does when the server sends GOAWAY with the last response.
    @Test(.timeLimit(.minutes(1))) func `a connection that is closed while it is read is released`() async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let server = try await ServerBootstrap(group: group).childChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(LateServer(after: 0, goesAway: true))
            }
        }.bind(host: "127.0.0.1", port: 0).get()
        let loop = group.any()
        let client = try await ClientBootstrap(group: loop).channelOption(.autoRead, value: false)
            .connect(to: try #require(server.localAddress)).get()
        let released = NIOLoopBoundBox.makeBoxSendingValue(Released(), eventLoop: loop)
        let words = try await loop.flatSubmit {
            let promise = loop.makePromise(of: [String].self)
            do {
                let box = NIOLoopBoundBox<HTTP2Connection?>(nil, eventLoop: loop)
                let connection = try HTTP2Connection(on: client, isSecure: false, policy: HTTP2Policy()) { event in
                    guard case .goingAway = event else { return }
                    box.value?.close()
                    box.value = nil
                }
                box.value = connection
                released.value = Released(
                    handler: try client.pipeline.syncOperations.handler(type: NIOHTTP2Handler.self),
                    connection: connection)
                Self.cancel(0, on: connection, promise)
                promise.futureResult.assumeIsolated().whenComplete { _ in withExtendedLifetime(connection) {} }
            } catch { promise.fail(error) }
            return promise.futureResult
        }.get()
        #expect(words == ["200 ", "end"])
        try await expectReleased(released, on: loop)
        try await server.close().get()
    }

    /// Sends this number of requests and cancels each at once, then sends one more and passes on its result.
    private static func cancel(_ count: Int, on connection: HTTP2Connection, _ last: EventLoopPromise<[String]>) {
        connection.open { result in
            guard case .success(let stream) = result else { return last.succeed(["no stream \(count)"]) }
            let receiver = Receiver(count > 0 ? stream.channel.eventLoop.makePromise() : last)
            PendingResponse(stream.handler).begin(receiver)
            receiver.done.futureResult.assumeIsolated().whenComplete { _ in withExtendedLifetime(receiver) {} }
            var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
            head.headers.add(name: "Host", value: "a.test")
            stream.handler.send(head)
            stream.handler.sendEnd()
            guard count > 0 else { return }
            stream.channel.close(promise: nil)
            receiver.done.succeed([])
            cancel(count - 1, on: connection, last)
        }
    }

    /// Responds to every stream once it has read this number of RST_STREAM frames and the request after them.
    private final class LateServer: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let resets: Int
        private let goesAway: Bool
        private var seen = 0
        private var input = ByteBuffer()
        private var hasPreface = false

        init(after resets: Int, goesAway: Bool = false) {
            self.resets = resets
            self.goesAway = goesAway
        }

        func channelActive(context: ChannelHandlerContext) {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: [0, 0, 0, 4, 0, 0, 0, 0, 0])), promise: nil)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            input.writeImmutableBuffer(unwrapInboundIn(data))
            if !hasPreface {
                guard input.readBytes(length: 24) != nil else { return }
                hasPreface = true
            }
            while let head = input.getBytes(at: input.readerIndex, length: 9) {
                let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
                guard input.readSlice(length: 9 + length) != nil else { return }
                if head[3] == 3 { seen += 1 }
                guard head[3] == 1, seen == resets else { continue }
                var output = ByteBuffer()
                for stream in stride(from: UInt32(1), through: UInt32(2 * resets + 1), by: 2) {
                    // HEADERS with END_STREAM and END_HEADERS: ":status: 200".
                    output.writeBytes([0, 0, 1, 1, 5])
                    output.writeInteger(stream)
                    output.writeBytes([0x88])
                }
                // GOAWAY with this stream as the last one, and NO_ERROR.
                if goesAway { output.writeBytes([0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]) }
                context.writeAndFlush(wrapOutboundOut(output), promise: nil)
            }
        }
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
        try await client.eventLoop.submit {
            let connection = try HTTP2Connection(on: client, isSecure: true, policy: HTTP2Policy()) { _ in }
            client.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            client.closeFuture.assumeIsolated().whenComplete { _ in withExtendedLifetime(connection) {} }
        }.get()
        try await client.closeFuture.get()
        try await server.close().get()
    }

    @Test(.timeLimit(.minutes(1))) func `a connection that closes ends its streams`() async throws {
        let (words, events) = try await exchange(.closes, paths: ["/", "/a"])
        #expect(words == [["lost"], ["lost"]])
        #expect(events.contains("closed"))
    }
}
