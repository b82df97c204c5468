import COpenSSL
import Glibc
import NIOCore
import NIOHPACK
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import OpenSSLTLS
import Synchronization
import TLSTestKit
import Testing

@testable import AdaptableSession

/// A server closes an idle connection while the client's event loop is busy, and then the next POST starts: the kernel
/// has received the close and the loop has not. One task blocks the loop from before the close until the POST has
/// looked for a connection, and `poll` shows that the close has arrived, so nothing depends on timing. Without the
/// check every case sends the POST into the dead connection.
@Suite struct ConnectionReuseTests {
    enum Ending: Sendable {
        case fin, reset, unaskedAnswer, goAway
        /// A session ticket, on a TLS connection that stays open.
        case ticket
        case ticketThenFin, ticketThenUnaskedAnswer
    }

    struct Outcome: Equatable, Sendable {
        var connection: Int
        var isReused: Bool
        var words: [String]
    }

    @Test(.timeLimit(.minutes(1)), arguments: [Ending.fin, .reset, .unaskedAnswer])
    func `a POST is not sent on a connection whose close the loop has not read yet`(_ ending: Ending)
        async throws
    {
        try await expectReplacement(.plain, ending)
    }

    @Test(.timeLimit(.minutes(1)), arguments: [Ending.fin, .unaskedAnswer, .ticketThenFin, .ticketThenUnaskedAnswer])
    func `a POST is not sent on a TLS connection whose close the loop has not read yet`(_ ending: Ending)
        async throws
    {
        try await expectReplacement(.tls, ending)
    }

    @Test(.timeLimit(.minutes(1)), arguments: [Server.Wire.tls, .http2])
    func `a session ticket that the loop has not read yet does not replace a TLS connection`(_ wire: Server.Wire)
        async throws
    {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let (client, server) = try await make(wire, group)
        _ = try await client.loop.flatSubmit { client.post() }.get()
        for _ in 0..<2 {
            let next = try await client.loop.flatSubmit {
                server.end(.ticket)
                client.awaitInput()
                return client.post()
            }.get()
            #expect(next == Outcome(connection: 1, isReused: true, words: ["200", "end"]))
        }
        #expect(server.connections.count == 1)
        try await client.loop.submit { client.abandon() }.get()
        try await group.shutdownGracefully()
    }

    @Test(.timeLimit(.minutes(1)), arguments: [Ending.fin, .goAway])
    func `a POST opens no stream on an HTTP 2 connection whose close the loop has not read yet`(
        _ ending: Ending
    ) async throws {
        try await expectReplacement(.http2, ending)
    }

