public import Foundation
public import FoundationNetworking
import Synchronization
import TransferProtocol

/// One request of a session. The session creates it in the suspended state (TASK-01, TASK-04).
///
/// `@unchecked` is safe: the classes cannot be subclassed outside this module and store only constants, including
/// locks. Swift cannot express this for a class with subclasses.
public class AdaptableSessionTask: NSObject, ProgressReporting, @unchecked Sendable {
    /// The state of a task.
    public enum State: Int, Hashable, Sendable {
        /// The task loads, or waits for connectivity or a connection.
        case running
        /// The task has not been resumed yet, or was suspended.
        case suspended
        /// The task was cancelled, and its last callback has not run yet.
        case canceling
        /// The task has ended.
        case completed
    }

    /// A number that is unique within the session.
    public let taskIdentifier: Int
    let session: AdaptableSession
    let facts: Mutex<TaskFacts>
    /// The number of the load. A data task that became a download shares it with the download task.
    let load: Int
    let progressBox: TaskProgress

    init(session: AdaptableSession, identifier: Int, load: Int, facts: TaskFacts) {
        self.session = session
        taskIdentifier = identifier
        self.load = load
        self.facts = Mutex(facts)
        progressBox = TaskProgress(policy: session.settings.policies.progress)
        super.init()
    }

    /// The progress of the whole task, from 0 to 1 (PROG-01, PROG-02).
    ///
    /// `Progress` is not thread-safe on this platform: add it to a parent before the first task below that parent is
    /// resumed.
    public var progress: Progress { progressBox.progress(of: self) }
    /// The current state. Calls of `resume`, `suspend` and `cancel` change it immediately.
    public var state: State { withState { $0 } }
    /// The request that the task was created with.
    public var originalRequest: URLRequest? { facts.withLock { $0.originalRequest } }
    /// The current request, which differs from the original one after a redirect.
    public var currentRequest: URLRequest? { facts.withLock { $0.currentRequest } }
    /// The response; nil until it is delivered.
    public var response: URLResponse? { facts.withLock { $0.response } }
    /// The error that ended the task; nil before the end and after success.
    public var error: (any Error)? { facts.withLock { $0.error } }
    /// The number of body bytes received, after decoding.
    public var countOfBytesReceived: Int64 { facts.withLock { $0.received } }
    /// The number of body bytes sent.
    public var countOfBytesSent: Int64 { facts.withLock { $0.sent } }
    /// The length of the body in bytes; `AdaptableSession.transferSizeUnknown` when it is not known (TASK-11).
    public var countOfBytesExpectedToReceive: Int64 { facts.withLock { $0.expectedToReceive } }
    /// The length of the request body in bytes; 0 without a body, `AdaptableSession.transferSizeUnknown` when it is not
    /// known.
    public var countOfBytesExpectedToSend: Int64 { facts.withLock { $0.expectedToSend } }
    /// The priority, from 0 to 1; other values are clamped. Tasks with a higher priority get a connection first.
    public var priority: Float {
        get { facts.withLock { $0.priority } }
        set {
            facts.withLock { $0.priority = min(1, max(0, newValue)) }
            session.background?.changed(self)
        }
    }
    /// A text for the application's own use.
    public var taskDescription: String? {
        get { facts.withLock { $0.description } }
        set {
            facts.withLock { $0.description = newValue }
            session.background?.changed(self)
        }
    }
    /// True while the task uses neither cellular nor expensive nor constrained interfaces, whatever its request allows. May be
    /// set to false at any time: a task that waits for a path looks again.
    package var avoidsCostlyPaths: Bool {
        get { facts.withLock { $0.avoidsCostlyPaths } }
        set {
            facts.withLock { $0.avoidsCostlyPaths = newValue }
            session.perform(load) { $0.core.pathsChanged($0) }
        }
    }
    /// The delegate of this task. The session's delegate handles the methods that it does not implement.
    public var delegate: (any AdaptableSessionTaskDelegate)? {
        get { facts.withLock { $0.delegate } }
        set {
            // The previous delegate is released outside the lock: its deinitializer may call this task.
            let released = facts.withLock { facts in
                defer { facts.delegate = newValue }
                return facts.delegate
            }
            withExtendedLifetime(released) {}
        }
    }

