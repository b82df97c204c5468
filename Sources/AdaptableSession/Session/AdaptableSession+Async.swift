public import Foundation
public import FoundationNetworking
import Synchronization

/// The asynchronous methods. They throw the error that ended the task; cancelling the calling Swift task cancels the
/// load.
extension AdaptableSession {
    /// Returns the whole body and the response of a request.
    public func data(
        for request: URLRequest, delegate: (any AdaptableSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        try await load { finish in
            self.makeTask(request, .data, .data(finish), delegate: delegate, AdaptableSessionDataTask.init)
        }
    }

    /// Returns the whole body and the response of a GET.
    public func data(from url: URL, delegate: (any AdaptableSessionTaskDelegate)? = nil) async throws -> (
        Data, URLResponse
    ) {
        try await data(for: URLRequest(url: url), delegate: delegate)
    }

    /// Sends bytes as the request's body; returns the whole response body and the response.
    public func upload(
        for request: URLRequest, from bodyData: Data, delegate: (any AdaptableSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        try await load { finish in
            self.makeTask(
                request, .upload(.memory(bodyData)), .data(finish), delegate: delegate, AdaptableSessionUploadTask.init)
        }
    }

    /// Sends a file as the request's body; returns the whole response body and the response.
    public func upload(
        for request: URLRequest, fromFile file: URL, delegate: (any AdaptableSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        try await load { finish in
            self.makeTask(
                request, .upload(.file(file)), .data(finish), delegate: delegate, AdaptableSessionUploadTask.init)
        }
    }

    /// Downloads to a file, which belongs to the caller and stays until the caller removes it.
    public func download(
        for request: URLRequest, delegate: (any AdaptableSessionTaskDelegate)? = nil
    ) async throws -> (URL, URLResponse) {
        try await download(request, .download, delegate)
    }

    /// Downloads a URL to a file, which belongs to the caller.
    public func download(from url: URL, delegate: (any AdaptableSessionTaskDelegate)? = nil) async throws -> (
        URL, URLResponse
    ) {
        try await download(for: URLRequest(url: url), delegate: delegate)
    }

    /// Resumes a download from resume data; the file belongs to the caller. Throws `URLError` if the data cannot be
    /// used.
    public func download(
        resumeFrom resumeData: Data, delegate: (any AdaptableSessionTaskDelegate)? = nil
    ) async throws -> (URL, URLResponse) {
        try await download(Self.request(ofDownload: resumeData), .resumedDownload(resumeData), delegate)
    }

    private func download(
        _ request: URLRequest, _ kind: TaskKind, _ delegate: (any AdaptableSessionTaskDelegate)?
    ) async throws -> (URL, URLResponse) {
        try await load { finish in
            self.makeTask(
                request, kind, .file { location, response, error in Self.keep(location, response, error, finish) },
                delegate: delegate,
                AdaptableSessionDownloadTask.init)
        }
    }

    /// Moves the file to a new place, because the session removes it when the callback returns.
    private static func keep(
        _ location: URL?, _ response: URLResponse?, _ error: (any Error)?,
        _ finish: @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) {
        guard let location else { return finish(nil, response, error) }
        do {
            let place = PartialDownloadFile.freshLocation()
            try FileManager.default.moveItem(at: location, to: place)
            finish(place, response, nil)
        } catch {
            finish(nil, nil, error)
        }
    }

    private func load<Body: Sendable>(
        _ make: (@escaping @Sendable (Body?, URLResponse?, (any Error)?) -> Void) -> AdaptableSessionTask
    ) async throws -> (Body, URLResponse) {
        let running = RunningTask()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<(Body, URLResponse), any Error>) in
                let task = make { body, response, error in
                    if let body, let response {
                        continuation.resume(returning: (body, response))
                    } else {
                        continuation.resume(
                            throwing: error
                                ?? URLError.made(.unknown, "The task ended without a response.", response?.url))
                    }
                }
                running.run(task)
            }
        } onCancel: {
            running.cancel()
        }
    }
}

/// The task of an asynchronous call, which may be cancelled before the task is created.
final class RunningTask: Sendable {
    private struct State {
        var task: AdaptableSessionTask?
        var isCancelled = false
    }

    private let state = Mutex(State())

    func run(_ task: AdaptableSessionTask) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        // A task that is cancelled before it starts still completes (DLGT-07).
        if isCancelled { task.cancel() } else { task.resume() }
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }
}
