public import Foundation
public import FoundationNetworking

/// The methods that create tasks of each kind, with and without a completion handler (CONV-13).
extension AdaptableSession {
    /// Creates a task that delivers the response and the body to the delegate.
    public func dataTask(with request: URLRequest) -> AdaptableSessionDataTask {
        makeTask(request, .data, .delegate, AdaptableSessionDataTask.init)
    }

    /// Creates a task for a GET that delivers the response and the body to the delegate.
    public func dataTask(with url: URL) -> AdaptableSessionDataTask { dataTask(with: URLRequest(url: url)) }

    /// Creates a task that calls the handler once, on the delegate queue, with the whole body and the response, or with
    /// an error.
    public func dataTask(
        with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> AdaptableSessionDataTask {
        makeTask(request, .data, .data(completionHandler), AdaptableSessionDataTask.init)
    }

    /// Creates a task for a GET that calls the handler once, on the delegate queue, with the whole body and the
    /// response, or with an error.
    public func dataTask(
        with url: URL, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> AdaptableSessionDataTask { dataTask(with: URLRequest(url: url), completionHandler: completionHandler) }

    /// Creates a task that sends bytes as the request's body.
    public func uploadTask(with request: URLRequest, from bodyData: Data) -> AdaptableSessionUploadTask {
        makeTask(request, .upload(.memory(bodyData)), .delegate, AdaptableSessionUploadTask.init)
    }

    /// Creates a task that sends a file as the request's body. The task fails with `URLError.fileDoesNotExist` if the
    /// file cannot be read.
    public func uploadTask(with request: URLRequest, fromFile file: URL) -> AdaptableSessionUploadTask {
        makeTask(request, .upload(.file(file)), .delegate, AdaptableSessionUploadTask.init)
    }

    /// Creates an upload task whose body is requested from the delegate, also for the first transmission. The request's
    /// own body is ignored (UPLD-03, UPLD-04).
    public func uploadTask(withStreamedRequest request: URLRequest) -> AdaptableSessionUploadTask {
        makeTask(request, .upload(.stream), .delegate, AdaptableSessionUploadTask.init)
    }

    /// Creates a task that sends bytes as the request's body and calls the handler once, on the delegate queue.
    public func uploadTask(
        with request: URLRequest, from bodyData: Data?,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> AdaptableSessionUploadTask {
        makeTask(
            request, .upload(.memory(bodyData ?? Data())), .data(completionHandler), AdaptableSessionUploadTask.init)
    }

    /// Creates a task that sends a file as the request's body and calls the handler once, on the delegate queue.
    public func uploadTask(
        with request: URLRequest, fromFile file: URL,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> AdaptableSessionUploadTask {
        makeTask(request, .upload(.file(file)), .data(completionHandler), AdaptableSessionUploadTask.init)
    }

    /// Creates a task that resumes an upload whose server keeps the bytes received so far. Foreign or damaged data ends
    /// the task with an error.
    public func uploadTask(withResumeData data: Data) -> AdaptableSessionUploadTask {
        makeTask(UploadResume.request(of: data), .resumedUpload(data), .delegate, AdaptableSessionUploadTask.init)
    }

    /// Resumes an upload like `uploadTask(withResumeData:)` and calls the handler once, on the delegate queue.
    public func uploadTask(
        withResumeData data: Data, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> AdaptableSessionUploadTask {
        makeTask(
            UploadResume.request(of: data), .resumedUpload(data), .data(completionHandler),
            AdaptableSessionUploadTask.init)
    }

    /// Creates a task that writes the body to a file, which is removed when the delegate's callback returns.
    public func downloadTask(with request: URLRequest) -> AdaptableSessionDownloadTask {
        makeTask(request, .download, .delegate, AdaptableSessionDownloadTask.init)
    }

    /// Creates a task for a GET that writes the body to a file, which is removed when the delegate's callback returns.
    public func downloadTask(with url: URL) -> AdaptableSessionDownloadTask { downloadTask(with: URLRequest(url: url)) }

    /// Creates a task that writes the body to a file and calls the handler once, on the delegate queue. The file is
    /// removed when the handler returns.
    public func downloadTask(
        with request: URLRequest, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> AdaptableSessionDownloadTask {
        makeTask(request, .download, .file(completionHandler), AdaptableSessionDownloadTask.init)
    }

    /// Creates a task for a GET that writes the body to a file and calls the handler once, on the delegate queue. The
    /// file is removed when the handler returns.
    public func downloadTask(
        with url: URL, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> AdaptableSessionDownloadTask { downloadTask(with: URLRequest(url: url), completionHandler: completionHandler) }

    /// Creates a task that resumes a download. Foreign or damaged data ends the task with an error (DNLD-09).
    public func downloadTask(withResumeData data: Data) -> AdaptableSessionDownloadTask {
        makeTask(Self.request(ofDownload: data), .resumedDownload(data), .delegate, AdaptableSessionDownloadTask.init)
    }

    /// Resumes a download like `downloadTask(withResumeData:)` and calls the handler once, on the delegate queue. The
    /// file is removed when the handler returns.
    public func downloadTask(
        withResumeData data: Data, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> AdaptableSessionDownloadTask {
        makeTask(
            Self.request(ofDownload: data), .resumedDownload(data), .file(completionHandler),
            AdaptableSessionDownloadTask.init)
    }

    /// Returns the request that the task shows. Unusable data is reported when the task is resumed.
    static func request(ofDownload data: Data) -> URLRequest {
        DownloadTransfer.request(of: data) ?? URLRequest(url: URL(fileURLWithPath: "/"))
    }
}
