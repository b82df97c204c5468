package import Foundation
package import FoundationNetworking

// The interface of URL loading that the adapter uses, as URLSession declares it. An implementation conforms its own
// classes; a member that not every implementation has is nil or absent by default.

package typealias DataHandler = @Sendable (Data?, URLResponse?, (any Error)?) -> Void
package typealias FileHandler = @Sendable (URL?, URLResponse?, (any Error)?) -> Void

/// A session, as `URLSession` declares it.
package protocol ClientSession: AnyObject {
    associatedtype Configuration: ClientConfiguration
    associatedtype DataTask: ClientTask
    associatedtype UploadTask: ClientTask
    associatedtype DownloadTask: ClientTask

    var configuration: Configuration { get }
    var delegateQueue: OperationQueue { get }
    func invalidateAndCancel()
    func finishTasksAndInvalidate()
    func flush(completionHandler: @escaping @Sendable () -> Void)
    func reset(completionHandler: @escaping @Sendable () -> Void)

    func dataTask(with url: URL) -> DataTask
    func dataTask(with request: URLRequest) -> DataTask
    func dataTask(with url: URL, completionHandler: @escaping DataHandler) -> DataTask
    func dataTask(with request: URLRequest, completionHandler: @escaping DataHandler) -> DataTask

    func uploadTask(with request: URLRequest, from bodyData: Data) -> UploadTask
    func uploadTask(with request: URLRequest, fromFile file: URL) -> UploadTask
    func uploadTask(withStreamedRequest request: URLRequest) -> UploadTask
    func uploadTask(with request: URLRequest, from bodyData: Data?, completionHandler: @escaping DataHandler)
        -> UploadTask
    func uploadTask(with request: URLRequest, fromFile file: URL, completionHandler: @escaping DataHandler)
        -> UploadTask

    func downloadTask(with url: URL) -> DownloadTask
    func downloadTask(with request: URLRequest) -> DownloadTask
    func downloadTask(withResumeData data: Data) -> DownloadTask
    func downloadTask(with url: URL, completionHandler: @escaping FileHandler) -> DownloadTask
    func downloadTask(with request: URLRequest, completionHandler: @escaping FileHandler) -> DownloadTask
    func downloadTask(withResumeData data: Data, completionHandler: @escaping FileHandler) -> DownloadTask

    /// Passes the outstanding data, upload and download tasks to the handler.
    func listTasks(_ handler: @escaping @Sendable ([any ClientTask], [any ClientTask], [any ClientTask]) -> Void)
    /// Returns nil if the implementation cannot resume uploads.
    func resumedUpload(from data: Data, completionHandler: DataHandler?) -> UploadTask?
    /// Returns nil if the implementation does not have stream tasks.
    func stream(toHost host: String, port: Int) -> (any ClientStreamTask)?
}

extension ClientSession {
    package func resumedUpload(from data: Data, completionHandler: DataHandler?) -> UploadTask? { nil }
    package func stream(toHost host: String, port: Int) -> (any ClientStreamTask)? { nil }
}

/// A task, as `URLSessionTask` declares it.
package protocol ClientTask: AnyObject {
    associatedtype State
    var taskIdentifier: Int { get }
    var taskDescription: String? { get set }
    var state: State { get }
    var priority: Float { get set }
    var progress: Progress { get }
    var originalRequest: URLRequest? { get }
    var currentRequest: URLRequest? { get }
    var response: URLResponse? { get }
    var countOfBytesReceived: Int64 { get }
    var countOfBytesSent: Int64 { get }
    var countOfBytesExpectedToReceive: Int64 { get }
    var countOfBytesExpectedToSend: Int64 { get }
    var countOfBytesClientExpectsToSend: Int64 { get set }
    var countOfBytesClientExpectsToReceive: Int64 { get set }
    func resume()
    func suspend()
    func cancel()
}

/// A task that can be cancelled with resume data.
package protocol ResumableClientTask: ClientTask {
    func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void)
}

