import Foundation
import FoundationNetworking
import Synchronization

/// Collects what `bytes(for:)` gives out, as the task's delegate. When nobody reads, the task is suspended until somebody does.
final class BodyPieces: AdaptableSessionDataDelegate {
    private struct State {
        var head: CheckedContinuation<URLResponse, any Error>?
        var reader: CheckedContinuation<Data?, any Error>?
        var pieces: [Data] = []
        var waiting = 0
        var isSuspended = false
        var ending: Result<Void, any Error>?
    }

    /// Bytes that may wait for their reader.
    private static let limit = 512 * 1024

    private let state = Mutex(State())
    /// Hears what this object does not take.
    let behind: (any AdaptableSessionTaskDelegate)?
    private let task = Mutex<AdaptableSessionTask?>(nil)

    init(behind: (any AdaptableSessionTaskDelegate)?) { self.behind = behind }

    func expectHead(_ continuation: CheckedContinuation<URLResponse, any Error>) { state.withLock { $0.head = continuation } }

    func cancelWhenUnused(_ task: AdaptableSessionTask) { self.task.withLock { $0 = task } }

    func next() async throws -> Data? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // Suspending and resuming happen inside the lock, so that they come in the order of what led to them.
                let answer = state.withLock { state -> Result<Data?, any Error>? in
                    if !state.pieces.isEmpty {
                        let piece = state.pieces.removeFirst()
                        state.waiting -= piece.count
                        if state.isSuspended, state.waiting <= Self.limit / 2 {
                            state.isSuspended = false
                            task.withLock { $0 }?.resume()
                        }
                        return .success(piece)
                    }
                    if let ending = state.ending { return ending.map { nil } }
                    state.reader = continuation
                    return nil
                }
                if let answer { continuation.resume(with: answer) }
            }
        } onCancel: {
            task.withLock { $0 }?.cancel()
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
            reader?.resume(returning: nil)
        }
        behind?.urlSession(session, task: task, didCompleteWithError: error)
        task.delegate = nil
    }
}