    @Test(.timeLimit(.minutes(1)), arguments: Server.Wire.allCases)
    func `a connection without new input is reused`(_ wire: Server.Wire) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let (client, server) = try await make(wire, group)
        for isReused in [false, true, true] {
            let outcome = try await client.loop.flatSubmit { client.post() }.get()
            #expect(outcome == Outcome(connection: 1, isReused: isReused, words: ["200", "end"]))
        }
        #expect(server.connections.count == 1)
        try await client.loop.submit { client.abandon() }.get()
        try await group.shutdownGracefully()
    }

    /// The second exchange times out, with silence since the given time on the connection's clock.
    @Test(.timeLimit(.minutes(1)), arguments: [(since: Int64.max, connection: 2), (since: 0, connection: 1)])
    func `an HTTP 2 connection that was silent until a timeout is replaced`(_ silence: (since: Int64, connection: Int))
        async throws
    {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let (client, _) = try await make(.http2, group)
        var outcomes: [Outcome] = []
        for since in [nil, silence.since, nil] {
            outcomes.append(try await client.loop.flatSubmit { client.post(timingOutAfterSilenceSince: since) }.get())
        }
        #expect(
            outcomes == [
                Outcome(connection: 1, isReused: false, words: ["200", "end"]),
                Outcome(connection: 1, isReused: true, words: ["timed out"]),
                Outcome(
                    connection: silence.connection, isReused: silence.connection == 1, words: ["200", "end"]),
            ])
        try await client.loop.submit { client.abandon() }.get()
        try await group.shutdownGracefully()
    }

    /// Each takes 200 KB, and a server closes one every thousand requests.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [(Server.Wire.plain, Ending.fin), (.tls, .fin), (.http2, .fin), (.http2, .goAway)])
    func `a connection that its server ended is released`(_ wire: Server.Wire, _ ending: Ending) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let (client, server) = try await make(wire, group)
        _ = try await client.loop.flatSubmit { client.post() }.get()
        let closed = try await client.loop.submit { try #require(client.lastChannel).closeFuture }.get()
        // Replaces the connection, also where the server leaves it open after GOAWAY. The loop must not read the end before
        // `awaitInput` does.
        _ = try await client.loop.flatSubmit {
            server.end(ending)
            client.awaitInput()
            return client.post()
        }.get()
        try await closed.get()
        // The channel removes its handlers in the next turn.
        let released = try await client.loop.submit {}.flatMap { client.loop.submit { client.firstIsReleased } }.get()
        #expect(released)
        try await client.loop.submit { client.abandon() }.get()
        try await group.shutdownGracefully()
    }

    private func expectReplacement(_ wire: Server.Wire, _ ending: Ending) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let (client, server) = try await make(wire, group)
        #expect(
            try await client.loop.flatSubmit { client.post() }.get()
                == Outcome(connection: 1, isReused: false, words: ["200", "end"]))
        let second = try await client.loop.flatSubmit {
            server.end(ending)
            client.awaitInput()
            return client.post()
        }.get()
        #expect(second == Outcome(connection: 2, isReused: false, words: ["200", "end"]))
        #expect(server.requests == 2)
        try await client.loop.submit { client.abandon() }.get()
        try await group.shutdownGracefully()
    }

    private func make(_ wire: Server.Wire, _ group: MultiThreadedEventLoopGroup) async throws -> (
        Client, Server
    ) {
        let loops = Array(group.makeIterator())
        let server = try await Server(wire, on: loops[0])
        return (Client(port: server.port, isSecure: wire != .plain, on: loops[1]), server)
    }
}

extension ConnectionReuseTests {
    /// Sends POSTs through a driver on its loop. All properties except `loop` are used only there.
    fileprivate final class Client: @unchecked Sendable {
        let loop: any EventLoop
        private let port: Int
        private let isSecure: Bool
        private var driver: ConnectionDriver?
        private var channel: (any Channel)?
        private weak var first: Connection?
        private weak var firstHandler: NIOHTTP2Handler?

        var lastChannel: (any Channel)? { channel }
        /// True if the connection of the first exchange was released, and NIO's part of it.
        var firstIsReleased: Bool { first == nil && firstHandler == nil }

        init(port: Int, isSecure: Bool, on loop: any EventLoop) {
            self.port = port
            self.isSecure = isSecure
            self.loop = loop
        }

        func abandon() {
            driver?.abandon()
            driver = nil
        }

        /// Blocks the loop until bytes wait in the socket of the last exchange, for ten seconds at most.
        func awaitInput() {
            _ = try? channel?.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
                descriptor in
                var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                var count: CInt
                repeat { count = unsafe poll(&entry, 1, 10_000) } while count < 0 && errno == EINTR
                #expect(count == 1, "nothing has arrived")
            }
        }

