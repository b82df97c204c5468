import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// A scripted server on the loopback that responds to each request byte for byte.
final class ScriptedServer: Sendable {
    struct Request: Sendable {
        var line: String
        var fields: [String: String]
        var body: [UInt8]
        /// The number of the request over all connections, counted from 1.
        var number: Int
        var connection: Int
    }

    enum Step: Sendable {
        case send(String)
        case sendBytes([UInt8])
        /// Continues when the gate is opened.
        case wait(Gate)
        case close
    }

    /// A gate that a test opens once.
    final class Gate: Sendable {
        private let promise: EventLoopPromise<Void>
        init() { promise = MultiThreadedEventLoopGroup.singleton.any().makePromise() }
        func open() { promise.succeed(()) }
        var future: EventLoopFuture<Void> { promise.futureResult }
        /// A promise that is never fulfilled would trap.
        deinit { promise.succeed(()) }
    }

    private struct Seen: Sendable {
        var requests: [Request] = []
        var connections = 0
    }

    private let channel: any Channel
    private let seen: Log
    private final class Log: Sendable { let value = Mutex(Seen()) }

    var requests: [Request] { seen.value.withLock { $0.requests } }
    var connections: Int { seen.value.withLock { $0.connections } }
    let port: Int

    init(_ response: @escaping @Sendable (Request) -> [Step]) async throws {
        let log = Log()
        seen = log
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                let number = log.value.withLock { seen in
                    seen.connections += 1
                    return seen.connections
                }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        ScriptHandler(
                            connection: number,
                            take: { request in
                                log.value.withLock { seen in
                                    var request = request
                                    request.number = seen.requests.count + 1
                                    seen.requests.append(request)
                                    return request
                                }
                            }, response: response))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = channel.localAddress?.port ?? 0
    }

    deinit { channel.close(promise: nil) }

    func url(_ path: String) -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else {
            fatalError("not a valid path: \(path)")
        }
        return url
    }

    static func ok(_ body: String, _ fields: String = "") -> [Step] {
        [.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n\(body)")]
    }
}

private final class ScriptHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let connection: Int
    private let take: (ScriptedServer.Request) -> ScriptedServer.Request
    private let response: (ScriptedServer.Request) -> [ScriptedServer.Step]
    private var bytes: [UInt8] = []

    init(
        connection: Int, take: @escaping (ScriptedServer.Request) -> ScriptedServer.Request,
        response: @escaping (ScriptedServer.Request) -> [ScriptedServer.Step]
    ) {
        self.connection = connection
        self.take = take
        self.response = response
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        bytes += Array(unwrapInboundIn(data).readableBytesView)
        while let request = next() { play(response(take(request))[...], context) }
    }

    private func next() -> ScriptedServer.Request? {
        let end = Array("\r\n\r\n".utf8)
        guard let border = bytes.indices.first(where: { bytes[$0...].starts(with: end) }) else { return nil }
        let lines = String(decoding: bytes[..<border], as: UTF8.self).components(separatedBy: "\r\n")
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            fields[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        let start = border + 4
        let length = fields["content-length"].flatMap { Int($0) } ?? 0
        guard bytes.count >= start + length else { return nil }
        let body = Array(bytes[start..<start + length])
        bytes.removeFirst(start + length)
        return ScriptedServer.Request(
            line: lines.first ?? "", fields: fields, body: body, number: 0, connection: connection)
    }

    private func play(_ steps: ArraySlice<ScriptedServer.Step>, _ context: ChannelHandlerContext) {
        guard let step = steps.first else { return }
        let rest = steps.dropFirst()
        switch step {
        case .send(let text): context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
        case .sendBytes(let bytes): context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
        case .close: return context.close(promise: nil)
        case .wait(let gate):
            gate.future.hop(to: context.eventLoop).assumeIsolated().whenComplete { _ in self.play(rest, context) }
            return
        }
        play(rest, context)
    }
}
