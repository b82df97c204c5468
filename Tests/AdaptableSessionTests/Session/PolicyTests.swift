import Foundation
import FoundationNetworking
import Testing

@_spi(Mutants) @testable import AdaptableSession

/// A changed policy must have a visible effect: otherwise a mutant that uses it would be detected by nothing, or by
/// chance.
@Suite struct PolicyTests {
    private func session(_ log: EventLog, _ change: (inout SessionPolicies) -> Void) -> AdaptableSession {
        let configuration = AdaptableSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-A": "session"]
        change(&configuration.settings.policies)
        return AdaptableSession(configuration: configuration, delegate: log, delegateQueue: nil)
    }

    @Test(.timeLimit(.minutes(1))) func `a session that completes too early reports the file last`() async throws {
        let server = try await ScriptedServer { _ in ScriptedServer.ok("hello") }
        let log = EventLog()
        let session = session(log) { $0.tasks.completesLast = false }
        session.downloadTask(with: server.url("/")).resume()
        session.finishTasksAndInvalidate()
        await log.invalidation()
        #expect(log.events == ["wrote", "complete", "file", "invalid"])
    }

    @Test(.timeLimit(.minutes(1))) func `a session that completes tasks twice reports two completions`() async throws {
        let server = try await ScriptedServer { _ in ScriptedServer.ok("") }
        let log = EventLog()
        let session = session(log) { $0.tasks.completesOnce = false }
        session.dataTask(with: server.url("/")).resume()
        session.finishTasksAndInvalidate()
        await log.invalidation()
        #expect(log.events == ["response 200", "complete", "complete", "invalid"])
    }

    @Test(.timeLimit(.minutes(1))) func `a session that treats a status as an error fails`() async throws {
        let server = try await ScriptedServer { _ in [.send("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")] }
        let log = EventLog()
        let task = session(log) { $0.tasks.acceptsEveryStatus = false }.dataTask(with: server.url("/"))
        task.resume()
        #expect((await log.completion(of: task) as? URLError)?.code == .badServerResponse)
    }

    @Test(.timeLimit(.minutes(1))) func `the session's field overrides the request's, or is omitted`() async throws {
        let server = try await ScriptedServer { _ in ScriptedServer.ok("") }
        var request = URLRequest(url: server.url("/"))
        request.setValue("request", forHTTPHeaderField: "X-A")
        for change in [{ $0.tasks.requestFieldWins = false }, { $0.tasks.addsSessionFields = false }, { _ in }]
            as [(inout SessionPolicies) -> Void]
        {
            let log = EventLog()
            let task = session(log, change).dataTask(with: request)
            task.resume()
            _ = await log.completion(of: task)
        }
        #expect(server.requests.map { $0.fields["x-a"] } == ["session", "request", "request"])
    }

    @Test(.timeLimit(.minutes(1))) func `a session that does not wait for resume starts the task`() async throws {
        let server = try await ScriptedServer { _ in ScriptedServer.ok("") }
        let log = EventLog()
        let task = session(log) { $0.tasks.startsSuspended = false }.dataTask(with: server.url("/"))
        #expect(await log.completion(of: task) == nil)
    }
}
