import AdaptableSession
import Foundation
import FoundationNetworking
import Synchronization
import Testing

/// A completion handler replaces the callbacks for the response, the data or the file, and the completion. All others
/// go to the delegate, first to the task's own (CONV-05).
@Suite struct HandlerTaskTests {
    private final class Deciding: AdaptableSessionDataDelegate, AdaptableSessionDownloadDelegate {
        private let redirect: @Sendable (URLRequest) -> URLRequest?
        private let noted = Mutex<[String]>([])
        private let (metrics, metricsEnd) = AsyncStream.makeStream(of: Void.self)

        init(redirect: @escaping @Sendable (URLRequest) -> URLRequest? = { $0 }) { self.redirect = redirect }

        /// In the order of their first calls. Metrics are the last callback.
        var events: [String] {
            get async {
                for await _ in metrics { break }
                return noted.withLock { $0 }
            }
        }

        var eventsSoFar: [String] { noted.withLock { $0 } }

        private func note(_ event: String) { noted.withLock { if !$0.contains(event) { $0.append(event) } } }

        func urlSession(_ session: AdaptableSession, didCreateTask task: AdaptableSessionTask) { note("created") }

        func urlSession(
            _ session: AdaptableSession, task: AdaptableSessionTask,
            willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            note("redirect")
            completionHandler(redirect(request))
        }

        func urlSession(
            _ session: AdaptableSession, task: AdaptableSessionTask,
            didReceive challenge: AdaptableSessionAuthenticationChallenge,
            completionHandler: @escaping @Sendable (AdaptableSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            note("challenge")
            completionHandler(.performDefaultHandling, nil)
        }

        func urlSession(
            _ session: AdaptableSession, task: AdaptableSessionTask, didSendBodyData bytesSent: Int64,
            totalBytesSent: Int64,
            totalBytesExpectedToSend: Int64
        ) { note("sent") }

        func urlSession(
            _ session: AdaptableSession, task: AdaptableSessionTask,
            didReceiveInformationalResponse response: HTTPURLResponse
        ) { note("informational") }

        func urlSession(
            _ session: AdaptableSession, task: AdaptableSessionTask,
            didFinishCollecting metrics: AdaptableSessionTaskMetrics
        ) {
            note("metrics")
            metricsEnd.yield()
        }

        func urlSession(
            _ session: AdaptableSession, task: AdaptableSessionTask, didCompleteWithError error: (any Error)?
        ) {
            note("complete")
        }

        func urlSession(
            _ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (AdaptableSession.ResponseDisposition) -> Void
        ) {
            note("response")
            completionHandler(.allow)
        }

        func urlSession(_ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didReceive data: Data) {
            note("data")
        }

        func urlSession(
            _ session: AdaptableSession, dataTask: AdaptableSessionDataTask,
            willCacheResponse proposedResponse: AdaptableCachedURLResponse,
            completionHandler: @escaping @Sendable (AdaptableCachedURLResponse?) -> Void
        ) {
            note("cache")
            completionHandler(proposedResponse)
        }

        func urlSession(
            _ session: AdaptableSession, downloadTask: AdaptableSessionDownloadTask,
            didFinishDownloadingTo location: URL
        ) { note("file") }

        func urlSession(
            _ session: AdaptableSession, downloadTask: AdaptableSessionDownloadTask, didWriteData bytesWritten: Int64,
            totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
        ) { note("wrote") }
    }

    private static func server() async throws -> ScriptedServer {
        try await ScriptedServer { request in
            switch request.line.split(separator: " ")[1] {
            case "/old": [.send("HTTP/1.1 307 Temporary Redirect\r\nLocation: /new\r\nContent-Length: 3\r\n\r\nold")]
            case "/early": [.send("HTTP/1.1 103 Early Hints\r\n\r\n")] + ScriptedServer.ok("x")
            case "/private":
                [.send("HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"r\"\r\nContent-Length: 0\r\n\r\n")]
            case "/other": ScriptedServer.ok("other")
            default: ScriptedServer.ok("new", "Cache-Control: max-age=60\r\n")
            }
        }
    }

    private func result(
        _ make: (@escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void) -> AdaptableSessionTask,
        delegate: (any AdaptableSessionTaskDelegate)? = nil
    ) async -> (text: String?, status: Int?) {
        await withCheckedContinuation { done in
            let task = make { data, response, _ in
                done.resume(
                    returning: (
                        data.map { String(decoding: $0, as: UTF8.self) }, (response as? HTTPURLResponse)?.statusCode
                    ))
            }
            if let delegate { task.delegate = delegate }
            task.resume()
        }
    }

