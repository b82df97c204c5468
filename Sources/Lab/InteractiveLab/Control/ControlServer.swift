import AdapterProtocol
import Foundation
import LabKernel
import NIOCore
import NIOPosix

/// Replies to commands at other terminals, on a socket in the private folder.
///
/// Input cannot disturb the lab: the numbers of connections, of bytes in a line and of waiting lines are bounded, a
/// connection's next line is read after the reply to its last one, and an invalid line only gets an error reply.
package final class ControlServer: Sendable {
    package typealias Reply = @Sendable (ControlReply) -> Void
    /// Called on an event loop for each request; the reply may come from any thread.
    typealias RequestHandler = @Sendable (ControlRequest, @escaping Reply) -> Void

    let id: String
    private let folder: ControlFolder
    private let listener: any Channel

    static let mostConnections = 32
    /// The variable with which a program inside a lab finds the lab's socket.
    package static let variable = "CROSSWIND_CONTROL"
    /// The socket's path inside the lab.
    static let pathInside = ClientEnvironment.folder + "/crosswind.socket"

    var path: String { folder.socket(of: id) }

    init(id: String, in folder: ControlFolder, group: any EventLoopGroup, ask: @escaping RequestHandler)
        throws(ControlError)
    {
        self.id = id
        self.folder = folder
        ControlClient.removeAbandoned(in: folder)
        let loop = group.next()
        let count = NIOLoopBoundBox.makeBoxSendingValue(0, eventLoop: loop)
        let starting = folder.startingSocket(of: id)
        do {
            listener = try ServerBootstrap(group: loop, childGroup: loop)
                .serverChannelOption(.backlog, value: 64)
                .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 16 * 1024))
                .childChannelOption(.maxMessagesPerRead, value: 1)
                .childChannelInitializer { channel in
                    guard count.value < ControlServer.mostConnections else {
                        return channel.eventLoop.makeFailedFuture(ChannelError.connectPending)
                    }
                    count.value += 1
                    channel.closeFuture.whenComplete { _ in count.value -= 1 }
                    return channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandlers(
                            IdleStateHandler(allTimeout: .seconds(60)), ControlConnectionHandler(handler: ask))
                    }
                }
                .bind(unixDomainSocketPath: starting, cleanupExistingSocketFile: true).wait()
        } catch {
            throw .noPlace("\(starting): \(error)")
        }
        if let problem = PrivateFolder.close(starting) ?? PrivateFolder.rename(starting, to: folder.socket(of: id)) {
            stop()
            throw .noPlace("\(starting): \(problem)")
        }
    }

    func stop() {
        try? listener.close().wait()
        folder.remove(id)
        // The folder stays: removing it would remove what hides it from the programs in other labs.
        try? FileManager.default.removeItem(atPath: folder.startingSocket(of: id))
    }
}

/// The connection of one command at another terminal.
private final class ControlConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let handler: ControlServer.RequestHandler
    private var lines = LineReader(limit: ControlRequest.longestLine)
    private var waiting: [[UInt8]] = []
    private var isBusy = false
    private var hasEnded = false

    /// Maximum number of waiting lines of a connection.
    private static let mostWaiting = 64

    init(handler: @escaping ControlServer.RequestHandler) { self.handler = handler }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = Array(unwrapInboundIn(data).readableBytesView)
        do throws(WireError) {
            waiting += try lines.append(bytes)
        } catch {
            end(context, saying: .refused("the line is longer than \(ControlRequest.longestLine) bytes"))
            return
        }
        guard waiting.count <= Self.mostWaiting else {
            end(context, saying: .refused("more than \(Self.mostWaiting) requests at once"))
            return
        }
        resumeReading(context)
    }

    private func resumeReading(_ context: ChannelHandlerContext) {
        guard !isBusy, !hasEnded else { return }
        guard !waiting.isEmpty else {
            context.channel.setOption(.autoRead, value: true).whenFailure { _ in }
            return
        }
        let line = waiting.removeFirst()
        let request: ControlRequest
        do throws(ControlError) {
            request = try ControlRequest(line: line)
        } catch {
            // An invalid request gets the reason, and the connection is closed.
            end(context, saying: .refused("\(error)"))
            return
        }
        isBusy = true
        context.channel.setOption(.autoRead, value: false).whenFailure { _ in }
        let loop = context.eventLoop
        let place = NIOLoopBound((self, context), eventLoop: loop)
        handler(request) { reply in
            loop.execute {
                let (handler, context) = place.value
                handler.isBusy = false
                guard context.channel.isActive else { return }
                handler.write(reply, context, promise: nil)
                handler.resumeReading(context)
            }
        }
    }

    private func write(_ reply: ControlReply, _ context: ChannelHandlerContext, promise: EventLoopPromise<Void>?) {
        let line = context.channel.allocator.buffer(string: reply.line + "\n")
        context.writeAndFlush(wrapOutboundOut(line), promise: promise)
    }

    private func end(_ context: ChannelHandlerContext, saying reply: ControlReply) {
        guard !hasEnded else { return }
        hasEnded = true
        waiting = []
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
        write(reply, context, promise: written)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent, !isBusy { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
