import AdaptableSession
import Foundation
import FoundationNetworking
import Synchronization
import Testing

/// A deinitializer of a delegate must not run inside the lock that is held to release the delegate: such a lock traps.
@Suite struct DelegateReleaseTests {
    /// Invalidates its session when it is released, as delegates that own their session do.
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

    @Test(.timeLimit(.minutes(1))) func `a session's delegate may call the session when it is released`() async {
        await withCheckedContinuation { done in
            let owner = Owner { done.resume() }
            let session = AdaptableSession(configuration: .ephemeral, delegate: owner, delegateQueue: nil)
            owner.session.withLock { $0 = session }
            session.finishTasksAndInvalidate()
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a task's delegate may cancel the task when it is released`() async {
        let session = AdaptableSession(configuration: .ephemeral)
        let task = session.dataTask(with: URL(fileURLWithPath: "/"))
        await withCheckedContinuation { done in
            // Only the task retains it.
            task.delegate = Owner(task) { done.resume() }
            task.delegate = nil
        }
        #expect(task.state == .canceling || task.state == .completed)
    }

    @Test(.timeLimit(.minutes(1))) func `a completed task releases its delegate`() async throws {
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
