import Foundation
import FoundationNetworking
import NIOCore
import Synchronization

/// The connection of a pair of streams: that of a stream task after its conversion (STRM-03), one that is opened with
/// the first of its streams (NSTR-03), or one that was accepted.
///
/// The streams read and write on threads of the caller's choice, which may block; the connection lives on its event
/// loop. Two buffers of limited size connect the two sides. The connection ends when both streams are closed or
/// released and all written bytes have been sent.
final class CapturedConnection: StreamReceiver, StreamSource, StreamSink {
    /// The channel and its last handler.
    private struct Link {
        let channel: any Channel
        let handler: StreamHandler
    }

    private struct State {
        var input: ByteBuffer
        var hasInputEnded: Bool
        var isInputClosed = false
        var output = ByteBuffer()
        /// The number of bytes written by the caller and not yet accepted by the kernel.
        var unsent = 0
        var isOutputClosed: Bool
        var hasShutOutput: Bool
        var failure: (any Error)?
        /// Opens the connection; nil when opening has started or is not needed.
        var opening: (@Sendable (CapturedConnection) -> Void)?
        var isOpen = true
        /// The number of stream pairs created so far: if one delegate does not take the pair, another one is offered to
        /// the next delegate.
        var offer = 0
        var isTaken = false
        var isInputDropped = false
        var isOutputDropped = false

        /// Returns the result of a read; nil when the read would block.
        mutating func part(upTo count: Int) -> StreamPart? {
            if input.readableBytes > 0 || count == 0 {
                let bytes = input.readBytes(length: min(count, input.readableBytes)) ?? []
                // Only from time to time, so that small reads do not copy the rest repeatedly.
                if input.readableBytes == 0 {
                    input.clear()
                } else if input.readerIndex >= CapturedConnection.capacity {
                    input.discardReadBytes()
                }
                return .bytes(bytes)
            }
            if let failure { return .failed(failure) }
            return hasInputEnded ? .end : nil
        }
    }

    static let capacity = 64 << 10

    /// The run loops that notify the delegates of the two streams.
    let inputSchedule = StreamSchedule()
    let outputSchedule = StreamSchedule()
    private let eventLoop: any EventLoop
    /// Nil until the connection is open.
    private let link: NIOLoopBoundBox<Link?>
    private let state: Mutex<State>
    private let change = NSCondition()

    /// Must be called on the event loop. `unread` holds bytes that were received and not read; the flags describe which
    /// directions have ended.
    init(
        channel: any Channel, handler: StreamHandler, unread: ByteBuffer, hasInputEnded: Bool, isOutputClosed: Bool
    ) {
        eventLoop = channel.eventLoop
        link = NIOLoopBoundBox(Link(channel: channel, handler: handler), eventLoop: channel.eventLoop)
        state = Mutex(
            State(
                input: unread, hasInputEnded: hasInputEnded, isOutputClosed: isOutputClosed,
                hasShutOutput: isOutputClosed))
        handler.handOver(to: self)
        readMore()
    }

    /// Creates a connection that `opening` opens when the first of its streams is opened. It then calls `opened` or
    /// `failed` on the event loop.
    init(on eventLoop: any EventLoop, opening: @escaping @Sendable (CapturedConnection) -> Void) {
        self.eventLoop = eventLoop
        link = NIOLoopBoundBox.makeEmptyBox(eventLoop: eventLoop)
        state = Mutex(
            State(
                input: ByteBuffer(), hasInputEnded: false, isOutputClosed: false, hasShutOutput: false,
                opening: opening, isOpen: false))
    }

    // MARK: On the event loop

    func opened(_ channel: any Channel, _ handler: StreamHandler, unread: ByteBuffer, hasInputEnded: Bool) {
        let isWanted = state.withLock { state in
            state.isOpen = true
            guard !state.isInputClosed || !state.isOutputClosed else { return false }
            if !state.isInputClosed { state.input.writeImmutableBuffer(unread) }
            if hasInputEnded { state.hasInputEnded = true }
            return true
        }
        guard isWanted else { return channel.close(promise: nil) }
        link.value = Link(channel: channel, handler: handler)
        handler.handOver(to: self)
        inputChanged()
        outputChanged()
        readMore()
        endIfClosed()
    }

    func failed(_ error: any Error) {
        state.withLock { state in
            if state.failure == nil { state.failure = error }
        }
        inputChanged()
        outputChanged()
    }

    func received(_ bytes: ByteBuffer) {
        state.withLock { state in
            if !state.isInputClosed { state.input.writeImmutableBuffer(bytes) }
        }
        inputChanged()
    }

    func readMore() {
        let isWelcome = state.withLock { state in
            !state.isInputClosed && !state.hasInputEnded && state.failure == nil
                && state.input.readableBytes < Self.capacity
        }
        if isWelcome { link.value?.handler.read() }
    }

    func inputEnded() {
        state.withLock { $0.hasInputEnded = true }
        inputChanged()
    }

    func broke(_ failure: TransportFailure) {
        failed(failure.urlError(nil))
        link.value?.channel.close(promise: nil)
    }

    private func flush() {
        guard let channel = link.value?.channel else { return }
        let bytes = state.withLock { state in
            defer { state.output = ByteBuffer() }
            return state.output
        }
        guard bytes.readableBytes > 0 else { return endIfClosed() }
        let count = bytes.readableBytes
        let written = channel.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { [self] result in
            switch result {
            case .success:
                state.withLock { $0.unsent -= count }
                outputChanged()
                endIfClosed()
            case .failure(let error): broke(TransportFailure(onConnection: error))
            }
        }
        channel.writeAndFlush(bytes, promise: written)
    }

