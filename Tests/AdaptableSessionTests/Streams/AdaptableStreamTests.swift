import Foundation
import FoundationNetworking
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import AdaptableSession

/// Over real sockets of the loopback. Streams block, so each test uses them on a thread of its own.
@Suite(.timeLimit(.minutes(1))) struct AdaptableStreamTests {
    private final class Echo: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { context.writeAndFlush(data, promise: nil) }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if let event = event as? ChannelEvent, event == .inputClosed { context.close(promise: nil) }
        }
    }

    /// An echo server that counts its connections and closes one when its peer has finished writing.
    private func withEcho(
        _ host: String = "127.0.0.1", _ body: (Int, @escaping @Sendable () -> Int) async throws -> Void
    ) async throws {
        let count = ConnectionCount()
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                count.add()
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Echo())
                }
            }
            .bind(host: host, port: 0).get()
        do { try await body(try #require(server.localAddress?.port)) { count.value } } catch {
            try await server.close()
            throw error
        }
        try await server.close()
    }

    private final class ConnectionCount: Sendable {
        private let count = Mutex(0)
        func add() { count.withLock { $0 += 1 } }
        var value: Int { count.withLock { $0 } }
    }

    private static func streams(to host: String, _ port: Int) -> (InputStream, Foundation.OutputStream)? {
        var input: InputStream?
        var output: Foundation.OutputStream?
        AdaptableStream.getStreamsToHost(withName: host, port: port, inputStream: &input, outputStream: &output)
        guard let input, let output else { return nil }
        return (input, output)
    }

    private static func bound(_ size: Int) -> (InputStream, Foundation.OutputStream)? {
        var input: InputStream?
        var output: Foundation.OutputStream?
        AdaptableStream.getBoundStreams(withBufferSize: size, inputStream: &input, outputStream: &output)
        guard let input, let output else { return nil }
        return (input, output)
    }

    private static func read(_ stream: InputStream, _ count: Int) -> [UInt8] {
        var all: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 10_000)
        while all.count < count {
            let count = unsafe stream.read(&piece, maxLength: min(piece.count, count - all.count))
            if count <= 0 { break }
            all += piece.prefix(count)
        }
        return all
    }

    private static func write(_ stream: Foundation.OutputStream, _ bytes: [UInt8]) -> Int {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe stream.write(Array(rest), maxLength: rest.count)
            if count <= 0 { break }
            rest = rest.dropFirst(count)
        }
        return bytes.count - rest.count
    }

    private static func onThread<Answer: Sendable>(_ work: @escaping @Sendable () -> Answer) async -> Answer {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: work()) }
        }
    }

    // MARK: Streams to a host

    /// The number of connections shows that creating the pair does not connect, and that both streams share one.
    @Test(arguments: ["127.0.0.1", "::1", "localhost"])
    func `a pair to a name or an address connects when it is opened`(_ host: String) async throws {
        try await withEcho(host) { port, connections in
            let answer = await Self.onThread { () -> [String] in
                guard let (input, output) = Self.streams(to: host, port) else { return [] }
                var seen = ["\(connections()) \(input.streamStatus.rawValue)"]
                input.open()
                output.open()
                seen.append("\(Self.write(output, Array("hello".utf8)))")
                seen.append(String(decoding: Self.read(input, 5), as: UTF8.self))
                seen.append("\(output.streamStatus.rawValue) \(connections())")
                output.close()
                seen.append("\(Self.read(input, 1).count) \(input.streamStatus.rawValue)")
                input.close()
                return seen
            }
            #expect(answer == ["0 0", "5", "hello", "2 1", "0 5"])
        }
    }

    @Test func `opening one stream is enough to connect`() async throws {
        try await withEcho { port, _ in
            let echoed = await Self.onThread { () -> [UInt8] in
                guard let (input, output) = Self.streams(to: "127.0.0.1", port) else { return [] }
                output.open()
                _ = Self.write(output, [1, 2, 3])
                input.open()
                return Self.read(input, 3)
            }
            #expect(echoed == [1, 2, 3])
        }
    }

    /// A listening socket that is closed again leaves a port that refuses connections.
    @Test func `both streams report why a connection could not be opened`() async throws {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(server.localAddress?.port)
        try await server.close()
        let codes = await Self.onThread { () -> [URLError.Code?] in
            guard let (input, output) = Self.streams(to: "127.0.0.1", port) else { return [] }
            input.open()
            output.open()
            guard Self.read(input, 1).isEmpty, Self.write(output, [1]) == 0 else { return [] }
            guard input.streamStatus == .error, output.streamStatus == .error else { return [] }
            return [(input.streamError as? URLError)?.code, (output.streamError as? URLError)?.code]
        }
        #expect(codes == [.cannotConnectToHost, .cannotConnectToHost])
    }

    @Test(arguments: [0, -1, 65_536, .max]) func `a port that does not exist is an error`(_ port: Int) async {
        let code = await Self.onThread { () -> URLError.Code? in
            guard let (input, _) = Self.streams(to: "127.0.0.1", port) else { return nil }
            input.open()
            _ = Self.read(input, 1)
            return (input.streamError as? URLError)?.code
        }
        #expect(code == .badURL)
    }

    /// The pair is released on the thread before its connection exists, or at any moment after that.
    @Test func `a pair that is released closes its connection`() async throws {
        let closed = AsyncStream.makeStream(of: Void.self)
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.closeFuture.whenComplete { _ in closed.continuation.yield() }
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(server.localAddress?.port)
        for _ in 0..<20 {
            await Self.onThread {
                guard let (input, output) = Self.streams(to: "127.0.0.1", port) else { return }
                input.open()
                output.open()
            }
        }
        var ends = closed.stream.makeAsyncIterator()
        for _ in 0..<20 { await ends.next() }
        try await server.close()
    }

    private final class Receiver: StreamDelegate {
        var events: [String] = []
        var received: [UInt8] = []
        var isOver = false

        func stream(_ aStream: Foundation.Stream, handle eventCode: Foundation.Stream.Event) {
            switch aStream {
            case let input as InputStream:
                if eventCode == .hasBytesAvailable { received += AdaptableStreamTests.read(input, 1) }
                if eventCode == .endEncountered || eventCode == .errorOccurred { isOver = true }
                events.append("in \(eventCode.rawValue)")
            case let output as Foundation.OutputStream:
                events.append("out \(eventCode.rawValue)")
                if eventCode == .hasSpaceAvailable, !events.contains("closed") {
                    _ = AdaptableStreamTests.write(output, [7, 8])
                    output.close()
                    events.append("closed")
                }
            default: events.append("?")
            }
        }

        func run(_ input: InputStream, _ output: Foundation.OutputStream) {
            input.delegate = self
            output.delegate = self
            input.schedule(in: .current, forMode: .default)
            output.schedule(in: .current, forMode: .default)
            input.open()
            output.open()
            while !isOver { _ = RunLoop.current.run(mode: .default, before: .distantFuture) }
        }
    }

    @Test func `a delegate is called when the connection is open, then for bytes and for the end`() async throws {
        try await withEcho { port, _ in
            let (events, received) = await Self.onThread { () -> ([String], [UInt8]) in
                let receiver = Receiver()
                if let (input, output) = Self.streams(to: "127.0.0.1", port) { receiver.run(input, output) }
                return (receiver.events, receiver.received)
            }
            #expect(received == [7, 8])
            #expect(events.filter { $0.hasPrefix("in") } == ["in 1", "in 2", "in 2", "in 16"])
            #expect(events.filter { !$0.hasPrefix("in") } == ["out 1", "out 4", "closed"])
        }
    }

    @Test func `a delegate is called when the connection cannot be opened`() async {
        let events = await Self.onThread { () -> [String] in
            let receiver = Receiver()
            if let (input, output) = Self.streams(to: "127.0.0.1", 70_000) { receiver.run(input, output) }
            return receiver.events
        }
        #expect(events.contains("in 8") && !events.contains("in 1") && !events.contains("out 1"))
    }

    // MARK: Bound pairs

    /// A buffer that is much smaller than the bytes makes the writer wait for the reader thousands of times.
    @Test(arguments: [1, 7, 4_096]) func `bytes written to a bound pair are read in order`(_ size: Int) async throws {
        let bytes = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        let result = await Self.onThread { () -> (Bool, Int) in
            guard let (input, output) = Self.bound(size) else { return (false, 0) }
            input.open()
            let writer = Writer(output)
            Thread.detachNewThread { writer.writeAll(bytes) }
            let read = Self.read(input, bytes.count + 1)
            return (read == bytes, read.count)
        }
        #expect(result.0, "read \(result.1) bytes")
    }

    /// The writer's stream, which only the writing thread uses; the two streams of a pair may be used on two threads.
    @safe private struct Writer: Sendable {
        nonisolated(unsafe) private let stream: Foundation.OutputStream
        init(_ stream: Foundation.OutputStream) { unsafe self.stream = stream }

        func writeAll(_ bytes: [UInt8]) {
            unsafe stream.open()
            _ = unsafe AdaptableStreamTests.write(stream, bytes)
            unsafe stream.close()
        }
    }

    @Test func `a full bound pair lacks space and an empty one lacks bytes`() throws {
        let (input, output) = try #require(Self.bound(4))
        input.open()
        output.open()
        #expect(!input.hasBytesAvailable && output.hasSpaceAvailable)
        #expect(unsafe output.write([1, 2, 3, 4, 5, 6], maxLength: 6) == 4)
        #expect(input.hasBytesAvailable && !output.hasSpaceAvailable)
        #expect(Self.read(input, 1) == [1])
        #expect(output.hasSpaceAvailable)
        #expect(unsafe output.write([5, 6], maxLength: 2) == 1)
        output.close()
        #expect(Self.read(input, 10) == [2, 3, 4, 5] && input.streamStatus == .atEnd && input.streamError == nil)
    }

    @Test func `writing fails when the input of the pair is closed`() throws {
        let (input, output) = try #require(Self.bound(4))
        output.open()
        input.open()
        input.close()
        #expect(Self.write(output, [1]) == 0)
        #expect(output.streamStatus == .error && (output.streamError as? POSIXError)?.code == .EPIPE)
    }

    @Test func `a delegate reads what is written to a bound pair`() async {
        let (events, received) = await Self.onThread { () -> ([String], [UInt8]) in
            let receiver = Receiver()
            if let (input, output) = Self.bound(4) { receiver.run(input, output) }
            return (receiver.events, receiver.received)
        }
        #expect(received == [7, 8])
        #expect(events.filter { $0.hasPrefix("in") } == ["in 1", "in 2", "in 2", "in 16"])
    }
}
