import Foundation
import FoundationNetworking
import Testing

@testable import AdaptableSession

@Suite struct OptionalMethodProbeTests {
    private final class Silent: AdaptableSessionTaskDelegate {}

    private final class Implementing: AdaptableSessionTaskDelegate {
        func urlSession(
            _ session: AdaptableSession, task: AdaptableSessionTask, didCompleteWithError error: (any Error)?
        ) {}
    }

    @Test func `a method that the delegate does not implement is detected`() throws {
        let session = AdaptableSession(configuration: .ephemeral)
        let task = session.dataTask(with: try #require(URL(string: "http://127.0.0.1/")))
        let silent: any AdaptableSessionTaskDelegate = Silent()
        let implementing: any AdaptableSessionTaskDelegate = Implementing()
        #expect(
            !OptionalMethodProbe.isImplemented(by: silent) {
                silent.urlSession(session, task: task, didCompleteWithError: nil)
            })
        #expect(
            OptionalMethodProbe.isImplemented(by: implementing) {
                implementing.urlSession(session, task: task, didCompleteWithError: nil)
            })
        #expect(
            !OptionalMethodProbe.isImplemented(by: implementing) {
                implementing.urlSession(session, taskIsWaitingForConnectivity: task)
            })
        task.cancel()
    }

    private final class Forwarding: AdaptableSessionTaskDelegate {
        private let next = Silent()

        func urlSession(
            _ session: AdaptableSession, task: AdaptableSessionTask,
            willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            next.urlSession(
                session, task: task, willPerformHTTPRedirection: response, newRequest: request,
                completionHandler: completionHandler)
        }
    }

    /// The session's delegate would refuse the redirect.
    @Test(.timeLimit(.minutes(1)))
    func `a delegate that forwards a method to one without it gets the default decision`() async throws {
        let server = try await ScriptedServer { request in
            request.line.hasPrefix("GET /old")
                ? [.send("HTTP/1.1 302 Found\r\nLocation: /new\r\nContent-Length: 0\r\n\r\n")]
                : ScriptedServer.ok("new")
        }
        let log = EventLog(redirect: { _ in nil })
        let session = AdaptableSession(configuration: .ephemeral, delegate: log, delegateQueue: nil)
        let task = session.dataTask(with: server.url("/old"))
        task.delegate = Forwarding()
        task.resume()
        #expect(await log.completion(of: task) == nil)
        #expect(log.events == ["response 200", "data", "complete"])
    }
}