        /// With `silence`, ends the exchange as after a timeout instead of sending it.
        func post(timingOutAfterSilenceSince silence: Int64? = nil) -> EventLoopFuture<Outcome> {
            let driver =
                driver
                ?? ConnectionDriver(
                    settings: SessionSettings(), network: NetworkView(nil, policy: PathPolicy()), eventLoop: loop)
            self.driver = driver
            let promise = loop.makePromise(of: Outcome.self)
            var demand = ConnectionDemand(
                key: ConnectionKey(host: "127.0.0.1", port: port, isSecure: isSecure), host: "127.0.0.1", owner: 1,
                priority: 0.5
            ) { [self] result in
                switch result {
                case .success(let exchange): send(exchange, silence, promise)
                case .failure(let failure):
                    promise.succeed(Outcome(connection: 0, isReused: false, words: ["\(failure)"]))
                }
                return true
            }
            demand.questions = HandshakeChallenges(
                evaluatePeer: { _, response in response(.decided(true)) }, identify: { $0(.decided(nil)) })
            _ = driver.obtain(demand)
            return promise.futureResult
        }

        private func send(_ exchange: Exchange, _ silence: Int64?, _ promise: EventLoopPromise<Outcome>) {
            channel = exchange.connection.channel
            if exchange.connection.id.number == 1 {
                first = exchange.connection
                firstHandler = try? exchange.connection.channel.pipeline.syncOperations.handler(
                    type: NIOHTTP2Handler.self)
            }
            if let silence { driver?.timedOut(exchange, silentSince: silence) }
            let receiver = Receiver { [self] words in
                driver?.finish(exchange)
                promise.succeed(
                    Outcome(connection: exchange.connection.id.number, isReused: exchange.isReused, words: words))
            }
            exchange.response.begin(receiver)
            if silence != nil { return receiver.end("timed out") }
            var head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/")
            head.headers.add(name: "Host", value: "127.0.0.1")
            head.headers.add(name: "Content-Length", value: "8")
            exchange.handler.send(head)
            exchange.handler.send(ByteBuffer(string: "amount=1"), promise: nil)
            exchange.handler.sendEnd()
        }
    }

    private final class Receiver: ExchangeReceiver {
        private var words: [String] = []
        private let done: ([String]) -> Void
        init(_ done: @escaping ([String]) -> Void) { self.done = done }

        func end(_ word: String) { done(words + [word]) }
        func exchange(informational head: HTTPResponseHead) {}
        func exchange(head: HTTPResponseHead) { words.append("\(head.status.code)") }
        func exchange(body: ByteBuffer) {}
        func exchangeEnded(trailers: HTTPHeaders?) { end("end") }
        func exchangeFailed(_ failure: TransportFailure) { end("failed") }
    }
}

extension ConnectionReuseTests {
    /// Responds to every request with 200 and keeps its connections open, on a separate loop.
    final class Server: Sendable {
        enum Wire: CaseIterable, Sendable {
            case plain, tls, http2
        }

        private struct Log: Sendable {
            var connections: [any Channel] = []
            var tls: [NIOLoopBound<TLSConnection>] = []
            var requests = 0
            var requestsEndedByHead = 0
        }

        private final class Shared: Sendable {
            let log = Mutex(Log())
        }

        private let shared: Shared
        private let listener: any Channel
        let port: Int

        var connections: [any Channel] { shared.log.withLock { $0.connections } }
        var requests: Int { shared.log.withLock { $0.requests } }
        /// Those whose HEADERS frame ended the stream.
        var requestsEndedByHead: Int { shared.log.withLock { $0.requestsEndedByHead } }

