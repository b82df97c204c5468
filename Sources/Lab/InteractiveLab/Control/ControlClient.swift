import AdapterProtocol
import Foundation
import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// A connection to a running lab, for commands at another terminal. Every call blocks.
package final class ControlClient: Sendable {
    package let lab: LabDescription
    private let wire: Wire

    /// Returns every lab that this user runs, oldest process first, and removes the sockets of killed ones.
    package static func labs() -> [LabDescription] { connections(to: nil).map(\.lab) }

    /// Connects to the lab with this id, or to the one around this program, or to the only running one.
    package init(lab id: String?) throws(ControlError) {
        if id == nil, let around = Self.connectionToLabAround() {
            (lab, wire) = around
            return
        }
        let found = Self.connections(to: id)
        guard let only = found.first else { throw .noLab(id) }
        guard found.count == 1 else { throw .several(found.map(\.lab)) }
        lab = only.lab
        wire = only.wire
    }

    package func send(_ request: ControlRequest) throws(ControlError) -> ControlReply { try wire.send(request) }

    private static func connectionToLabAround() -> (lab: LabDescription, wire: Wire)? {
        guard let path = ProcessInfo.processInfo.environment[ControlServer.variable],
            case .live(let wire) = Wire.open(path), case .lab(let lab)? = try? wire.send(.describe)
        else { return nil }
        return (lab, wire)
    }

    private static func connections(to id: String?) -> [(lab: LabDescription, wire: Wire)] {
        var found: [(LabDescription, Wire)] = []
        for folder in ControlFolder.candidates {
            folder.removeUnfinished()
            for each in folder.ids where id == nil || each == id {
                if let wire = connect(to: each, in: folder), case .lab(let lab)? = try? wire.send(.describe) {
                    found.append((lab, wire))
                }
            }
        }
        return found
    }

    /// Removes the sockets of labs that were killed.
    static func removeAbandoned(in folder: ControlFolder) {
        folder.removeUnfinished()
        for id in folder.ids { _ = connect(to: id, in: folder) }
    }

    /// Returns nil when nothing listens on the lab's socket, and removes the socket.
    private static func connect(to id: String, in folder: ControlFolder) -> Wire? {
        switch Wire.open(folder.socket(of: id)) {
        case .live(let wire): return wire
        case .leftBehind: folder.remove(id)
        case .unreachable: break
        }
        return nil
    }
}

private enum Opened {
    case live(Wire)
    /// The lab was killed: nothing listens on its socket.
    case leftBehind
    case unreachable
}

private final class Wire: Sendable {
    private let channel: any Channel
    private let replies: ReplyQueue

    /// The timeout for a reply. A lab replies to `watch` within half a second, and to `set` when an interface is ready.
    private static let timeout: TimeAmount = .seconds(30)

    static func open(_ path: String) -> Opened {
        let replies = ReplyQueue()
        do {
            let channel = try ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(ReplyHandler(replies))
                    }
                }
                .connect(unixDomainSocketPath: path).wait()
            return .live(Wire(channel, replies))
        } catch let error as IOError where error.errnoCode == ECONNREFUSED {
            return .leftBehind
        } catch {
            return .unreachable
        }
    }

    private init(_ channel: any Channel, _ replies: ReplyQueue) {
        self.channel = channel
        self.replies = replies
    }

    deinit { channel.close(promise: nil) }

    func send(_ request: ControlRequest) throws(ControlError) -> ControlReply {
        let promise = channel.eventLoop.makePromise(of: [UInt8].self)
        replies.expect(promise)
        let limit = channel.eventLoop.scheduleTask(in: Self.timeout) { promise.fail(ControlError.lost("timed out")) }
        channel.writeAndFlush(ByteBuffer(string: request.line + "\n")).cascadeFailure(to: promise)
        let line: [UInt8]
        do {
            line = try promise.futureResult.wait()
            limit.cancel()
        } catch let error as ControlError {
            throw error
        } catch {
            throw .lost("it has ended")
        }
        return try ControlReply(line: line)
    }
}

/// The callers that wait for the next lines.
private final class ReplyQueue: Sendable {
    private struct State {
        var waiting: [EventLoopPromise<[UInt8]>] = []
        var isOver = false
    }
    private let state = Mutex(State())

    func expect(_ promise: EventLoopPromise<[UInt8]>) {
        let isOver = state.withLock { state in
            if !state.isOver { state.waiting.append(promise) }
            return state.isOver
        }
        if isOver { promise.fail(ControlError.lost("it has ended")) }
    }

    func append(_ line: [UInt8]) {
        let promise = state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
        promise?.succeed(line)
    }

    func end() {
        let waiting = state.withLock { state in
            state.isOver = true
            return state.waiting
        }
        for promise in waiting { promise.fail(ControlError.lost("it has ended")) }
    }
}

private final class ReplyHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let replies: ReplyQueue
    private var lines = LineReader()

    init(_ replies: ReplyQueue) { self.replies = replies }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let complete = try? lines.append(Array(unwrapInboundIn(data).readableBytesView)) else {
            context.close(promise: nil)
            return
        }
        for line in complete { replies.append(line) }
    }

    func channelInactive(context: ChannelHandlerContext) { replies.end() }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
