import AdaptableSession
import Foundation
import FoundationNetworking
import Synchronization
import Testing

/// What a delegate does as it goes must not meet a lock that is held for letting it go: such a lock traps.
@Suite struct DelegateReleaseTests {
    /// Ends its session as it goes, as delegates that own their session do.
    private final class Owner: AdaptableSessionTaskDelegate {
        let session = Mutex<AdaptableSession?>(nil)
        private let task: AdaptableSessionTask?
        private let gone: @Sendable () -> Void

        init(_ task: AdaptableSessionTask? = nil, _ gone: @escaping @Sendable () -> Void) {
            self.task = task
            self.gone = gone
        }

        deinit {
            session.withLock { $0 }?.invalidateAndCancel()
            task?.cancel()
            gone()
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a session's delegate may speak to the session as it goes`() async {
        await withCheckedContinuation { done in
            let owner = Owner { done.resume() }
            let session = AdaptableSession(configuration: .ephemeral, delegate: owner, delegateQueue: nil)
            owner.session.withLock { $0 = session }
            session.finishTasksAndInvalidate()
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a task's delegate may cancel the task as it goes`() async {
        let session = AdaptableSession(configuration: .ephemeral)
        let task = session.dataTask(with: URL(fileURLWithPath: "/"))
        await withCheckedContinuation { done in
            // Held by the task alone.
            task.delegate = Owner(task) { done.resume() }
            task.delegate = nil
        }
        #expect(task.state == .canceling || task.state == .completed)
    }

    @Test(.timeLimit(.minutes(1))) func `a completed task holds its delegate no longer`() async throws {
        let server = try await ScriptedServer { _ in ScriptedServer.ok("x") }
        let log = EventLog()
        let session = AdaptableSession(configuration: .ephemeral, delegate: log, delegateQueue: nil)
        let own = EventLog()
        let tasks = [session.dataTask(with: server.url("/")), session.dataTask(with: server.url("/")) { _, _, _ in }]
        for task in tasks {
            task.delegate = own
            task.resume()
        }
        let stream = session.streamTask(withHostName: "127.0.0.1", port: server.port)
        stream.delegate = own
        stream.resume()
        stream.cancel()
        session.finishTasksAndInvalidate()
        await log.invalidation()
        #expect(own.events.filter { $0 == "complete" }.count == 2)
        for task in tasks + [stream] { #expect(task.delegate == nil) }
    }
}
