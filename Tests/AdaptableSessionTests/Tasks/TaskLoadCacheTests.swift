import Foundation
import FoundationNetworking
import Synchronization
import Testing

@testable import AdaptableSession

/// The cache between a task and the network, over real sockets: the tests check the server's requests and the task's
/// callbacks.
struct TaskLoadCacheTests {
    private func session(_ log: EventLog? = nil, cache: AdaptableURLCache?) -> AdaptableSession {
        let configuration = AdaptableSessionConfiguration.ephemeral
        configuration.urlCache = cache
        return AdaptableSession(configuration: configuration, delegate: log, delegateQueue: nil)
    }

    private let memory = AdaptableURLCache(memoryCapacity: 1 << 20)

    /// Each response names the request that it belongs to.
    private func server(_ fields: String) async throws -> ScriptedServer {
        try await ScriptedServer { request in
            if request.fields["if-none-match"] == "\"v1\"" {
                return [.send("HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\n\r\n")]
            }
            return ScriptedServer.ok("answer \(request.number)", fields)
        }
    }

    private func text(
        _ session: AdaptableSession, _ url: URL, _ policy: NSURLRequest.CachePolicy = .useProtocolCachePolicy
    ) async throws -> String {
        String(decoding: try await session.data(for: URLRequest(url: url, cachePolicy: policy)).0, as: UTF8.self)
    }

    @Test(.timeLimit(.minutes(1))) func `a fresh response is delivered again as if it were loaded`() async throws {
        let server = try await server("Cache-Control: max-age=60\r\n")
        let log = EventLog()
        let session = session(log, cache: memory)
        for number in 1...2 {
            let task = session.dataTask(with: server.url("/a"))
            task.resume()
            #expect(await log.completion(of: task) == nil)
            #expect(log.data(of: task) == Data("answer 1".utf8))
            #expect(task.countOfBytesReceived == 8 && task.progress.fractionCompleted == 1, "\(number)")
        }
        #expect(log.events == ["response 200", "data", "complete", "response 200", "data", "complete"])
        #expect(server.requests.count == 1)
    }

    @Test(.timeLimit(.minutes(1)), arguments: [false, true])
    func `a task suspended at its stored response receives the body after it is resumed`(becomesDownload: Bool)
        async throws
    {
        let server = try await server("Cache-Control: max-age=60\r\n")
        _ = try await session(cache: memory).data(from: server.url("/a"))
        let log = EventLog(disposition: becomesDownload ? .becomeDownload : .allow, onResponse: { $0.suspend() })
        let session = session(log, cache: memory)
        let task = session.dataTask(with: server.url("/a"))
        task.resume()
        // "became" is recorded after the download is stored, and only then can it be resumed.
        try await log.wait(for: becomesDownload ? "became" : "response 200")
        // All earlier calls between the delegate and the session have been processed when another task has ended.
        let (data, _) = try await session.data(from: server.url("/other"))
        #expect(String(decoding: data, as: UTF8.self) == "answer 2")
        #expect(log.events == (becomesDownload ? ["response 200", "became"] : ["response 200"]))
        if becomesDownload { try #require(log.download(from: task)).resume() } else { task.resume() }
        session.finishTasksAndInvalidate()
        await log.invalidation()
        #expect(log.events.suffix(2) == ["complete", "invalid"])
        #expect(
            (becomesDownload ? log.download(from: task).flatMap { log.file(of: $0) } : log.data(of: task))
                == Data("answer 1".utf8))
        #expect(server.requests.count == 2)
    }

    @Test(.timeLimit(.minutes(1))) func `a 304 delivers the stored body with status 200, repeatedly`()
        async throws
    {
        let server = try await server("Cache-Control: no-cache\r\nETag: \"v1\"\r\n")
        let session = session(cache: memory)
        for _ in 1...3 {
            let (data, response) = try await session.data(from: server.url("/a"))
            #expect(String(decoding: data, as: UTF8.self) == "answer 1")
            #expect((response as? HTTPURLResponse)?.statusCode == 200)
        }
        #expect(server.requests.map { $0.fields["if-none-match"] } == [nil, "\"v1\"", "\"v1\""])
    }

    @Test(.timeLimit(.minutes(1)))
    func `after a 304 for another representation the request is repeated without a condition`()
        async throws
    {
        let server = try await ScriptedServer { request in
            request.number == 2
                ? [.send("HTTP/1.1 304 Not Modified\r\nETag: \"other\"\r\n\r\n")]
                : ScriptedServer.ok(
                    "answer \(request.number)", "Cache-Control: no-cache\r\nETag: \"v\(request.number)\"\r\n")
        }
        let session = session(cache: memory)
        #expect(try await text(session, server.url("/a")) == "answer 1")
        #expect(try await text(session, server.url("/a")) == "answer 3")
        #expect(server.requests.map { $0.fields["if-none-match"] } == [nil, "\"v1\"", nil])
    }

    @Test(.timeLimit(.minutes(1)))
    func `downloads, uploads and a session without a cache store and use nothing`() async throws {
        let server = try await server("Cache-Control: max-age=60\r\n")
        let cached = session(cache: memory)
        try FileManager.default.removeItem(at: try await cached.download(from: server.url("/a")).0)
        #expect(memory.currentMemoryUsage == 0)
        #expect(try await text(cached, server.url("/a")) == "answer 2")
        #expect(try await text(session(cache: nil), server.url("/a")) == "answer 3")
        try FileManager.default.removeItem(at: try await cached.download(from: server.url("/a")).0)
        #expect(server.requests.count == 4)
    }

