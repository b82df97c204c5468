import Foundation
import FoundationNetworking
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import AdaptableSession

/// Over real sockets of the loopback: an echo server that closes its direction with a farewell when its peer does.
struct AdaptableSessionStreamTaskTests {
    private final class Echo: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { context.writeAndFlush(data, promise: nil) }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            guard let event = event as? ChannelEvent, event == .inputClosed else { return }
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "bye")), promise: nil)
            context.close(promise: nil)
        }
    }

    private final class Log: AdaptableSessionStreamDelegate {
        let events = Mutex<[String]>([])
        private let end: AsyncStream<Void>.Continuation
        let ended: AsyncStream<Void>

        init() { (ended, end) = AsyncStream.makeStream() }

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
            note("complete \((error as? URLError)?.code.rawValue ?? 0)")
        }
        func urlSession(_ session: AdaptableSession, didBecomeInvalidWithError error: (any Error)?) {
            note("invalid")
            end.finish()
        }
    }

    private func echo() async throws -> any Channel {
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Echo()) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    private func task(_ session: AdaptableSession, _ server: any Channel) -> AdaptableSessionStreamTask {
        session.streamTask(withHostName: "127.0.0.1", port: server.localAddress?.port ?? 0)
    }

    private func code(_ act: () async throws -> Void) async -> URLError.Code? {
        do {
            try await act()
            return nil
        } catch {
            return (error as? URLError)?.code
        }
    }

    @Test(.timeLimit(.minutes(1))) func `written bytes come back, and both directions close one after the other`()
        async throws
    {
        let server = try await echo()
        let log = Log()
        let session = AdaptableSession(configuration: .ephemeral, delegate: log, delegateQueue: nil)
        let task = task(session, server)
        task.resume()
        try await task.write(Data("hello".utf8), timeout: 0)
        #expect(try await task.readData(ofMinLength: 5, maxLength: 5, timeout: 0).0 == Data("hello".utf8))
        #expect(task.state == .running)
        task.closeWrite()
        let (rest, isAtEnd) = try await task.readData(ofMinLength: 100, maxLength: 100, timeout: 0)
        #expect(rest == Data("bye".utf8) && isAtEnd)
        session.finishTasksAndInvalidate()
        for await _ in log.ended {}
        #expect(log.events.withLock { $0 } == ["writeClosed", "readClosed", "complete 0", "invalid"])
        #expect(task.countOfBytesSent == 5 && task.countOfBytesReceived == 8 && task.state == .completed)
        try await server.close()
    }

    /// Sends one word and closes.
    private final class CloseSender: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        func channelActive(context: ChannelHandlerContext) {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "bye")), promise: nil)
            context.close(mode: .output, promise: nil)
        }
    }

    private func goodbye() async throws -> any Channel {
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(CloseSender()) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    /// Closing the second direction ends the task, which is reported last.
    @Test(.timeLimit(.minutes(1)))
    func `after the peer has closed, the end of writing is reported before the end of the task`() async throws {
        let server = try await goodbye()
        let log = Log()
        let session = AdaptableSession(configuration: .ephemeral, delegate: log, delegateQueue: nil)
        let task = task(session, server)
        task.resume()
        #expect(try await task.readData(ofMinLength: 100, maxLength: 100, timeout: 0).0 == Data("bye".utf8))
        task.closeWrite()
        session.finishTasksAndInvalidate()
        for await _ in log.ended {}
        #expect(log.events.withLock { $0 } == ["readClosed", "writeClosed", "complete 0", "invalid"])
        try await server.close()
    }

    /// The peer's last bytes and its close arrive while the task is suspended; the read had started before.
    @Test(.timeLimit(.minutes(1))) func `a suspended task reports the end of reading after the last bytes`()
        async throws
    {
        let gate = ScriptedServer.Gate()
        let server = try await ScriptedServer { _ in [.send("ready"), .wait(gate), .send("bye"), .close] }
        let log = Log()
        let session = AdaptableSession(configuration: .ephemeral, delegate: log, delegateQueue: nil)
        let task = session.streamTask(withHostName: "127.0.0.1", port: server.port)
        task.resume()
        try await task.write(Data("GET / HTTP/1.1\r\n\r\n".utf8), timeout: 0)
        #expect(try await task.readData(ofMinLength: 5, maxLength: 5, timeout: 0).0 == Data("ready".utf8))
        let last = Mutex<String?>(nil)
        task.readData(ofMinLength: 100, maxLength: 100, timeout: 0) { data, isAtEnd, error in
            // The end of reading must not have been reported yet.
            let events = log.events.withLock { $0 }
            last.withLock {
                $0 = "\(String(decoding: data ?? Data(), as: UTF8.self)) \(isAtEnd) \(error == nil) \(events)"
            }
        }
        task.suspend()
        gate.open()
        while task.countOfBytesReceived < 8 {
            try Task.checkCancellation()
            await Task.yield()
        }
        // A round trip of another task: the close of this connection has been received by then.
        let other = try await ScriptedServer { _ in ScriptedServer.ok("other") }
        _ = try await session.data(from: other.url("/"))
        #expect(last.withLock { $0 } == nil)
        task.resume()
        task.closeWrite()
        session.finishTasksAndInvalidate()
        for await _ in log.ended {}
        #expect(last.withLock { $0 } == "bye true true []")
        #expect(log.events.withLock { $0 } == ["readClosed", "writeClosed", "complete 0", "invalid"])
    }

    @Test(.timeLimit(.minutes(1))) func `TLS is not started on a connection that the peer has closed`() async throws {
        let server = try await goodbye()
        let session = AdaptableSession(configuration: .ephemeral)
        let task = task(session, server)
        task.resume()
        #expect(try await task.readData(ofMinLength: 100, maxLength: 100, timeout: 0).0 == Data("bye".utf8))
        task.startSecureConnection()
        #expect(await code { try await task.write(Data("secret".utf8), timeout: 0) } == .networkConnectionLost)
        try await server.close()
    }

    @Test(.timeLimit(.minutes(1))) func `operations before resume run after it, in order`() async throws {
        let server = try await echo()
        let session = AdaptableSession(configuration: .ephemeral)
        let task = task(session, server)
        async let first = task.readData(ofMinLength: 3, maxLength: 3, timeout: 0)
        task.write(Data("abc".utf8), timeout: 0) { _ in }
        task.write(Data("def".utf8), timeout: 0) { _ in }
        task.resume()
        #expect(try await first.0 == Data("abc".utf8))
        #expect(try await task.readData(ofMinLength: 3, maxLength: 10, timeout: 0).0 == Data("def".utf8))
        task.cancel()
        try await server.close()
    }

    @Test(.timeLimit(.minutes(1))) func `a megabyte is sent and echoed`() async throws {
        let server = try await echo()
        let session = AdaptableSession(configuration: .ephemeral)
        let task = task(session, server)
        task.resume()
        let sent = Data((0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        task.write(sent, timeout: 0) { _ in }
        #expect(try await task.readData(ofMinLength: sent.count, maxLength: sent.count, timeout: 0).0 == sent)
        task.cancel()
        try await server.close()
    }

    @Test(.timeLimit(.minutes(1))) func `cancelling and a timeout fail waiting operations once and end the task`()
        async throws
    {
        let server = try await echo()
        let log = Log()
        let session = AdaptableSession(configuration: .ephemeral, delegate: log, delegateQueue: nil)
        let slow = task(session, server)
        slow.resume()
        #expect(await code { _ = try await slow.readData(ofMinLength: 1, maxLength: 1, timeout: 0.05) } == .timedOut)
        #expect(await code { _ = try await slow.readData(ofMinLength: 1, maxLength: 1, timeout: 0) } == .timedOut)
        let cancelled = task(session, server)
        cancelled.resume()
        let failed = AsyncStream<URLError.Code?>.makeStream()
        cancelled.readData(ofMinLength: 1, maxLength: 1, timeout: 0) { _, _, error in
            failed.continuation.yield((error as? URLError)?.code)
        }
        cancelled.cancel()
        for await code in failed.stream {
            #expect(code == .cancelled)
            break
        }
        session.finishTasksAndInvalidate()
        for await _ in log.ended {}
        #expect(log.events.withLock { $0 } == ["complete -1001", "complete -999", "invalid"])
        try await server.close()
    }

    @Test(.timeLimit(.minutes(1))) func `a closed port and an invalid host are errors`() async throws {
        let server = try await echo()
        let port = server.localAddress?.port ?? 0
        try await server.close()
        let session = AdaptableSession(configuration: .ephemeral)
        for (host, port, code) in [
            ("127.0.0.1", port, URLError.Code.cannotConnectToHost), ("", 80, .badURL), ("127.0.0.1", 0, .badURL),
        ] {
            let task = session.streamTask(withHostName: host, port: port)
            task.resume()
            #expect(await self.code { _ = try await task.readData(ofMinLength: 1, maxLength: 1, timeout: 0) } == code)
        }
    }
}
