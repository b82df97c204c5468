import NIOCore
import NIOEmbedded
import OpenSSLTLS
import TLSTestKit

/// A server's and a client's pipeline; `pump` carries the output of each to the other.
final class ChannelPair {
    let server: EmbeddedChannel
    let client: EmbeddedChannel
    let serverNotes = PipelineNotes()
    let clientNotes = PipelineNotes()
    /// The server's output that `pump` has carried.
    private(set) var serverWire: [UInt8] = []

    init(
        faults: TLSFaultPlan? = nil, serverName: String = ConnectionPair.name,
        versions: TLSVersionRange = TLSVersionRange()
    ) throws {
        let serverContext = try TLSContext.server(
            ServerTLSOptions(identity: ConnectionPair.identity(), versions: versions))
        let clientContext = try TLSContext.client(ClientTLSOptions(trust: ConnectionPair.trust(), versions: versions))
        server = EmbeddedChannel(handlers: [try TLSServerHandler(context: serverContext, faults: faults), serverNotes])
        client = EmbeddedChannel(handlers: [
            try TLSClientHandler(context: clientContext, serverName: serverName), clientNotes,
        ])
        let missingLocation = try SocketAddress(ipAddress: "127.0.0.1", port: 443)
        for channel in [server, client] { channel.connect(to: missingLocation, promise: nil) }
    }

    func pump() throws {
        while true {
            server.embeddedEventLoop.run()
            client.embeddedEventLoop.run()
            let toServer = try client.readOutbound(as: ByteBuffer.self)
            // A closed socket accepts nothing.
            if let toServer, server.isActive { _ = try server.writeInbound(toServer) }
            let toClient = try server.readOutbound(as: ByteBuffer.self)
            if let toClient {
                serverWire += toClient.readableBytesView
                if client.isActive { _ = try client.writeInbound(toClient) }
            }
            if toServer == nil, toClient == nil { return }
        }
    }

    func read(at channel: EmbeddedChannel) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let next = try channel.readInbound(as: ByteBuffer.self) { bytes += next.readableBytesView }
        return bytes
    }

    func finish() {
        _ = try? server.finish(acceptAlreadyClosed: true)
        _ = try? client.finish(acceptAlreadyClosed: true)
    }
}

/// Records the input at the application's end of a pipeline.
final class PipelineNotes: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    var hello: TLSClientHello?
    var info: TLSInfo?
    var resets = 0
    var inputClosed = 0
    var errors: [TLSError] = []
    var order: [String] = []

    func channelInactive(context: ChannelHandlerContext) {
        order.append("inactive")
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let event as TLSClientHello:
            hello = event
            order.append("hello")
        case let event as TLSHandshakeCompleted:
            info = event.info
            order.append("completed")
        case is TLSResetRequested:
            resets += 1
            order.append("reset")
        case let event as ChannelEvent where event == .inputClosed:
            inputClosed += 1
            order.append("inputClosed")
        default: order.append("other")
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        order.append("error")
        if let error = error as? TLSError { errors.append(error) }
    }
}

/// Supports half-closing, which an embedded channel treats as a full close.
final class HalfClosingSocket: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    var order: [String] = []

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        order.append("write")
        context.write(data, promise: promise)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        order.append(mode == .output ? "close output" : "close")
        if mode == .output { promise?.succeed() } else { context.close(mode: mode, promise: promise) }
    }
}
