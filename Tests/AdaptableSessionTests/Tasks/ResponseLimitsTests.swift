import Foundation
import FoundationNetworking
import NIOCore
import NIOPosix
import Synchronization
import Testing

@_spi(Mutants) @testable import AdaptableSession

/// A server that never ends: the session must stop by itself, with an error, after few bytes. The server would send 64
/// MiB; the socket buffers of both ends hold less than 16 MiB together.
@Suite struct ResponseLimitsTests {
    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"

    /// The bytes that a server sends once, and those that it repeats.
    struct Flood: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var prefix: String
        var repeated: String

        init(_ name: String, _ prefix: String, _ repeated: String) {
            testDescription = name
            self.prefix = prefix
            self.repeated = repeated
        }
    }

    private static let floods = [
        Flood("informational responses", "", "HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n"),
        Flood("informational responses without fields", "", "HTTP/1.1 100 Continue\r\n\r\n"),
        Flood("blank lines before the status line", "", "\r\n"),
        Flood("bare line feeds before the status line", "", "\n"),
        Flood("blank lines behind an informational response", "HTTP/1.1 103 Early Hints\r\n\r\n", "\r\n"),
        Flood("spaces in the status line", "HTTP/1.1 200", " "),
        Flood("a reason phrase", "HTTP/1.1 200 O", "O"),
        Flood("one field name", ok, "x"),
        Flood("one field value", ok + "X: ", "y"),
        Flood("blanks before a field value", ok + "X:", " "),
        Flood("fields", ok, "X-Field: value\r\n"),
        Flood("folded lines", ok + "X: 1\r\n", " 2\r\n"),
        Flood("one chunk extension", chunked + "1", ";ext=value"),
        Flood("chunk extensions", chunked, "1;\(String(repeating: "e", count: 1000))\r\nx\r\n"),
        Flood("digits of a chunk size", chunked, "0"),
        Flood("a trailer field", chunked + "1\r\nx\r\n0\r\nX: ", "y"),
        Flood("trailer fields", chunked + "1\r\nx\r\n0\r\n", "X-Trailer: value\r\n"),
    ]

    @Test(.timeLimit(.minutes(2)), arguments: floods)
    func `an endless response is aborted`(_ flood: Flood) async throws {
        let server = try await FloodServer(prefix: flood.prefix, repeated: flood.repeated)
        let log = EventLog()
        let session = AdaptableSession(configuration: .ephemeral, delegate: log, delegateQueue: nil)
        let task = session.dataTask(with: server.url())
        task.resume()
        let error = await log.completion(of: task) as? URLError
        #expect(error?.code == .cannotParseResponse, "\(String(describing: error))")
        #expect(server.sent < 16 << 20)
        #expect(log.events.last == "complete")
        session.invalidateAndCancel()
        await log.invalidation()
    }

    /// A completion handler does not receive informational responses; the limit is the same.
    @Test(.timeLimit(.minutes(1))) func `an endless response to a task with a completion handler is aborted too`()
        async throws
    {
        let server = try await FloodServer(prefix: "", repeated: "HTTP/1.1 102 Processing\r\n\r\n")
        let session = AdaptableSession(configuration: .ephemeral)
        let error = await #expect(throws: URLError.self) { try await session.data(from: server.url()) }
        #expect(error?.code == .cannotParseResponse)
        #expect(server.sent < 16 << 20)
        session.invalidateAndCancel()
    }

    @Test(.timeLimit(.minutes(1)))
    func `the maximum number of informational responses passes, and one more does not`() async throws {
        for (count, passes) in [(100, true), (101, false)] {
            let server = try await ScriptedServer { _ in
                [.send(String(repeating: "HTTP/1.1 102 Processing\r\n\r\n", count: count))] + ScriptedServer.ok("hello")
            }
            let log = EventLog()
            let session = AdaptableSession(configuration: .ephemeral, delegate: log, delegateQueue: nil)
            let task = session.dataTask(with: server.url("/"))
            task.resume()
            let error = await log.completion(of: task) as? URLError
            #expect(error?.code == (passes ? nil : .cannotParseResponse))
            #expect(log.data(of: task) == (passes ? Data("hello".utf8) : Data()))
            // A separate response for each request: the connection of the failed one is closed.
            session.invalidateAndCancel()
            await log.invalidation()
        }
    }

    /// A body that arrives one byte at a time is six times as long on the wire (RFC 9112 §7.1), and is valid.
    @Test(.timeLimit(.minutes(1))) func `a body in chunks of one byte is accepted`() async throws {
        let count = 100_000
        let server = try await ScriptedServer { _ in
            [.send(Self.chunked), .send(String(repeating: "1\r\nx\r\n", count: count)), .send("0\r\n\r\n")]
        }
        let log = EventLog()
        let session = AdaptableSession(configuration: .ephemeral, delegate: log, delegateQueue: nil)
        let task = session.dataTask(with: server.url("/"))
        task.resume()
        #expect(await log.completion(of: task) == nil)
        #expect(log.data(of: task).count == count)
        session.invalidateAndCancel()
    }

    private final class StuckDelegate: AdaptableSessionDataDelegate {
        let call = BlockedCall()
        let count = Mutex(0)
        private let promise = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: (any Error)?.self)

        func urlSession(
            _ session: AdaptableSession, task: AdaptableSessionTask,
            didReceiveInformationalResponse response: HTTPURLResponse
        ) {
            count.withLock { $0 += 1 }
            call.call()
        }

        func urlSession(
            _ session: AdaptableSession, task: AdaptableSessionTask, didCompleteWithError error: (any Error)?
        ) {
            promise.succeed(error)
        }

        func completion() async throws -> (any Error)? { try await promise.futureResult.get() }
    }

    /// They count towards the backlog like body bytes. Otherwise the wait for the pause would end at the time limit.
    @Test(.timeLimit(.minutes(1))) func `informational responses stop reading while the delegate does not return`()
        async throws
    {
        let field = String(repeating: "x", count: 40_000)
        let gate = ScriptedServer.Gate()
        let server = try await ScriptedServer { _ in
            (1...10).map { .send("HTTP/1.1 103 Early Hints\r\nX-Number: \($0)\r\nX: \(field)\r\n\r\n") } + [.wait(gate)]
                + ScriptedServer.ok("hello")
        }
        let delegate = StuckDelegate()
        let configuration = AdaptableSessionConfiguration.ephemeral
        configuration.settings.policies.delivery.backlog = 100_000
        let session = AdaptableSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        let task = session.dataTask(with: server.url("/"))
        task.resume()
        try await delegate.call.reached()
        while !(await isPaused(task, session)) { try Task.checkCancellation() }
        delegate.call.close()
        gate.open()
        #expect(try await delegate.completion() == nil)
        #expect(delegate.count.withLock { $0 } == 10)
        session.invalidateAndCancel()
    }

    private func isPaused(_ task: AdaptableSessionTask, _ session: AdaptableSession) async -> Bool {
        await withCheckedContinuation { continuation in
            session.perform { continuation.resume(returning: $0.loads[task.load]?.needsPause ?? false) }
        }
    }
}