    /// Closes the output after all written bytes have been sent.
    private func endIfClosed() {
        guard let channel = link.value?.channel else { return }
        let (closes, shuts) = state.withLock { state in
            guard state.isOutputClosed, state.unsent == 0 else { return (false, false) }
            defer { state.hasShutOutput = true }
            return (state.isInputClosed, !state.hasShutOutput)
        }
        if closes { channel.close(promise: nil) } else if shuts { channel.close(mode: .output, promise: nil) }
    }

    private func inputChanged() {
        change.withLock { change.broadcast() }
        inputSchedule.changed()
    }

    private func outputChanged() {
        change.withLock { change.broadcast() }
        outputSchedule.changed()
    }

    // MARK: On the caller's threads

    /// Opens the connection, unless that has been done.
    func open() {
        let opening = state.withLock { state in
            defer { state.opening = nil }
            return state.opening
        }
        opening?(self)
    }

    var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Returns at least one byte; blocks until a byte arrives or the input ends.
    func read(upTo count: Int) -> StreamPart {
        let (part, hasCapacityAgain) = wait { state in
            let before = state.input.readableBytes
            guard let part = state.part(upTo: count) else { return nil as (StreamPart, Bool)? }
            return (part, before >= Self.capacity && state.input.readableBytes < Self.capacity)
        }
        // Reading from the connection stopped when the buffer was full.
        if hasCapacityAgain { eventLoop.execute { self.readMore() } }
        inputSchedule.changed()
        return part
    }

    /// Blocks until the buffer has free space, writes as many bytes as fit, and returns their number.
    func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Result<Int, any Error> {
        let room: Result<Int, any Error> = wait { state in
            if let failure = state.failure { return .failure(failure) }
            if state.isOutputClosed {
                return .failure(URLError.made(.networkConnectionLost, "The stream was closed for writing.", nil))
            }
            return state.isOpen && state.unsent < Self.capacity ? .success(Self.capacity - state.unsent) : nil
        }
        guard case .success(let room) = room else { return room }
        let count = min(room, bytes.count)
        state.withLock { state in
            state.unsent += unsafe state.output.writeBytes(UnsafeBufferPointer(rebasing: bytes.prefix(count)))
        }
        eventLoop.execute { self.flush() }
        outputSchedule.changed()
        return .success(count)
    }

    /// The event for the result of a read; nil when a read would block.
    var readiness: Stream.Event? {
        state.withLock { state in
            if state.input.readableBytes > 0 { return .hasBytesAvailable }
            if state.failure != nil { return .errorOccurred }
            return state.hasInputEnded ? .endEncountered : nil
        }
    }

    /// The event for the result of a write; nil when a write would block.
    var writability: Stream.Event? {
        state.withLock { state in
            if state.failure != nil { return .errorOccurred }
            return state.isOpen && !state.isOutputClosed && state.unsent < Self.capacity ? .hasSpaceAvailable : nil
        }
    }

    /// The error that ended the connection; nil when there was none.
    var failure: (any Error)? { state.withLock { $0.failure } }

    func closeInput() {
        state.withLock { state in
            state.isInputClosed = true
            state.hasInputEnded = true
            state.input = ByteBuffer()
        }
        change.withLock { change.broadcast() }
        eventLoop.execute { self.endIfClosed() }
    }

    func closeOutput() {
        state.withLock { $0.isOutputClosed = true }
        change.withLock { change.broadcast() }
        eventLoop.execute { self.endIfClosed() }
    }

    // MARK: Ownership of the streams

    /// Registers a new pair of streams, which replaces all earlier pairs.
    func offer() -> Int {
        state.withLock { state in
            state.offer += 1
            (state.isInputDropped, state.isOutputDropped) = (false, false)
            return state.offer
        }
    }

    /// Records whether a delegate took the last pair. Streams that were not taken or already released are closed.
    func settle(isTaken: Bool) {
        let (closesInput, closesOutput) = state.withLock { state in
            state.isTaken = true
            return (!isTaken || state.isInputDropped, !isTaken || state.isOutputDropped)
        }
        if closesInput { closeInput() }
        if closesOutput { closeOutput() }
    }

    /// Handles the release of a stream, which closes it if it is still open.
    func dropInput(_ offer: Int) {
        let closes = state.withLock { state in
            if state.offer == offer { state.isInputDropped = true }
            return state.offer == offer && state.isTaken
        }
        if closes { closeInput() }
    }

    func dropOutput(_ offer: Int) {
        let closes = state.withLock { state in
            if state.offer == offer { state.isOutputDropped = true }
            return state.offer == offer && state.isTaken
        }
        if closes { closeOutput() }
    }

    /// Repeats `attempt` until it returns a value. The condition's lock is held during the attempt, so that no change
    /// is missed before the wait.
    private func wait<Answer>(_ attempt: (inout State) -> Answer?) -> Answer {
        change.withLock {
            while true {
                if let answer = state.withLock({ attempt(&$0) }) { return answer }
                change.wait()
            }
        }
    }

    /// Creates the pair of streams of a connection that does not offer them to delegates.
    func makeStreams() -> (InputStream, OutputStream) {
        let offer = offer()
        defer { settle(isTaken: true) }
        return (CapturedInputStream(self, offer: offer), CapturedOutputStream(self, offer: offer))
    }
}
