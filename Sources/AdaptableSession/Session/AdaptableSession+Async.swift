public import Foundation
public import FoundationNetworking

/// The asynchronous forms. Cancelling the calling task cancels the load.
extension AdaptableSession {
    public func data(
        for request: URLRequest, delegate: (any AdaptableSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        try await load(delegate) { finish in self.dataTask(with: request, completionHandler: finish) }
    }

    public func data(from url: URL, delegate: (any AdaptableSessionTaskDelegate)? = nil) async throws -> (Data, URLResponse) {
        try await data(for: URLRequest(url: url), delegate: delegate)
    }

    public func upload(
        for request: URLRequest, from bodyData: Data, delegate: (any AdaptableSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        try await load(delegate) { finish in self.uploadTask(with: request, from: bodyData, completionHandler: finish) }
    }

    public func upload(
        for request: URLRequest, fromFile file: URL, delegate: (any AdaptableSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        try await load(delegate) { finish in self.uploadTask(with: request, fromFile: file, completionHandler: finish) }
    }

    /// The file is the caller's: it stays until the caller removes it.
    public func download(
        for request: URLRequest, delegate: (any AdaptableSessionTaskDelegate)? = nil
    ) async throws -> (URL, URLResponse) {
        try await load(delegate) { finish in
            self.downloadTask(with: request) { location, response, error in Self.keep(location, response, error, finish) }
        }
    }

    public func download(from url: URL, delegate: (any AdaptableSessionTaskDelegate)? = nil) async throws -> (URL, URLResponse) {
        try await download(for: URLRequest(url: url), delegate: delegate)
    }

    public func download(
        resumeFrom resumeData: Data, delegate: (any AdaptableSessionTaskDelegate)? = nil
    ) async throws -> (URL, URLResponse) {
        try await load(delegate) { finish in
            self.downloadTask(withResumeData: resumeData) { location, response, error in
                Self.keep(location, response, error, finish)
            }
        }
    }

    /// The callback's file is gone when the callback returns, so it is moved to a place of its own.
    private static func keep(
        _ location: URL?, _ response: URLResponse?, _ error: (any Error)?,
        _ finish: @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) {
        guard let location else { return finish(nil, response, error) }
        do {
            let place = DownloadPart.freshLocation()
            try FileManager.default.moveItem(at: location, to: place)
            finish(place, response, nil)
        } catch {
            finish(nil, nil, error)
        }
    }

    private func load<Body: Sendable>(
        _ delegate: (any AdaptableSessionTaskDelegate)?,
        _ make: (@escaping @Sendable (Body?, URLResponse?, (any Error)?) -> Void) -> AdaptableSessionTask
    ) async throws -> (Body, URLResponse) {
        let running = RunningTask()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<(Body, URLResponse), any Error>) in
                let task = make { body, response, error in
                    if let body, let response {
                        continuation.resume(returning: (body, response))
                    } else {
                        continuation.resume(throwing: error ?? URLError(.unknown))
                    }
                }
                task.delegate = delegate
                running.run(task)
            }
        } onCancel: {
            running.cancel()
        }
    }
}