        init(_ wire: Wire, on loop: any EventLoop) async throws {
            let identity = try CertificateAuthority.make(commonName: "Nobody").issue(
                CertificateRequest(commonName: "127.0.0.1", dnsNames: [], addresses: ["127.0.0.1"]))
            let shared = Shared()
            let count: @Sendable (Bool) -> Void = { isEndedByHead in
                shared.log.withLock { log in
                    log.requests += 1
                    if isEndedByHead { log.requestsEndedByHead += 1 }
                }
            }
            listener = try await ServerBootstrap(group: loop).childChannelInitializer { channel in
                shared.log.withLock { $0.connections.append(channel) }
                return channel.eventLoop.makeCompletedFuture {
                    let operations = channel.pipeline.syncOperations
                    if wire != .plain {
                        let options = ServerTLSOptions(identity: identity, alpn: wire == .http2 ? ["h2"] : ["http/1.1"])
                        let tls = try TLSConnection(server: .server(options))
                        shared.log.withLock { [bound = NIOLoopBound(tls, eventLoop: channel.eventLoop)] in
                            $0.tls.append(bound)
                        }
                        try operations.addHandler(TLSServerHandler(tls) { $1.continueHandshake($2) })
                    }
                    guard wire == .http2 else { return try operations.addHandler(Answering { count(false) }) }
                    _ = try operations.configureHTTP2Pipeline(
                        mode: .server, connectionConfiguration: NIOHTTP2Handler.ConnectionConfiguration(),
                        streamConfiguration: NIOHTTP2Handler.StreamConfiguration()
                    ) { stream in
                        stream.eventLoop.makeCompletedFuture {
                            try stream.pipeline.syncOperations.addHandler(AnsweringStream(count))
                        }
                    }
                }
            }.bind(host: "127.0.0.1", port: 0).get()
            self.shared = shared
            port = listener.localAddress?.port ?? 0
        }

        /// Closes the first connection, or sends something on it that no request asked for.
        func end(_ ending: Ending) {
            guard let channel = connections.first else { return }
            let tls = shared.log.withLock { $0.tls.first }
            channel.eventLoop.execute {
                switch ending {
                case .ticket: Self.writeTicket(tls, channel, flushes: true)
                case .ticketThenFin:
                    Self.writeTicket(tls, channel, flushes: false)
                    channel.close(promise: nil)
                case .ticketThenUnaskedAnswer:
                    Self.writeTicket(tls, channel, flushes: false)
                    Self.sendAnswer(channel)
                case .fin: channel.close(promise: nil)
                case .reset:
                    _ = (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
                    channel.close(promise: nil)
                case .unaskedAnswer: Self.sendAnswer(channel)
                case .goAway:
                    let frame = HTTP2Frame(
                        streamID: .rootStream, payload: .goAway(lastStreamID: 1, errorCode: .noError, opaqueData: nil))
                    channel.writeAndFlush(frame, promise: nil)
                }
            }
        }

        private static func sendAnswer(_ channel: any Channel) {
            channel.writeAndFlush(
                ByteBuffer(string: "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n"), promise: nil)
        }

        /// Without a flush it arrives with what follows.
        private static func writeTicket(
            _ connection: NIOLoopBound<TLSConnection>?, _ channel: any Channel, flushes: Bool
        ) {
            #expect(throws: Never.self) {
                let tls = try #require(connection?.value)
                unsafe #expect(SSL_new_session_ticket(tls.ssl) == 1)
                unsafe #expect(SSL_do_handshake(tls.ssl) == 1)
                let context = try channel.pipeline.syncOperations.context(handlerType: TLSServerHandler.self)
                context.write(NIOAny(ByteBuffer(bytes: tls.drainCiphertext())), promise: nil)
                if flushes { context.flush() }
            }
        }
    }

    private final class Answering: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private var text = ""
        private let count: () -> Void
        init(_ count: @escaping () -> Void) { self.count = count }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            text += String(buffer: unwrapInboundIn(data))
            guard text.hasSuffix("amount=1") else { return }
            text = ""
            count()
            context.writeAndFlush(
                wrapOutboundOut(ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")), promise: nil)
        }

        // The client may have disconnected.
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    private final class AnsweringStream: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame.FramePayload
        typealias OutboundOut = HTTP2Frame.FramePayload

        private let count: (Bool) -> Void
        init(_ count: @escaping (Bool) -> Void) { self.count = count }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .headers(let head) where head.endStream: count(true)
            case .data(let part) where part.endStream: count(false)
            default: return
            }
            context.writeAndFlush(
                wrapOutboundOut(.headers(.init(headers: HPACKHeaders([(":status", "200")]), endStream: true))),
                promise: nil)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
