import Glibc
import NIOCore
import NIOPosix
import OpenSSLTLS
import Synchronization

/// A client that sends given bytes and records received bytes and the end; it does not interpret HTTP.
final class RawClient: Sendable {
    enum End: Equatable {
        case eof
        /// ECONNRESET.
        case reset
        /// It has not ended: this client closed, or an unexpected error occurred.
        case other(String)
    }

    private struct State {
        var bytes: [UInt8] = []
        var end: End?
        var sawTruncation = false
        var waiting: [(isMet: @Sendable (State) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())
    private let channel: Mutex<(any Channel)?> = Mutex(nil)

    static func connect(
        to address: SocketAddress, reading: Bool = true, receiveBuffer: Int? = nil, tls: TLSContext? = nil,
        serverName: String = "api.test"
    ) async throws -> RawClient {
        let client = RawClient()
        do {
            var bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            if let receiveBuffer {
                bootstrap = bootstrap.channelOption(.socketOption(.so_rcvbuf), value: SocketOptionValue(receiveBuffer))
            }
            let channel =
                try await bootstrap
                .channelOption(.allowRemoteHalfClosure, value: true)
                .channelOption(.autoRead, value: reading)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        if let tls {
                            try channel.pipeline.syncOperations.addHandler(
                                TLSClientHandler(context: tls, serverName: serverName))
                        }
                        try channel.pipeline.syncOperations.addHandler(Collector(client))
                    }
                }
                .connect(to: address).get()
            client.channel.withLock { $0 = channel }
        } catch let error as IOError where error.errnoCode == ECONNRESET {
            // The reset came before the client had checked its new connection.
            client.change { $0.end = .reset }
        }
        return client
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) {
        guard let channel = channel.withLock({ $0 }) else { return }
        channel.writeAndFlush(channel.allocator.buffer(bytes: bytes), promise: nil)
    }

    func close() { channel.withLock { $0 }?.close(promise: nil) }

    func startReading() async throws {
        guard let channel = channel.withLock({ $0 }) else { return }
        try await channel.setOption(.autoRead, value: true).get()
    }

    var bytes: [UInt8] { state.withLock { $0.bytes } }
    var text: String { String(decoding: bytes, as: UTF8.self) }
    /// TLS ended without close_notify.
    var sawTruncation: Bool { state.withLock { $0.sawTruncation } }
    var hasEnded: Bool { state.withLock { $0.end != nil } }

    /// Returns the first `count` bytes, or fewer when the connection ends first.
    func receive(_ count: Int) async -> [UInt8] {
        await wait { $0.bytes.count >= count || $0.end != nil }
        return Array(bytes.prefix(count))
    }

    /// Waits for this text to arrive among the first 64 KiB.
    func receive(until text: String) async -> String {
        let wanted = Array(text.utf8)
        await wait { $0.end != nil || $0.bytes.prefix(65_536).firstIndex(of: wanted) != nil }
        return self.text
    }

    func end() async -> End {
        await wait { $0.end != nil }
        return state.withLock { $0.end ?? .other("none") }
    }

    /// The bytes after the first empty line.
    var body: [UInt8] {
        let bytes = bytes
        guard let end = bytes.prefix(65_536).firstIndex(of: RawClient.emptyLine) else { return [] }
        return Array(bytes[(end + 4)...])
    }

    func receiveBody(_ count: Int) async -> [UInt8] {
        await wait { state in
            guard state.end == nil else { return true }
            guard state.bytes.count >= count, let end = state.bytes.prefix(65_536).firstIndex(of: RawClient.emptyLine)
            else { return false }
            return state.bytes.count >= end + 4 + count
        }
        return Array(body.prefix(count))
    }

    private static let emptyLine: [UInt8] = [13, 10, 13, 10]

    private func wait(_ isMet: @escaping @Sendable (State) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isMetNow = state.withLock { state in
                if isMet(state) { return true }
                state.waiting.append((isMet, continuation))
                return false
            }
            if isMetNow { continuation.resume() }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let met = state.withLock { state in
            body(&state)
            let now = state
            let met = state.waiting.filter { $0.isMet(now) }.map(\.continuation)
            state.waiting.removeAll { $0.isMet(now) }
            return met
        }
        for continuation in met { continuation.resume() }
    }

    private final class Collector: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let client: RawClient
        init(_ client: RawClient) { self.client = client }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = unwrapInboundIn(data).readableBytesView
            client.change { $0.bytes += bytes }
        }
        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event as? ChannelEvent == .inputClosed { client.change { $0.end = $0.end ?? .eof } }
        }
        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            let isReset = (error as? IOError)?.errnoCode == ECONNRESET
            if (error as? TLSError) == .truncated {
                client.change { $0.sawTruncation = true }
                return
            }
            client.change { $0.end = $0.end ?? (isReset ? .reset : .other("\(error)")) }
        }
        func channelInactive(context: ChannelHandlerContext) {
            client.change { $0.end = $0.end ?? .other("inactive") }
        }
    }
}

extension ArraySlice<UInt8> {
    fileprivate func firstIndex(of wanted: [UInt8]) -> Int? {
        indices.first { self[$0] == wanted[0] && self[$0...].starts(with: wanted) }
    }
}
