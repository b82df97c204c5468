import AdaptableSession
import Foundation
import FoundationNetworking
import Synchronization

/// A delegate that records its calls and lets a test wait for the end.
final class EventLog: AdaptableSessionDataDelegate, AdaptableSessionDownloadDelegate {
    private struct State {
        var events: [String] = []
        var data: [Int: Data] = [:]
        var files: [Int: Data] = [:]
        var errors: [Int: (any Error)?] = [:]
        var becomings: [Int: AdaptableSessionDownloadTask] = [:]
        var waiters: [(Int, CheckedContinuation<(any Error)?, Never>)] = []
        var isCancelled = false
    }

    private let state = Mutex(State())
    private let (invalidated, invalidEnd) = AsyncStream.makeStream(of: Void.self)
    /// The decision about every response.
    let disposition: AdaptableSession.ResponseDisposition
    let redirect: @Sendable (URLRequest) -> URLRequest?
    let onData: @Sendable (AdaptableSessionDataTask) -> Void
    let onResponse: @Sendable (AdaptableSessionDataTask) -> Void

    init(
        disposition: AdaptableSession.ResponseDisposition = .allow,
        redirect: @escaping @Sendable (URLRequest) -> URLRequest? = { $0 },
        onData: @escaping @Sendable (AdaptableSessionDataTask) -> Void = { _ in },
        onResponse: @escaping @Sendable (AdaptableSessionDataTask) -> Void = { _ in }
    ) {
        self.onResponse = onResponse
        self.disposition = disposition
        self.redirect = redirect
        self.onData = onData
    }

    var events: [String] { state.withLock { $0.events } }
    func data(of task: AdaptableSessionTask) -> Data { state.withLock { $0.data[task.taskIdentifier] ?? Data() } }
    func file(of task: AdaptableSessionTask) -> Data? { state.withLock { $0.files[task.taskIdentifier] } }

    /// The download that a data task became.
    func download(from task: AdaptableSessionTask) -> AdaptableSessionDownloadTask? {
        state.withLock { $0.becomings[task.taskIdentifier] }
    }

    private func note(_ event: String) { state.withLock { $0.events.append(event) } }

    /// Waits until `event` was recorded, or throws when the test is cancelled.
    func wait(for event: String) async throws {
        while !events.contains(event) {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// The error of the task's completion. A time limit only cancels the test, so a wait ends with that as well.
    func completion(of task: AdaptableSessionTask) async -> (any Error)? {
        let id = task.taskIdentifier
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ended: (any Error)?? = state.withLock { state in
                    if let error = state.errors[id] { return .some(error) }
                    if state.isCancelled { return .some(CancellationError()) }
                    state.waiters.append((id, continuation))
                    return nil
                }
                if let ended { continuation.resume(returning: ended) }
            }
        } onCancel: {
            let waiters = state.withLock { state in
                state.isCancelled = true
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in waiters { waiter.1.resume(returning: CancellationError()) }
        }
    }

    /// Waits for the end of the session, or for the cancellation of the test.
    func invalidation() async { for await _ in invalidated {} }

    func urlSession(_ session: AdaptableSession, didBecomeInvalidWithError error: (any Error)?) {
        note("invalid")
        invalidEnd.finish()
    }

    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        note("redirect \(response.statusCode)")
        completionHandler(redirect(request))
    }

    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask, didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) { note("sent \(totalBytesSent)/\(totalBytesExpectedToSend)") }

    func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (AdaptableSession.ResponseDisposition) -> Void
    ) {
        note("response \((response as? HTTPURLResponse)?.statusCode ?? 0)")
        onResponse(dataTask)
        completionHandler(disposition)
    }

    func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask,
        didBecome downloadTask: AdaptableSessionDownloadTask
    ) {
        state.withLock { $0.becomings[dataTask.taskIdentifier] = downloadTask }
        note("became")
    }

    func urlSession(_ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didReceive data: Data) {
        state.withLock { state in
            state.data[dataTask.taskIdentifier, default: Data()].append(data)
            if state.events.last != "data" { state.events.append("data") }
        }
        onData(dataTask)
    }

    func urlSession(
        _ session: AdaptableSession, downloadTask: AdaptableSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        let content = try? Data(contentsOf: location)
        state.withLock { $0.files[downloadTask.taskIdentifier] = content }
        note("file")
    }

    func urlSession(
        _ session: AdaptableSession, downloadTask: AdaptableSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        state.withLock { if $0.events.last != "wrote" { $0.events.append("wrote") } }
    }

    func urlSession(
        _ session: AdaptableSession, downloadTask: AdaptableSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) { note("resumed at \(fileOffset) of \(expectedTotalBytes)") }

    func urlSession(_ session: AdaptableSession, task: AdaptableSessionTask, didCompleteWithError error: (any Error)?) {
        note("complete")
        let waiters = state.withLock { state in
            state.errors[task.taskIdentifier] = .some(error)
            defer { state.waiters.removeAll { $0.0 == task.taskIdentifier } }
            return state.waiters.filter { $0.0 == task.taskIdentifier }
        }
        for waiter in waiters { waiter.1.resume(returning: error) }
    }
}