/// A stream task, as `URLSessionStreamTask` declares it.
package protocol ClientStreamTask: ClientTask {
    func readData(
        ofMinLength minBytes: Int, maxLength maxBytes: Int, timeout: TimeInterval,
        completionHandler: @escaping @Sendable (Data?, Bool, (any Error)?) -> Void)
    func write(_ data: Data, timeout: TimeInterval, completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    func startSecureConnection()
    func closeRead()
    func closeWrite()
    func captureStreams()
}

/// A configuration, as `URLSessionConfiguration` declares it.
package protocol ClientConfiguration: AnyObject {
    associatedtype Cache: ClientCache
    associatedtype CookieStorage
    associatedtype CredentialStorage: ClientCredentialStorage
    associatedtype LoadingClass

    var timeoutIntervalForRequest: TimeInterval { get set }
    var timeoutIntervalForResource: TimeInterval { get set }
    var allowsCellularAccess: Bool { get set }
    var connectionProxyDictionary: [AnyHashable: Any]? { get set }
    var httpAdditionalHeaders: [AnyHashable: Any]? { get set }
    var httpMaximumConnectionsPerHost: Int { get set }
    var requestCachePolicy: NSURLRequest.CachePolicy { get set }
    var networkServiceType: NSURLRequest.NetworkServiceType { get set }
    var httpShouldSetCookies: Bool { get set }
    var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy { get set }
    var httpCookieStorage: CookieStorage? { get set }
    var urlCache: Cache? { get set }
    var urlCredentialStorage: CredentialStorage? { get set }
    var protocolClasses: [LoadingClass]? { get set }

    /// The settings that only this implementation declares, by their names.
    var ownSettings: [(String, Any)] { get }
}

/// A response cache, as `URLCache` declares it.
package protocol ClientCache: AnyObject {
    associatedtype DataTask
    associatedtype Response: ClientCachedResponse
    var currentMemoryUsage: Int { get }
    var currentDiskUsage: Int { get }
    func cachedResponse(for request: URLRequest) -> Response?
    func getCachedResponse(for dataTask: DataTask, completionHandler: @escaping @Sendable (Response?) -> Void)
}

/// A response with its body, as `CachedURLResponse` declares it.
package protocol ClientCachedResponse: SendableMetatype {
    var response: URLResponse { get }
    var data: Data { get }
}

/// A store of credentials, as `URLCredentialStorage` declares it.
package protocol ClientCredentialStorage: AnyObject {
    func set(_ credential: URLCredential, for space: URLProtectionSpace)
    func setDefaultCredential(_ credential: URLCredential, for space: URLProtectionSpace)
}

/// An authentication challenge, as `URLAuthenticationChallenge` declares it.
package protocol ClientChallenge: Sendable {
    var protectionSpace: URLProtectionSpace { get }
    var previousFailureCount: Int { get }
    /// The credential that accepts the server's certificate; nil if the challenge does not carry one.
    var trustCredential: URLCredential? { get }
    /// Returns the credential of an identity in PEM files; nil if the implementation does not have such credentials.
    func identity(chainPath: String, keyPath: String) throws -> URLCredential?
}

extension ClientChallenge {
    package var trustCredential: URLCredential? { nil }
    package func identity(chainPath: String, keyPath: String) throws -> URLCredential? { nil }
}

/// A delegate's decision about a challenge, as `URLSession.AuthChallengeDisposition` declares it.
package protocol ClientChallengeDisposition: Sendable {
    static var useCredential: Self { get }
    static var performDefaultHandling: Self { get }
    static var cancelAuthenticationChallenge: Self { get }
    static var rejectProtectionSpace: Self { get }
}

/// A delegate's decision about a response, as `URLSession.ResponseDisposition` declares it.
package protocol ClientResponseDisposition: Sendable {
    static var allow: Self { get }
    static var cancel: Self { get }
    static var becomeDownload: Self { get }
}
