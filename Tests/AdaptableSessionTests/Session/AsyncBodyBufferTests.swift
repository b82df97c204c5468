import Foundation
import FoundationNetworking
import Testing

@testable import AdaptableSession

@Suite struct AsyncBodyBufferTests {
    /// The body never ends, so a load that continues would never leave the session's list.
    @Test(.timeLimit(.minutes(1))) func `a body without readers is not loaded any more`() async throws {
        let gate = ScriptedServer.Gate()
        let server = try await ScriptedServer { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"), .send("hello"), .wait(gate)]
        }
        let session = AdaptableSession(configuration: .ephemeral)
        for _ in 0..<7 {
            let (bytes, _) = try await session.bytes(from: server.url("/"))
            for try await byte in bytes {
                #expect(byte == UInt8(ascii: "h"))
                break
            }
        }
        while !(await session.allTasks.isEmpty) {
            try Task.checkCancellation()
            await Task.yield()
        }
        gate.open()
    }

    @Test(.timeLimit(.minutes(1))) func `an iterator alone keeps the load running`() async throws {
        let server = try await ScriptedServer { _ in ScriptedServer.ok("hello") }
        let session = AdaptableSession(configuration: .ephemeral)
        func iterator() async throws -> AdaptableSession.AsyncBytes.AsyncIterator {
            try await session.bytes(from: server.url("/")).0.makeAsyncIterator()
        }
        var bytes = try await iterator()
        var text = ""
        while let byte = try await bytes.next() { text.append(Character(Unicode.Scalar(byte))) }
        #expect(text == "hello")
    }

    /// A task that is cancelled before a caller waits for its head.
    @Test(.timeLimit(.minutes(1))) func `a caller waiting for the head of an ended load receives the error`() async {
        let session = AdaptableSession(configuration: .ephemeral)
        let task = session.dataTask(with: URL(fileURLWithPath: "/"))
        let pieces = AsyncBodyBuffer(behind: nil)
        pieces.urlSession(session, task: task, didCompleteWithError: URLError(.cancelled))
        await #expect(throws: URLError(.cancelled)) {
            try await withCheckedThrowingContinuation { pieces.expectHead($0, of: task) }
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a load that succeeds without a response is an error for a waiting caller`()
        async
    {
        let session = AdaptableSession(configuration: .ephemeral)
        let task = session.dataTask(with: URL(fileURLWithPath: "/"))
        let pieces = AsyncBodyBuffer(behind: nil)
        await #expect {
            _ = try await withCheckedThrowingContinuation { continuation in
                pieces.expectHead(continuation, of: task)
                pieces.urlSession(session, task: task, didCompleteWithError: nil)
            }
        } throws: { ($0 as? URLError)?.code == .unknown }
    }
}
