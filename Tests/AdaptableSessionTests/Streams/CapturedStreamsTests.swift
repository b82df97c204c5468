import Foundation
import FoundationNetworking
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import AdaptableSession

/// Over real sockets of the loopback. Streams block, so each is used on a separate thread.
struct CapturedStreamsTests {
    private final class Pair: Sendable {
        let input: Mutex<InputStream>
        let output: Mutex<Foundation.OutputStream>
        init(_ input: sending InputStream, _ output: sending Foundation.OutputStream) {
            self.input = Mutex(input)
            self.output = Mutex(output)
        }

        func open() {
            input.withLock { $0.open() }
            output.withLock { $0.open() }
        }

        /// Returns all bytes until `count` have arrived or the stream ends, and the result of the last read.
        func read(_ count: Int) async -> (bytes: [UInt8], last: Int) {
            await onThread { [self] in
                input.withLock { stream in
                    var all: [UInt8] = []
                    var last = 1
                    while all.count < count, last > 0 {
                        var piece = [UInt8](repeating: 0, count: min(10_000, count - all.count))
                        last = unsafe stream.read(&piece, maxLength: piece.count)
                        if last > 0 { all += piece.prefix(last) }
                    }
                    return (all, last)
                }
            }
        }

        /// Returns the number of bytes that were written.
        func write(_ bytes: [UInt8]) async -> Int {
            await onThread { [self] in
                output.withLock { stream in
                    var rest = bytes[...]
                    while !rest.isEmpty {
                        let count = unsafe stream.write(Array(rest), maxLength: rest.count)
                        if count <= 0 { break }
                        rest = rest.dropFirst(count)
                    }
                    return bytes.count - rest.count
                }
            }
        }
    }

    private final class Log: AdaptableSessionStreamDelegate {
        let events = Mutex<[String]>([])
        let pairs: AsyncStream<Pair>
        let invalid: AsyncStream<Void>
        private let capture: AsyncStream<Pair>.Continuation
        private let end: AsyncStream<Void>.Continuation

        init() {
            (pairs, capture) = AsyncStream.makeStream()
            (invalid, end) = AsyncStream.makeStream()
        }

        private func note(_ event: String) { events.withLock { $0.append(event) } }
        func urlSession(_ session: AdaptableSession, readClosedFor streamTask: AdaptableSessionStreamTask) {
            note("readClosed")
        }
        func urlSession(_ session: AdaptableSession, writeClosedFor streamTask: AdaptableSessionStreamTask) {
            note("writeClosed")
        }
        func urlSession(
            _ session: AdaptableSession, task: AdaptableSessionTask, didCompleteWithError error: (any Error)?
        ) {
            note("complete")
        }
        func urlSession(
            _ session: AdaptableSession, streamTask: AdaptableSessionStreamTask,
            didBecome inputStream: sending InputStream,
            outputStream: sending Foundation.OutputStream
        ) {
            note("streams \(streamTask.state == .completed)")
            capture.yield(Pair(inputStream, outputStream))
        }
        func urlSession(_ session: AdaptableSession, didBecomeInvalidWithError error: (any Error)?) {
            note("invalid")
            end.finish()
        }
    }

