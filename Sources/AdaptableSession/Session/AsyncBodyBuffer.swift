import Foundation
import FoundationNetworking
import Synchronization

/// The task delegate that collects the body for `bytes(for:)`. When no reader consumes it, the task is suspended until
/// one does.
final class AsyncBodyBuffer: AdaptableSessionDataDelegate {
    private struct State {
        var head: CheckedContinuation<URLResponse, any Error>?
        var reader: CheckedContinuation<Data?, any Error>?
        var pieces: [Data] = []
        var waiting = 0
        var isSuspended = false
        var ending: Result<Void, any Error>?
    }

    /// The number of buffered bytes above which the task is suspended.
    private static let limit = 512 * 1024

    private let state = Mutex(State())
    /// The caller's delegate, which receives the callbacks that this object does not handle.
    let behind: (any AdaptableSessionTaskDelegate)?
    /// The task, weakly referenced: it retains this object as its delegate, and its session retains it until it has
    /// ended.
    private struct Reading: Sendable { weak var task: AdaptableSessionTask? }
    private let reading = Mutex(Reading())
    private var task: AdaptableSessionTask? { reading.withLock { $0.task } }

    init(behind: (any AdaptableSessionTaskDelegate)?) { self.behind = behind }

    func expectHead(_ continuation: CheckedContinuation<URLResponse, any Error>, of task: AdaptableSessionTask) {
        reading.withLock { $0.task = task }
        // A task that was cancelled earlier may have ended already.
        let ending = state.withLock { state in
            if state.ending == nil { state.head = continuation }
            return state.ending
        }
        switch ending {
        case nil: break
        case .failure(let error): continuation.resume(throwing: error)
        case .success: continuation.resume(throwing: Self.noResponse(task))
        }
    }

    /// The error of a task that succeeds without a response, as a protocol class of the client's own can make it.
    private static func noResponse(_ task: AdaptableSessionTask) -> URLError {
        URLError.made(.unknown, "The task ended without a response.", task.currentRequest?.url)
    }

    /// Cancels the load when no reader is left.
    func abandon() { task?.cancel() }

    func next() async throws -> Data? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // Suspending and resuming happen inside the lock, so that they take effect in the order of their
                // causes.
                let result = state.withLock { state -> Result<Data?, any Error>? in
                    if !state.pieces.isEmpty {
                        let piece = state.pieces.removeFirst()
                        state.waiting -= piece.count
                        if state.isSuspended, state.waiting <= Self.limit / 2 {
                            state.isSuspended = false
                            task?.resume()
                        }
                        return .success(piece)
                    }
                    if let ending = state.ending { return ending.map { nil } }
                    state.reader = continuation
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            task?.cancel()
        }
    }

    func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (AdaptableSession.ResponseDisposition) -> Void
    ) {
        let head = state.withLock { state in
            defer { state.head = nil }
            return state.head
        }
        head?.resume(returning: response)
        completionHandler(.allow)
    }

    func urlSession(_ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didReceive data: Data) {
        let reader = state.withLock { state in
            defer { state.reader = nil }
            if state.reader == nil {
                state.pieces.append(data)
                state.waiting += data.count
                if state.waiting > Self.limit, !state.isSuspended {
                    state.isSuspended = true
                    dataTask.suspend()
                }
            }
            return state.reader
        }
        reader?.resume(returning: data)
    }

    func urlSession(_ session: AdaptableSession, task: AdaptableSessionTask, didCompleteWithError error: (any Error)?) {
        let (head, reader) = state.withLock { state in
            state.ending = error.map { .failure($0) } ?? .success(())
            defer { (state.head, state.reader) = (nil, nil) }
            return (state.head, state.reader)
        }
        if let error {
            head?.resume(throwing: error)
            reader?.resume(throwing: error)
        } else {
            head?.resume(throwing: Self.noResponse(task))
            reader?.resume(returning: nil)
        }
        behind?.urlSession(session, task: task, didCompleteWithError: error)
    }
}
