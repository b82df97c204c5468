import Foundation
import FoundationNetworking
import Testing

@testable import AdaptableSession

@Suite struct SessionCoreTests {
    /// As when another thread invalidates the session after a task was created and before its load was added.
    @Test(.timeLimit(.minutes(1))) func `a task added to an invalid session is cancelled`() async throws {
        let server = try await ScriptedServer { _ in ScriptedServer.ok("x") }
        let session = AdaptableSession(configuration: .ephemeral)
        var facts = TaskFacts()
        facts.originalRequest = URLRequest(url: server.url("/"))
        let task = AdaptableSessionDataTask(session: session, identifier: 1, load: 1, facts: facts)
        session.invalidateAndCancel()
        let error = await withCheckedContinuation { (done: CheckedContinuation<(any Error)?, Never>) in
            session.perform { core in
                core.add(
                    TaskLoad(
                        task, kind: .data, ending: .data { _, _, error in done.resume(returning: error) }, core: core),
                    isInvalid: false)
            }
            task.resume()
        }
        #expect((error as? URLError)?.code == .cancelled)
        #expect(server.requests.isEmpty)
    }

    @Test(.timeLimit(.minutes(1))) func `the shared session cannot be invalidated`() async throws {
        let server = try await ScriptedServer { _ in ScriptedServer.ok("x") }
        AdaptableSession.shared.finishTasksAndInvalidate()
        AdaptableSession.shared.invalidateAndCancel()
        #expect(try await AdaptableSession.shared.data(from: server.url("/")).0 == Data("x".utf8))
    }

    @Test(.timeLimit(.minutes(1)), arguments: [0, -1, Double.nan])
    func `zero, negative and NaN timeouts mean the default`(_ seconds: TimeInterval) async throws {
        let server = try await ScriptedServer { _ in ScriptedServer.ok("x") }
        let configuration = AdaptableSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = seconds
        configuration.timeoutIntervalForResource = seconds
        var request = URLRequest(url: server.url("/"))
        request.timeoutInterval = seconds
        #expect(try await AdaptableSession(configuration: configuration).data(for: request).0 == Data("x".utf8))
    }

    private final class Witness: AdaptableSessionDataDelegate {
        private let log: EventLog
        init(_ log: EventLog) { self.log = log }

        func urlSession(_ session: AdaptableSession, didCreateTask task: AdaptableSessionTask) {
            log.urlSession(
                session, task: task, didSendBodyData: 0, totalBytesSent: Int64(task.taskIdentifier),
                totalBytesExpectedToSend: 0)
        }

        func urlSession(_ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didReceive data: Data) {
            log.urlSession(session, dataTask: dataTask, didReceive: data)
        }

        func urlSession(_ session: AdaptableSession, didBecomeInvalidWithError error: (any Error)?) {
            log.urlSession(session, didBecomeInvalidWithError: error)
        }
    }

    /// The log does not have a word for a creation; `sent` with the task's number stands for it.
    @Test(.timeLimit(.minutes(1))) func `the first callback of a task is its creation`() async throws {
        let server = try await ScriptedServer { _ in ScriptedServer.ok("x") }
        let log = EventLog()
        let session = AdaptableSession(configuration: .ephemeral, delegate: Witness(log), delegateQueue: nil)
        session.dataTask(with: server.url("/")).resume()
        session.finishTasksAndInvalidate()
        await log.invalidation()
        #expect(log.events == ["sent 1/0", "data", "invalid"])
    }
}