    @Test(.timeLimit(.minutes(1))) func `a request restricted to the cache is served from the store or not at all`()
        async throws
    {
        let server = try await server("Cache-Control: max-age=0\r\nETag: \"v1\"\r\n")
        let session = session(cache: memory)
        await #expect(throws: URLError.self) { try await text(session, server.url("/a"), .returnCacheDataDontLoad) }
        #expect(server.requests.isEmpty)
        #expect(try await text(session, server.url("/a")) == "answer 1")
        #expect(try await text(session, server.url("/a"), .returnCacheDataDontLoad) == "answer 1")
        #expect(try await text(session, server.url("/a"), .returnCacheDataElseLoad) == "answer 1")
        #expect(try await text(session, server.url("/a"), .reloadIgnoringLocalCacheData) == "answer 2")
        #expect(server.requests.count == 2)
    }

    @Test(.timeLimit(.minutes(1))) func `an interrupted response is not stored`() async throws {
        let server = try await ScriptedServer { request in
            request.number == 1
                ? [.send("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 100\r\n\r\npart"), .close]
                : ScriptedServer.ok("whole")
        }
        let session = session(cache: memory)
        await #expect(throws: URLError.self) { try await text(session, server.url("/a")) }
        #expect(memory.currentMemoryUsage == 0)
        #expect(try await text(session, server.url("/a")) == "whole")
    }

    @Test(.timeLimit(.minutes(1))) func `an encoded response is stored decoded`() async throws {
        let gzip = Array(Data(base64Encoded: "H4sIAAAAAAACAyvISczMUyhAJwEOPe0nFwAAAA==")!)
        let server = try await ScriptedServer { _ in
            [
                .send(
                    "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Encoding: gzip\r\nContent-Length: \(gzip.count)\r\n\r\n"
                ),
                .sendBytes(gzip),
            ]
        }
        let session = session(cache: memory)
        for _ in 1...2 { #expect(try await text(session, server.url("/a")) == "plain plain plain plain") }
        #expect(server.requests.count == 1)
    }

    @Test(.timeLimit(.minutes(1))) func `the target of a redirect is looked up in the cache`() async throws {
        let server = try await ScriptedServer { request in
            request.line.contains("/old")
                ? [.send("HTTP/1.1 302 Found\r\nLocation: /new\r\nContent-Length: 0\r\n\r\n")]
                : ScriptedServer.ok("answer \(request.number)", "Cache-Control: max-age=60\r\n")
        }
        let session = session(cache: memory)
        #expect(try await text(session, server.url("/new")) == "answer 1")
        #expect(try await text(session, server.url("/old")) == "answer 1")
        #expect(server.requests.map(\.line) == ["GET /new HTTP/1.1", "GET /old HTTP/1.1"])
    }

    @Test(.timeLimit(.minutes(1))) func `a response for one cookie is not used for another`() async throws {
        let server = try await server("Cache-Control: max-age=60\r\nVary: Cookie\r\n")
        let session = session(cache: memory)
        let storage = try #require(session.configuration.httpCookieStorage)
        storage.setCookie(AdaptableCookie(name: "user", value: "ann", domain: "127.0.0.1"))
        for _ in 1...2 { #expect(try await text(session, server.url("/a")) == "answer 1") }
        storage.setCookie(AdaptableCookie(name: "user", value: "bob", domain: "127.0.0.1"))
        #expect(try await text(session, server.url("/a")) == "answer 2")
        #expect(server.requests.map { $0.fields["cookie"] } == ["user=ann", "user=bob"])
    }

    @Test(.timeLimit(.minutes(1))) func `a cached response that becomes a download is written to a file`() async throws
    {
        let server = try await server("Cache-Control: max-age=60\r\n")
        #expect(try await text(session(cache: memory), server.url("/a")) == "answer 1")
        let log = EventLog(disposition: .becomeDownload)
        let session = session(log, cache: memory)
        session.dataTask(with: server.url("/a")).resume()
        session.finishTasksAndInvalidate()
        await log.invalidation()
        #expect(log.events == ["response 200", "became", "wrote", "file", "complete", "invalid"])
        #expect(server.requests.count == 1)
    }

    /// An application's own cache is called with the task, replies later from another thread, and does not block other
    /// tasks (STOR-04).
    @Test(.timeLimit(.minutes(1))) func `a cache that replies late delays its own task only`() async throws {
        final class Late: AdaptableURLCache, @unchecked Sendable {
            let asked = Mutex<[@Sendable () -> Void]>([])
            let stored = Mutex(0)
            override func getCachedResponse(
                for dataTask: AdaptableSessionDataTask,
                completionHandler: @escaping @Sendable (AdaptableCachedURLResponse?) -> Void
            ) {
                if dataTask.currentRequest?.url?.path == "/late" {
                    asked.withLock { $0.append { completionHandler(nil) } }
                } else {
                    completionHandler(nil)
                }
            }
            override func storeCachedResponse(
                _ cachedResponse: AdaptableCachedURLResponse, for dataTask: AdaptableSessionDataTask
            ) {
                stored.withLock { $0 += 1 }
            }
        }
        let server = try await server("Cache-Control: max-age=60\r\n")
        let cache = Late(memoryCapacity: 1 << 20)
        let log = EventLog()
        let session = session(log, cache: cache)
        let late = session.dataTask(with: server.url("/late"))
        late.resume()
        let other = session.dataTask(with: server.url("/other"))
        other.resume()
        #expect(await log.completion(of: other) == nil)
        #expect(server.requests.map(\.line) == ["GET /other HTTP/1.1"])
        for answer in cache.asked.withLock({ $0 }) { answer() }
        #expect(await log.completion(of: late) == nil)
        #expect(server.requests.map(\.line) == ["GET /other HTTP/1.1", "GET /late HTTP/1.1"])
        #expect(cache.stored.withLock { $0 } == 2)
    }
}
