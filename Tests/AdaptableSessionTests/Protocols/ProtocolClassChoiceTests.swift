import Foundation
import FoundationNetworking
import Synchronization
import Testing

@testable import AdaptableSession

/// The choice of protocol classes, and the session's handling of their redirects, cached responses and challenges.
@Suite struct ProtocolClassChoiceTests {
    // MARK: Choosing a class

    @Test(.timeLimit(.minutes(1)))
    func `a class replaces the handling of http, and requests it does not take are loaded as usual`()
        async throws
    {
        let server = try await ScriptedServer { _ in ScriptedServer.ok("real") }
        let stage = Stage { $0.give("canned") }
        let session = stage.session(nil)
        #expect(try await session.data(for: stage.url("http")).0 == Data("canned".utf8))
        #expect(try await session.data(for: stage.url("https")).0 == Data("canned".utf8))
        #expect(try await session.data(from: server.url("/")).0 == Data("real".utf8))
        #expect(server.requests.count == 1 && stage.seen.requests.count == 2)
    }

    @Test(.timeLimit(.minutes(1))) func `a session without the class does not support its scheme`() async throws {
        let stage = Stage { $0.give("canned") }
        _ = stage.session(nil)
        let error = await #expect(throws: URLError.self) {
            try await AdaptableSession(configuration: .ephemeral).data(for: stage.request)
        }
        #expect(error?.code == .unsupportedURL)
        #expect(stage.seen.requests.isEmpty)
    }

    private final class First: AdaptableURLProtocol, @unchecked Sendable {
        // `@unchecked` is safe: the class adds no state.
        override class func canInit(with request: URLRequest) -> Bool {
            request.url?.path == "/first" && request.url?.scheme == "choice"
        }
        override func startLoading() {
            guard let url = request.url else { return }
            client?.urlProtocol(
                self,
                didReceive: URLResponse(url: url, mimeType: "first", expectedContentLength: 0, textEncodingName: nil),
                cacheStoragePolicy: .notAllowed)
            client?.urlProtocolDidFinishLoading(self)
        }
    }

    private final class Second: AdaptableURLProtocol, @unchecked Sendable {
        // `@unchecked` is safe: the class adds no state.
        override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "choice" }
        override class func canonicalRequest(for request: URLRequest) -> URLRequest {
            var canonical = request
            canonical.setValue("yes", forHTTPHeaderField: "X-Canonical")
            return canonical
        }
        override func startLoading() {
            guard let url = request.url else { return }
            client?.urlProtocol(
                self,
                didReceive: URLResponse(
                    url: url, mimeType: request.value(forHTTPHeaderField: "X-Canonical"), expectedContentLength: 0,
                    textEncodingName: nil),
                cacheStoragePolicy: .notAllowed)
            client?.urlProtocolDidFinishLoading(self)
        }
    }

    private func type(_ session: AdaptableSession, _ path: String) async -> String? {
        guard let url = URL(string: "choice://host\(path)") else { return nil }
        return try? await session.data(from: url).1.mimeType
    }

    @Test(.timeLimit(.minutes(1))) func `the first class that takes a request is used, with its canonical request`()
        async throws
    {
        let configuration = AdaptableSessionConfiguration.ephemeral
        configuration.protocolClasses = [First.self, Second.self]
        let session = AdaptableSession(configuration: configuration)
        #expect(await type(session, "/first") == "first")
        #expect(await type(session, "/other") == "yes")
        configuration.protocolClasses = [Second.self, First.self]
        #expect(await type(session, "/first") == "first", "a session keeps the list that it was created with")
        #expect(await type(AdaptableSession(configuration: configuration), "/first") == "yes")
    }

    private final class Known: AdaptableURLProtocol, @unchecked Sendable {
        // `@unchecked` is safe: the class adds no state.
        override class func canInit(with request: URLRequest) -> Bool { request.url?.host == "registered.test" }
        override func startLoading() {
            guard let url = request.url else { return }
            client?.urlProtocol(
                self,
                didReceive: URLResponse(url: url, mimeType: "known", expectedContentLength: 0, textEncodingName: nil),
                cacheStoragePolicy: .notAllowed)
            client?.urlProtocolDidFinishLoading(self)
        }
    }

    private final class Later: AdaptableURLProtocol, @unchecked Sendable {
        // `@unchecked` is safe: the class adds no state.
        override class func canInit(with request: URLRequest) -> Bool {
            Known.canInit(with: request) && request.url?.path == "/later"
        }
        override func startLoading() { client?.urlProtocol(self, didFailWithError: URLError(.cannotParseResponse)) }
    }

    @Test(.timeLimit(.minutes(1)))
    func `registered classes serve every session, the last one first, until they are unregistered`() async throws {
        AdaptableURLProtocol.registerClass(Known.self)
        AdaptableURLProtocol.registerClass(Later.self)
        AdaptableURLProtocol.registerClass(Known.self)
        defer { AdaptableURLProtocol.unregisterClass(Known.self) }
        let url = try #require(URL(string: "http://registered.test/a"))
        let later = try #require(URL(string: "http://registered.test/later"))
        #expect(try await AdaptableSession.shared.data(from: url).1.mimeType == "known")
        let own = AdaptableSession(configuration: .ephemeral)
        #expect(try await own.data(from: url).1.mimeType == "known")
        let error = await #expect(throws: URLError.self) { try await own.data(from: later) }
        #expect(error?.code == .cannotParseResponse)
        AdaptableURLProtocol.unregisterClass(Later.self)
        #expect(try await own.data(from: later).1.mimeType == "known")
    }

    @Test func `a class that overrides nothing takes no request`() throws {
        let url = try #require(URL(string: "http://a.test/"))
        #expect(!AdaptableURLProtocol.canInit(with: URLRequest(url: url)))
        #expect(AdaptableURLProtocol.canonicalRequest(for: URLRequest(url: url)) == URLRequest(url: url))
        let other = try #require(URL(string: "http://b.test/"))
        #expect(AdaptableURLProtocol.requestIsCacheEquivalent(URLRequest(url: url), to: URLRequest(url: url)))
        #expect(!AdaptableURLProtocol.requestIsCacheEquivalent(URLRequest(url: url), to: URLRequest(url: other)))
    }

    // MARK: Redirects

    @Test(.timeLimit(.minutes(1))) func `a redirect of a class is proposed and followed by the class that takes it`()
        async throws
    {
        let server = try await ScriptedServer { _ in ScriptedServer.ok("real") }
        let next = URLRequest(url: server.url("/next"))
        let stage = Stage { object in
            object.redirect(to: next)
            // As forwarding classes do.
            object.fail(URLError(.cancelled))
        }
        let log = EventLog()
        let task = stage.session(log).dataTask(with: stage.request)
        task.resume()
        #expect(await log.completion(of: task) == nil)
        #expect(log.events == ["redirect 302", "response 200", "data", "complete"])
        #expect(log.data(of: task) == Data("real".utf8))
        #expect(task.currentRequest?.url == next.url && task.originalRequest?.url == stage.request.url)
        await stage.stops()
    }

    @Test(.timeLimit(.minutes(1))) func `a refused redirect is the result, also of a download`() async throws {
        let stage = Stage { object in object.redirect(to: object.request) }
        let log = EventLog(redirect: { _ in nil })
        let session = stage.session(log)
        session.dataTask(with: stage.request).resume()
        session.finishTasksAndInvalidate()
        await log.invalidation()
        #expect(log.events == ["redirect 302", "response 302", "complete", "invalid"])
        let other = EventLog(redirect: { _ in nil })
        let download = stage.session(other).downloadTask(with: stage.request)
        download.resume()
        #expect(await other.completion(of: download) == nil)
        #expect(other.file(of: download) == Data())
    }

    @Test(.timeLimit(.minutes(1))) func `a class that redirects endlessly is stopped`() async throws {
        let stage = Stage { object in object.redirect(to: object.request) }
        let error = await #expect(throws: URLError.self) { try await stage.session(nil).data(for: stage.request) }
        #expect(error?.code == .httpTooManyRedirects)
        #expect(stage.seen.requests.count == 21)
    }

    @Test(.timeLimit(.minutes(1))) func `a class takes the target of a server's redirect`() async throws {
        let stage = Stage { $0.give("canned") }
        let target = stage.url("http").url?.absoluteString ?? ""
        let server = try await ScriptedServer { _ in
            [.send("HTTP/1.1 302 Found\r\nLocation: \(target)\r\nContent-Length: 0\r\n\r\n")]
        }
        let (data, _) = try await stage.session(nil).data(from: server.url("/"))
        #expect(data == Data("canned".utf8))
        #expect(server.requests.count == 1 && stage.seen.requests.map { $0.url?.absoluteString } == [target])
    }

    // MARK: The cache

    @Test(.timeLimit(.minutes(1)))
    func `a stored response of a class is passed to it the next time and it may declare it valid`() async throws {
        let stage = Stage { object in
            if let cached = object.cachedResponse {
                object.client?.urlProtocol(object, cachedResponseIsValid: cached)
                // As classes do that deliver the cached response themselves.
                object.give("again", 500)
            } else {
                object.respond(200, ["Cache-Control": "max-age=100", "Content-Length": "6"], .allowed)
                object.load("stored")
                object.finish()
            }
        }
        let cache = AdaptableURLCache(memoryCapacity: 1 << 20)
        let log = EventLog()
        let session = stage.session(log) { $0.urlCache = cache }
        for _ in 0..<2 {
            let task = session.dataTask(with: stage.url("http"))
            task.resume()
            #expect(await log.completion(of: task) == nil)
            #expect(log.data(of: task) == Data("stored".utf8))
        }
        #expect(log.events == ["response 200", "data", "complete", "response 200", "data", "complete"])
        #expect(stage.seen.cached.map { $0?.data } == [nil, Data("stored".utf8)])
        var reloading = stage.url("http")
        reloading.cachePolicy = .reloadIgnoringLocalCacheData
        _ = try await session.data(for: reloading)
        #expect(stage.seen.cached.last?.map { _ in true } == nil)
    }

    @Test(.timeLimit(.minutes(1))) func `the class decides whether and where its response may be stored`() async throws
    {
        func stored(_ policy: URLCache.StoragePolicy) async throws -> AdaptableCachedURLResponse? {
            let stage = Stage { object in
                object.respond(200, ["Cache-Control": "max-age=100"], policy)
                object.finish()
            }
            let cache = AdaptableURLCache(memoryCapacity: 1 << 20)
            _ = try await stage.session(nil) { $0.urlCache = cache }.data(for: stage.url("http"))
            return cache.cachedResponse(for: stage.url("http"))
        }
        #expect(try await stored(.allowed)?.storagePolicy == .allowed)
        #expect(try await stored(.allowedInMemoryOnly)?.storagePolicy == .allowedInMemoryOnly)
        #expect(try await stored(.notAllowed) == nil)
    }

    // MARK: Challenges

    private final class Sender: AdaptableSessionAuthenticationChallengeSender {
        let received = Mutex<[String]>([])
        let object: StagedProtocol
        init(_ object: StagedProtocol) { self.object = object }

        private func send(_ word: String) {
            received.withLock { $0.append(word) }
            object.give(word)
        }

        func use(_ credential: URLCredential, for challenge: AdaptableSessionAuthenticationChallenge) {
            send("use \(credential.user ?? "")")
        }
        func continueWithoutCredential(for challenge: AdaptableSessionAuthenticationChallenge) { send("without") }
        func cancel(_ challenge: AdaptableSessionAuthenticationChallenge) { send("cancel") }
        func rejectProtectionSpaceAndContinue(with challenge: AdaptableSessionAuthenticationChallenge) {
            send("reject")
        }
    }

    private final class Answering: AdaptableSessionDataDelegate {
        let disposition: AdaptableSession.AuthChallengeDisposition
        init(_ disposition: AdaptableSession.AuthChallengeDisposition) { self.disposition = disposition }

        func urlSession(
            _ session: AdaptableSession, task: AdaptableSessionTask,
            didReceive challenge: AdaptableSessionAuthenticationChallenge,
            completionHandler: @escaping @Sendable (AdaptableSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            #expect(challenge.protectionSpace.realm == "stage")
            completionHandler(disposition, URLCredential(user: "ann", password: "pw", persistence: .none))
        }
    }

    private static func challenge(_ object: StagedProtocol) -> AdaptableSessionAuthenticationChallenge {
        AdaptableSessionAuthenticationChallenge(
            protectionSpace: URLProtectionSpace(
                host: "stage", port: 80, protocol: "stage", realm: "stage",
                authenticationMethod: NSURLAuthenticationMethodHTTPBasic),
            proposedCredential: nil, previousFailureCount: 0, failureResponse: nil, error: nil, sender: Sender(object))
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            (AdaptableSession.AuthChallengeDisposition.useCredential, "use ann"), (.performDefaultHandling, "without"),
            (.cancelAuthenticationChallenge, "cancel"), (.rejectProtectionSpace, "reject"),
        ])
    func `the sender of a class receives the delegate's decision about its challenge`(
        disposition: AdaptableSession.AuthChallengeDisposition, word: String
    ) async throws {
        let stage = Stage { object in object.client?.urlProtocol(object, didReceive: Self.challenge(object)) }
        let (data, _) = try await stage.session(nil).data(for: stage.request, delegate: Answering(disposition))
        #expect(data == Data(word.utf8))
    }

    @Test(.timeLimit(.minutes(1))) func `without a decision the class continues with default handling`() async throws {
        let stage = Stage { object in object.client?.urlProtocol(object, didReceive: Self.challenge(object)) }
        #expect(try await stage.session(nil).data(for: stage.request).0 == Data("without".utf8))
    }

    private final class Silent: AdaptableSessionTaskDelegate {
        let asked: AsyncStream<Void>.Continuation
        init(_ asked: AsyncStream<Void>.Continuation) { self.asked = asked }

        func urlSession(
            _ session: AdaptableSession, task: AdaptableSessionTask,
            didReceive challenge: AdaptableSessionAuthenticationChallenge,
            completionHandler: @escaping @Sendable (AdaptableSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            // Never decided.
            asked.yield()
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a challenge that the class cancels does not block the load`() async throws {
        let (asked, wasCalled) = AsyncStream<Void>.makeStream()
        let objects = Mutex<[StagedProtocol]>([])
        let stage = Stage { object in
            objects.withLock { $0.append(object) }
            object.client?.urlProtocol(object, didReceive: Self.challenge(object))
        }
        let session = stage.session(nil)
        async let loaded = session.data(for: stage.request, delegate: Silent(wasCalled))
        for await _ in asked { break }
        let object = try #require(objects.withLock { $0.first })
        object.client?.urlProtocol(object, didCancel: Self.challenge(object))
        object.give("on")
        #expect(try await loaded.0 == Data("on".utf8))
    }

    // MARK: Resumed downloads

    @Test(.timeLimit(.minutes(1))) func `a resumed download requests the rest from the class`() async throws {
        let whole = String(repeating: "0123456789", count: 20_000)
        let stage = Stage { object in
            if let range = object.request.value(forHTTPHeaderField: "Range") {
                let start =
                    range.split(whereSeparator: { "=-".contains($0) }).dropFirst().first.flatMap { Int($0) } ?? 0
                object.respond(
                    206,
                    ["Content-Range": "bytes \(start)-\(whole.utf8.count - 1)/\(whole.utf8.count)", "ETag": "\"1\""])
                object.load(String(whole.dropFirst(start)))
                object.finish()
            } else {
                object.respond(
                    200, ["Content-Length": "\(whole.utf8.count)", "ETag": "\"1\"", "Accept-Ranges": "bytes"])
                object.load(String(whole.prefix(100_000)))
                object.fail(URLError(.networkConnectionLost))
            }
        }
        let log = EventLog()
        let session = stage.session(log)
        let first = session.downloadTask(with: stage.url("http"))
        first.resume()
        let error = await log.completion(of: first) as? URLError
        let data = try #require(error?.userInfo[AdaptableSession.downloadTaskResumeData] as? Data)
        let second = session.downloadTask(withResumeData: data)
        second.resume()
        #expect(await log.completion(of: second) == nil)
        #expect(log.file(of: second) == Data(whole.utf8))
        #expect(log.events.contains("resumed at 100000 of 200000"))
        #expect(stage.seen.requests.last?.value(forHTTPHeaderField: "Range") == "bytes=100000-")
    }
}
