import Foundation
import FoundationNetworking
import Synchronization
import Testing

@testable import AdaptableSession

/// `file:` URLs: the content of any size, and one error for each reason why it cannot be loaded.
@Suite struct FileProtocolTests {
    private static func withFile(_ name: String, _ content: Data, _ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("files-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent(name)
        try content.write(to: file)
        try await body(file)
    }

    private static func pattern(_ count: Int) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8 ^ $0 >> 16) })
    }

    @Test(.timeLimit(.minutes(1)), arguments: [0, 1, 65_536, 1_000_001]) func `a file of any size is loaded completely`(
        count: Int
    ) async throws {
        let content = Self.pattern(count)
        try await Self.withFile("a ü.json", content) { file in
            let session = AdaptableSession(configuration: .ephemeral)
            let (data, response) = try await session.data(from: file)
            // Compared outside of `#expect`, which takes minutes to describe the difference of large bodies.
            let isWhole = data == content
            #expect(isWhole)
            #expect(response.expectedContentLength == Int64(count) && response.mimeType == "application/json")
            let (copy, _) = try await session.download(from: file)
            defer { try? FileManager.default.removeItem(at: copy) }
            let (copied, kept) = (try Data(contentsOf: copy), try Data(contentsOf: file))
            let areSame = copied == content && kept == content
            #expect(areSame)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a file that cannot be loaded is an error with the reason`() async throws {
        try await Self.withFile("a", Data("a".utf8)) { file in
            let session = AdaptableSession(configuration: .ephemeral)
            func code(_ url: URL) async -> URLError.Code? {
                do {
                    _ = try await session.data(from: url)
                    return nil
                } catch { return (error as? URLError)?.code }
            }
            #expect(await code(file.appendingPathExtension("none")) == .fileDoesNotExist)
            #expect(await code(file.deletingLastPathComponent()) == .fileIsDirectory)
            #expect(await code(URL(fileURLWithPath: "/dev/zero")) == .cannotOpenFile)
            let elsewhere = try #require(URL(string: "file://elsewhere.test/a"))
            #expect(await code(elsewhere) == .unsupportedURL)
            let link = file.deletingLastPathComponent().appendingPathComponent("link")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
            #expect(await code(link) == nil)
            let local = try #require(URL(string: "file://localhost\(file.path)"))
            #expect(await code(local) == nil)
            #expect(FileProtocol.obstacle(CocoaError(.fileReadNoPermission)) == .noPermission)
            #expect(FileProtocol.obstacle(CocoaError(.fileReadNoSuchFile)) == .missing)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `nothing can be uploaded to a file`() async throws {
        try await Self.withFile("a", Data("a".utf8)) { file in
            let session = AdaptableSession(configuration: .ephemeral)
            let request = URLRequest(url: file)
            let error = await #expect(throws: URLError.self) {
                try await session.upload(for: request, from: Data("b".utf8))
            }
            #expect(error?.code == .unsupportedURL)
            let kept = try Data(contentsOf: file)
            #expect(kept == Data("a".utf8))
        }
    }

    /// Consumes buffered bytes when the buffer is full, but only after the class had many chances to read on; records
    /// the maximum number of buffered bytes.
    private final class Taker: Sendable {
        struct State: Sendable {
            var waiting = 0
            var most = 0
            var isTaking = false
            var data = Data()
        }
        let state = Mutex(State())
        let ended: AsyncStream<Void>.Continuation
        init(_ ended: AsyncStream<Void>.Continuation) { self.ended = ended }

        func take(_ client: ProtocolClient, _ message: ProtocolMessage) {
            switch message {
            case .data(let data):
                state.withLock { state in
                    state.data += data
                    state.waiting += data.count
                    state.most = max(state.most, state.waiting)
                }
                let isFull = state.withLock { state in
                    defer { state.isTaking = state.isTaking || state.waiting >= 100_000 }
                    return state.waiting >= 100_000 && !state.isTaking
                }
                if isFull { take(all: client, after: 20) }
            case .finished, .failed: ended.yield()
            case .response, .redirected, .cachedIsValid, .challenge, .challengeCancelled: break
            }
        }

        /// Each turn runs everything that the class has scheduled.
        private func take(all client: ProtocolClient, after turns: Int) {
            if turns > 0 { return ProtocolRun.threads.addBarrierBlock { self.take(all: client, after: turns - 1) } }
            let count = state.withLock { state in
                defer {
                    state.waiting = 0
                    state.isTaking = false
                }
                return state.waiting
            }
            client.didConsume(count)
        }
    }

    /// With a limit of 100,000 bytes and pieces of 65,536 bytes at most two pieces can be buffered.
    @Test(.timeLimit(.minutes(1))) func `a file is read no faster than it is consumed`() async throws {
        let content = Self.pattern(3_000_000)
        try await Self.withFile("a", content) { file in
            let (ended, hasEnded) = AsyncStream<Void>.makeStream()
            let taker = Taker(hasEnded)
            let client = ProtocolClient(limit: 100_000) { taker.take($0, $1) }
            let object = FileProtocol(request: URLRequest(url: file), cachedResponse: nil, client: client)
            object.startLoading()
            for await _ in ended { break }
            object.stopLoading()
            let isWhole = taker.state.withLock { $0.data } == content
            #expect(isWhole)
            #expect(taker.state.withLock { $0.most } == 2 * 65_536)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a large file is read only as fast as a slow delegate consumes it`()
        async throws
    {
        let content = Self.pattern(5_000_000)
        try await Self.withFile("a", content) { file in
            let log = EventLog(onData: { task in
                task.suspend()
                task.resume()
            })
            let task = AdaptableSession(configuration: .ephemeral, delegate: log, delegateQueue: nil).dataTask(
                with: file)
            task.resume()
            #expect(await log.completion(of: task) == nil)
            let isWhole = log.data(of: task) == content
            #expect(isWhole)
        }
    }

    @Test(arguments: [
        ("a.HTML", "text/html"), ("a.tar.gz", "application/gzip"), ("a", "application/octet-stream"),
        ("a.moof", "application/octet-stream"),
    ])
    func `the file name extension determines the media type`(name: String, type: String) {
        #expect(MIMEType.ofFile(named: name) == type)
    }
}