    /// Starts or continues the task. Returns immediately and never calls back before it returns (TASK-15).
    public func resume() {
        withState { state in
            guard state == .suspended else { return }
            state = .running
            // Inside the lock, so that calls from several threads reach the event loop in the order of their state
            // changes.
            postResume()
        }
    }

    /// Pauses the transfer and the timers until `resume()` (TASK-08).
    public func suspend() {
        withState { state in
            guard state == .running else { return }
            state = .suspended
            postSuspend()
        }
    }

    /// Cancels the task, which ends with `URLError.cancelled` (TASK-07).
    public func cancel() {
        withState { state in
            guard state == .running || state == .suspended else { return }
            state = .canceling
            postCancel()
        }
    }

    /// Accesses the state under the lock of the task that holds it: this task, or the download that it became.
    private func withState<Result: Sendable>(_ access: (inout State) -> Result) -> Result {
        facts.withLock { facts in
            guard let successor = facts.successor else { return access(&facts.state) }
            return successor.withState(access)
        }
    }

    // MARK: Called with the lock held

    func postResume() {
        if let background = session.background {
            return background.send(.resume(task: load), leavingSuspensionOf: load)
        }
        let now = MonotonicTime.now()
        session.perform(load) { $0.resume(at: now) }
    }

    func postSuspend() {
        if let background = session.background { return background.send(.suspend(task: load)) }
        session.perform(load) { $0.suspend() }
    }

    func postCancel() {
        if let background = session.background {
            return background.send(.cancel(task: load, keepsPart: false), leavingSuspensionOf: load)
        }
        session.perform(load) { $0.cancel() }
    }
}

extension AdaptableSessionTask {
    fileprivate func cancelProducingResumeData(_ completionHandler: @escaping @Sendable (Data?) -> Void) {
        let isLive = withState { state in
            guard state == .running || state == .suspended else { return false }
            state = .canceling
            if let background = session.background {
                background.cancel(load, producingResumeData: completionHandler)
            } else {
                session.perform(load) { $0.cancel(producingResumeData: completionHandler) }
            }
            return true
        }
        if !isLive { session.delegateQueue.addOperation { completionHandler(nil) } }
    }
}

/// A task that delivers a body in chunks to a delegate, or as a whole to a completion handler.
public class AdaptableSessionDataTask: AdaptableSessionTask, @unchecked Sendable {}

/// A data task that sends a body (TASK-13).
public final class AdaptableSessionUploadTask: AdaptableSessionDataTask, @unchecked Sendable {
    /// Cancels the task and calls the handler with resume data, or with nil when the server keeps nothing of the
    /// upload.
    public func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void) {
        cancelProducingResumeData(completionHandler)
    }

    /// Cancels the task and returns resume data, or nil when the server keeps nothing of the upload.
    public func cancelByProducingResumeData() async -> Data? {
        await withCheckedContinuation { continuation in cancel { continuation.resume(returning: $0) } }
    }
}

/// A task that writes the body to a file.
public final class AdaptableSessionDownloadTask: AdaptableSessionTask, @unchecked Sendable {
    /// Cancels the task and calls the handler with resume data, or with nil when the download cannot be resumed
    /// (DNLD-07).
    public func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void) {
        cancelProducingResumeData(completionHandler)
    }

    /// Cancels the task and returns resume data, or nil when the download cannot be resumed (DNLD-07).
    public func cancelByProducingResumeData() async -> Data? {
        await withCheckedContinuation { continuation in cancel { continuation.resume(returning: $0) } }
    }
}
