public import Foundation
public import FoundationNetworking
import Synchronization

/// One request of a session; made by the session, suspended (TASK-01, TASK-04).
///
/// The classes cannot be subclassed elsewhere and hold constants only, one of them a lock. Swift has no other way to say that of a class
/// that has subclasses: hence `@unchecked`.
public class AdaptableSessionTask: NSObject, ProgressReporting, @unchecked Sendable {
    public enum State: Int, Hashable, Sendable { case running, suspended, canceling, completed }

    public let taskIdentifier: Int
    let session: AdaptableSession
    let facts: Mutex<TaskFacts>
    /// The load's number, which a task that became a download shares with it.
    let load: Int
    let progressBox: TaskProgress

    init(session: AdaptableSession, identifier: Int, load: Int, facts: TaskFacts) {
        self.session = session
        taskIdentifier = identifier
        self.load = load
        self.facts = Mutex(facts)
        progressBox = TaskProgress(policy: session.settings.policies.progress)
        super.init()
        progressBox.follow(self)
    }

    /// Of the task's whole work, from 0 to 1 (PROG-01, PROG-02).
    ///
    /// `Progress` guards nothing on this platform: put it under a parent before the first task below that parent is resumed.
    public var progress: Progress { progressBox.progress }
    public var state: State { facts.withLock { $0.state } }
    public var originalRequest: URLRequest? { facts.withLock { $0.originalRequest } }
    public var currentRequest: URLRequest? { facts.withLock { $0.currentRequest } }
    public var response: URLResponse? { facts.withLock { $0.response } }
    public var error: (any Error)? { facts.withLock { $0.error } }
    public var countOfBytesReceived: Int64 { facts.withLock { $0.received } }
    public var countOfBytesSent: Int64 { facts.withLock { $0.sent } }
    /// `AdaptableSession.transferSizeUnknown` when no length was announced (TASK-11).
    public var countOfBytesExpectedToReceive: Int64 { facts.withLock { $0.expectedToReceive } }
    public var countOfBytesExpectedToSend: Int64 { facts.withLock { $0.expectedToSend } }
    /// A task with a higher priority gets a connection first. 0 to 1.
    public var priority: Float {
        get { facts.withLock { $0.priority } }
        set { facts.withLock { $0.priority = min(1, max(0, newValue)) } }
    }
    public var taskDescription: String? {
        get { facts.withLock { $0.description } }
        set { facts.withLock { $0.description = newValue } }
    }
    /// Hears of the task before the session's delegate does; what it does not implement goes to the session's.
    public var delegate: (any AdaptableSessionTaskDelegate)? {
        get { facts.withLock { $0.delegate } }
        set {
            // The one before is let go outside the lock: what goes with it may speak to this task.
            let released = facts.withLock { facts in
                defer { facts.delegate = newValue }
                return facts.delegate
            }
            withExtendedLifetime(released) {}
        }
    }

    /// Returns at once; nothing is called from inside (TASK-15).
    public func resume() {
        facts.withLock { facts in
            guard facts.state == .suspended else { return }
            facts.state = .running
            // Inside the lock, so that the calls of several threads reach the event loop in the order of the states they made.
            postResume()
        }
    }

    /// Stops progress and the timers until `resume()` (TASK-08).
    public func suspend() {
        facts.withLock { facts in
            guard facts.state == .running else { return }
            facts.state = .suspended
            postSuspend()
        }
    }

    /// The task ends with `URLError.cancelled` (TASK-07).
    public func cancel() {
        facts.withLock { facts in
            guard facts.state == .running || facts.state == .suspended else { return }
            facts.state = .canceling
            postCancel()
        }
    }

    // MARK: Inside the lock

    func postResume() {
        let now = MonotonicTime.now()
        session.perform(load) { $0.resume(at: now) }
    }

    func postSuspend() { session.perform(load) { $0.suspend() } }

    func postCancel() { session.perform(load) { $0.cancel() } }
}

extension AdaptableSessionTask {
    fileprivate func cancelProducingResumeData(_ completionHandler: @escaping @Sendable (Data?) -> Void) {
        let isLive = facts.withLock { facts in
            guard facts.state == .running || facts.state == .suspended else { return false }
            facts.state = .canceling
            session.perform(load) { $0.cancel(producingResumeData: completionHandler) }
            return true
        }
        if !isLive { session.delegateQueue.addOperation { completionHandler(nil) } }
    }
}

/// Delivers a body piece by piece, or at once to a completion handler.
public class AdaptableSessionDataTask: AdaptableSessionTask, @unchecked Sendable {}

/// A data task that sends a body (TASK-13).
public final class AdaptableSessionUploadTask: AdaptableSessionDataTask, @unchecked Sendable {
    /// Cancels and hands over what the upload can be taken up with, or nil when its server keeps nothing of it.
    public func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void) {
        cancelProducingResumeData(completionHandler)
    }

    public func cancelByProducingResumeData() async -> Data? {
        await withCheckedContinuation { continuation in cancel { continuation.resume(returning: $0) } }
    }
}

/// Writes the body to a file.
public final class AdaptableSessionDownloadTask: AdaptableSessionTask, @unchecked Sendable {
    /// Cancels and hands over what the download can be carried on with, or nil when it cannot (DNLD-07).
    public func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void) {
        cancelProducingResumeData(completionHandler)
    }

    public func cancelByProducingResumeData() async -> Data? {
        await withCheckedContinuation { continuation in cancel { continuation.resume(returning: $0) } }
    }
}