    @Test(.timeLimit(.minutes(1))) func `the session's delegate decides about the redirect of a task with a handler`()
        async throws
    {
        let server = try await Self.server()
        let delegate = Deciding(redirect: { _ in nil })
        let session = AdaptableSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
        let result = await result { session.dataTask(with: server.url("/old"), completionHandler: $0) }
        #expect(result.text == "old")
        #expect(result.status == 307)
        #expect(await delegate.events == ["created", "redirect", "metrics"])
        session.invalidateAndCancel()
    }

    @Test(.timeLimit(.minutes(1))) func `a task's own delegate decides before the session's`() async throws {
        let server = try await Self.server()
        let other = server.url("/other")
        let own = Deciding(redirect: { _ in URLRequest(url: other) })
        let common = Deciding(redirect: { _ in nil })
        let session = AdaptableSession(configuration: .ephemeral, delegate: common, delegateQueue: nil)
        let result = await result({ session.dataTask(with: server.url("/old"), completionHandler: $0) }, delegate: own)
        #expect(result.text == "other")
        #expect(!common.eventsSoFar.contains("redirect"))
        session.invalidateAndCancel()
    }

    @Test(.timeLimit(.minutes(1))) func `an async load lets its own delegate decide about redirects`() async throws {
        let server = try await Self.server()
        let session = AdaptableSession(configuration: .ephemeral)
        let delegate = Deciding(redirect: { _ in nil })
        let (data, response) = try await session.data(from: server.url("/old"), delegate: delegate)
        #expect(String(decoding: data, as: UTF8.self) == "old")
        #expect((response as? HTTPURLResponse)?.statusCode == 307)
        #expect(await delegate.events == ["created", "redirect", "metrics"])
    }

    @Test(.timeLimit(.minutes(1))) func `an async download lets its own delegate decide about redirects`() async throws
    {
        let server = try await Self.server()
        let session = AdaptableSession(configuration: .ephemeral)
        let other = server.url("/other")
        let delegate = Deciding(redirect: { _ in URLRequest(url: other) })
        let (file, _) = try await session.download(from: server.url("/old"), delegate: delegate)
        #expect(try String(contentsOf: file, encoding: .utf8) == "other")
        try FileManager.default.removeItem(at: file)
        #expect(await delegate.events == ["created", "redirect", "metrics"])
    }

    @Test(.timeLimit(.minutes(1))) func `an async upload reports its sent bytes`() async throws {
        let server = try await Self.server()
        var request = URLRequest(url: server.url("/sink"))
        request.httpMethod = "POST"
        let session = AdaptableSession(configuration: .ephemeral)
        let delegate = Deciding()
        _ = try await session.upload(for: request, from: Data("body".utf8), delegate: delegate)
        #expect(await delegate.events == ["created", "sent", "metrics"])
    }

    @Test(.timeLimit(.minutes(1))) func `an upload with a handler reports its sent bytes to the session's delegate`()
        async throws
    {
        let server = try await Self.server()
        var request = URLRequest(url: server.url("/sink"))
        request.httpMethod = "POST"
        let delegate = Deciding()
        let session = AdaptableSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
        let (sent, body) = (request, Data("body".utf8))
        let result = await result { session.uploadTask(with: sent, from: body, completionHandler: $0) }
        #expect(result.status == 200)
        #expect(await delegate.events == ["created", "sent", "metrics"])
        session.invalidateAndCancel()
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            ("/early", ["created", "informational", "metrics"]), ("/private", ["created", "challenge", "metrics"]),
        ])
    func `a task with a handler reports informational responses and challenges`(_ path: String, _ events: [String])
        async throws
    {
        let server = try await Self.server()
        let delegate = Deciding()
        let session = AdaptableSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
        _ = await result { session.dataTask(with: server.url(path), completionHandler: $0) }
        #expect(await delegate.events == events)
        session.invalidateAndCancel()
    }

    // `@unchecked` is safe: the class adds no state.
    private final class Redirecting: AdaptableURLProtocol, @unchecked Sendable {
        override class func canInit(with request: URLRequest) -> Bool { request.url?.path == "/old" }
        override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
        override func startLoading() {
            guard let url = request.url, let new = URL(string: "/new", relativeTo: url)?.absoluteURL,
                let response = HTTPURLResponse(url: url, statusCode: 302, httpVersion: nil, headerFields: nil)
            else { return }
            client?.urlProtocol(self, wasRedirectedTo: URLRequest(url: new), redirectResponse: response)
        }
        override func stopLoading() {}
    }

    @Test(.timeLimit(.minutes(1))) func `the delegate also decides about the redirect of a protocol class`()
        async throws
    {
        let server = try await Self.server()
        let configuration = AdaptableSessionConfiguration.ephemeral
        configuration.protocolClasses = [Redirecting.self]
        let delegate = Deciding(redirect: { _ in nil })
        let session = AdaptableSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        let result = await result { session.dataTask(with: server.url("/old"), completionHandler: $0) }
        #expect(result.status == 302)
        #expect(server.requests.isEmpty)
        session.invalidateAndCancel()
    }
}