    private static func onThread<Answer: Sendable>(_ work: @escaping @Sendable () -> Answer) async -> Answer {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: work()) }
        }
    }

    /// Sends a number of bytes immediately, echoes its input, and reports each connection that has ended.
    private final class Server: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer
        private let greeting: Int
        private let ended: AsyncStream<Void>.Continuation

        init(_ greeting: Int, _ ended: AsyncStream<Void>.Continuation) {
            self.greeting = greeting
            self.ended = ended
        }

        func channelActive(context: ChannelHandlerContext) {
            context.writeAndFlush(
                wrapOutboundOut(ByteBuffer(bytes: CapturedStreamsTests.bytes(greeting))), promise: nil)
        }

        /// Responds to `R` with a reset.
        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = unwrapInboundIn(data)
            guard bytes.readableBytesView.elementsEqual([82]) else { return context.writeAndFlush(data, promise: nil) }
            _ = (context.channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
            context.close(promise: nil)
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            guard let event = event as? ChannelEvent, event == .inputClosed else { return }
            context.close(promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) { ended.yield() }
    }

    private static func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    }

    func withServer(
        greeting: Int = 0, _ body: (Int, AsyncStream<Void>) async throws -> Void
    ) async throws {
        let (ended, end) = AsyncStream<Void>.makeStream()
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Server(greeting, end))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            try await body(try #require(server.localAddress?.port), ended)
        } catch {
            try await server.close()
            throw error
        }
        try await server.close()
    }

    private func captured(
        _ log: Log, port: Int, reading first: Int = 0, closingOutput: Bool = false
    ) async throws -> (pair: Pair, session: AdaptableSession, first: Data?) {
        let session = AdaptableSession(configuration: .ephemeral, delegate: log, delegateQueue: nil)
        let task = session.streamTask(withHostName: "127.0.0.1", port: port)
        task.resume()
        let data = first == 0 ? nil : try await task.readData(ofMinLength: first, maxLength: first, timeout: 0).0
        if closingOutput { task.closeWrite() }
        task.captureStreams()
        for await pair in log.pairs { return (pair, session, data) }
        throw CancellationError()
    }

    @Test(.timeLimit(.minutes(1)))
    func `no byte is lost between task and streams, and the task sends no further callbacks`()
        async throws
    {
        try await withServer(greeting: 300_000) { port, ended in
            let log = Log()
            let (pair, session, first) = try await captured(log, port: port, reading: 1000)
            pair.open()
            let rest = await pair.read(299_000)
            // Compared outside of `#expect`, which takes minutes to describe the difference of large bodies.
            let isWhole = Array(first ?? Data()) + rest.bytes == Self.bytes(300_000)
            #expect(isWhole)
            #expect(await pair.write([1, 2, 3]) == 3)
            #expect(await pair.read(3).bytes == [1, 2, 3])
            // Written bytes are sent before the close, and then the server closes.
            session.finishTasksAndInvalidate()
            for await _ in log.invalid {}
            #expect(await pair.write([4, 5]) == 2)
            pair.output.withLock { $0.close() }
            let last = await pair.read(100)
            #expect(last.bytes == [4, 5] && last.last == 0)
            #expect(pair.input.withLock { $0.streamStatus == .atEnd && !$0.hasBytesAvailable && $0.streamError == nil })
            pair.input.withLock { $0.close() }
            for await _ in ended { break }
            #expect(log.events.withLock { $0 } == ["streams true", "invalid"])
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a stream must be opened, and blocks until bytes arrive`() async throws {
        try await withServer { port, _ in
            let (pair, _, _) = try await captured(Log(), port: port)
            #expect(await pair.read(1).last == -1)
            #expect(await pair.write([1]) == 0)
            #expect(pair.input.withLock { $0.streamStatus == .notOpen && !$0.hasBytesAvailable })
            pair.open()
            #expect(pair.input.withLock { $0.streamStatus == .open && !$0.hasBytesAvailable })
            #expect(pair.output.withLock { $0.hasSpaceAvailable })
            async let waits = pair.read(5)
            #expect(await pair.write(Array("hello".utf8)) == 5)
            #expect(await waits.bytes == Array("hello".utf8))
            pair.input.withLock { $0.close() }
            #expect(await pair.read(1).last == -1)
            #expect(pair.input.withLock { $0.streamStatus == .closed })
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a length of zero or less reads and writes nothing`() async throws {
        try await withServer(greeting: 10) { port, _ in
            let (pair, _, _) = try await captured(Log(), port: port)
            pair.open()
            for length in [-1, Int.min] {
                var byte: UInt8 = 7
                let read = pair.input.withLock { unsafe $0.read(&byte, maxLength: length) }
                #expect(read == 0)
                #expect(pair.output.withLock { unsafe $0.write([1], maxLength: length) } == 0)
                #expect(byte == 7)
            }
            #expect(await pair.read(10).bytes == Self.bytes(10))
        }
    }

    /// Far more than both buffers and those of the kernel: writing has to wait for reading.
    @Test(.timeLimit(.minutes(1))) func `ten megabytes are sent and echoed`() async throws {
        try await withServer { port, _ in
            let (pair, _, _) = try await captured(Log(), port: port)
            pair.open()
            let sent = Self.bytes(10_000_000)
            async let written = pair.write(sent)
            let back = await pair.read(sent.count)
            let isSame = back.bytes == sent
            #expect(isSame)
            #expect(await written == sent.count)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `after a reset reading and writing fail with the reason`() async throws {
        try await withServer(greeting: 10) { port, _ in
            let (pair, _, _) = try await captured(Log(), port: port)
            pair.open()
            #expect(await pair.read(10).bytes == Self.bytes(10))
            #expect(await pair.write([82]) == 1)
            #expect(await pair.read(1).last == -1)
            #expect(pair.input.withLock { $0.streamStatus } == .error)
            #expect(pair.input.withLock { ($0.streamError as? URLError)?.code } == .networkConnectionLost)
            #expect(await pair.write([1]) == 0)
            #expect(pair.output.withLock { ($0.streamError as? URLError)?.code } == .networkConnectionLost)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a direction that the task closed before stays closed`() async throws {
        try await withServer(greeting: 10) { port, _ in
            let (pair, _, _) = try await captured(Log(), port: port, closingOutput: true)
            pair.open()
            #expect(pair.output.withLock { !$0.hasSpaceAvailable })
            #expect(await pair.write([1]) == 0)
            #expect(pair.output.withLock { $0.streamStatus == .error && $0.streamError != nil })
            let rest = await pair.read(100)
            #expect(rest.bytes == Self.bytes(10) && rest.last == 0)
        }
    }

    /// One byte at a time, so that the rest moves through its buffer.
    @Test(.timeLimit(.minutes(1))) func `small reads return the same bytes`() async throws {
        try await withServer(greeting: 200_000) { port, _ in
            let (pair, _, _) = try await captured(Log(), port: port)
            pair.open()
            var all: [UInt8] = []
            for size in [1, 7, 4_000] {
                for _ in 0..<40 { all += await pair.read(size).bytes }
            }
            all += await pair.read(200_000 - all.count).bytes
            let isWhole = all == Self.bytes(200_000)
            #expect(isWhole)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `streams that no delegate takes end the connection`() async throws {
        try await withServer { port, ended in
            let session = AdaptableSession(configuration: .ephemeral)
            let task = session.streamTask(withHostName: "127.0.0.1", port: port)
            task.resume()
            task.captureStreams()
            for await _ in ended { break }
            #expect(
                await Self.code { _ = try await task.readData(ofMinLength: 1, maxLength: 1, timeout: 0) }
                    == .networkConnectionLost)
        }
    }

    /// A delegate of tasks that does not handle streams.
    private final class Silent: AdaptableSessionTaskDelegate {}

    @Test(.timeLimit(.minutes(1)))
    func `a task's delegate that takes no streams leaves them to the session's delegate`()
        async throws
    {
        try await withServer(greeting: 10) { port, ended in
            let log = Log()
            let session = AdaptableSession(configuration: .ephemeral, delegate: log, delegateQueue: nil)
            let task = session.streamTask(withHostName: "127.0.0.1", port: port)
            task.delegate = Silent()
            task.resume()
            task.captureStreams()
            for await pair in log.pairs {
                pair.open()
                #expect(await pair.read(10).bytes == Self.bytes(10))
                break
            }
            // The streams are released.
            for await _ in ended { break }
        }
    }

    private static func code(_ act: () async throws -> Void) async -> URLError.Code? {
        do {
            try await act()
            return nil
        } catch {
            return (error as? URLError)?.code
        }
    }
}
