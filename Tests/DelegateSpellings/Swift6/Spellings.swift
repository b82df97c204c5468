public import AdaptableSession
import Foundation
import FoundationNetworking
import Synchronization

// Compiled twice, in the Swift 5 and in the Swift 6 language mode: one delegate for each way to write the methods of URLSession's
// delegate protocols that have a completion handler.

/// The names of the methods that were called.
public final class CallLog: Sendable {
    public static let body = Data("spelled".utf8)

    private let names = Mutex<Set<String>>([])

    public init() {}

    public var called: Set<String> { names.withLock { $0 } }

    func note(_ name: String) { names.withLock { _ = $0.insert(name) } }
}

public enum Spelling: String, CaseIterable, Sendable {
    /// As Foundation imports the methods.
    case sendableClosures
    /// As programs wrote them before closures could be marked.
    case plainClosures
    case sendingStream
    case asynchronous
    case onMainActor
    /// A streamed body is always sent from its beginning.
    case streamFromOffset
    case asynchronousStreamFromOffset

    /// These implement nothing else.
    public var suppliesOnlyStreams: Bool {
        switch self {
        case .sendingStream, .streamFromOffset, .asynchronousStreamFromOffset: true
        case .sendableClosures, .plainClosures, .asynchronous, .onMainActor: false
        }
    }

    public func makeDelegate(_ log: CallLog) -> any AdaptableSessionDataDelegate {
        switch self {
        case .sendableClosures: SendableClosures(log)
        case .plainClosures: PlainClosures(log)
        case .sendingStream: SendingStream(log)
        case .asynchronous: Asynchronous(log)
        case .onMainActor: OnMainActor(log)
        case .streamFromOffset: StreamFromOffset(log)
        case .asynchronousStreamFromOffset: AsynchronousStreamFromOffset(log)
        }
    }
}

private final class SendableClosures: NSObject, AdaptableSessionDataDelegate {
    let log: CallLog
    init(_ log: CallLog) { self.log = log }

    func urlSession(
        _ session: AdaptableSession, didReceive challenge: AdaptableSessionAuthenticationChallenge,
        completionHandler: @escaping @Sendable (AdaptableSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        log.note("session challenge")
        completionHandler(.performDefaultHandling, nil)
    }

    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        log.note("redirect")
        completionHandler(request)
    }

    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask,
        didReceive challenge: AdaptableSessionAuthenticationChallenge,
        completionHandler: @escaping @Sendable (AdaptableSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        log.note("task challenge")
        completionHandler(.performDefaultHandling, nil)
    }

    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        log.note("stream")
        completionHandler(InputStream(data: CallLog.body))
    }

    func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (AdaptableSession.ResponseDisposition) -> Void
    ) {
        log.note("response")
        completionHandler(.allow)
    }

    func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask,
        willCacheResponse proposedResponse: AdaptableCachedURLResponse,
        completionHandler: @escaping @Sendable (AdaptableCachedURLResponse?) -> Void
    ) {
        log.note("cache")
        completionHandler(proposedResponse)
    }
}

private final class PlainClosures: NSObject, AdaptableSessionDataDelegate {
    let log: CallLog
    init(_ log: CallLog) { self.log = log }

    func urlSession(
        _ session: AdaptableSession, didReceive challenge: AdaptableSessionAuthenticationChallenge,
        completionHandler: @escaping (AdaptableSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        log.note("session challenge")
        completionHandler(.performDefaultHandling, nil)
    }

    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        log.note("redirect")
        completionHandler(request)
    }

    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask,
        didReceive challenge: AdaptableSessionAuthenticationChallenge,
        completionHandler: @escaping (AdaptableSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        log.note("task challenge")
        completionHandler(.performDefaultHandling, nil)
    }

    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask,
        needNewBodyStream completionHandler: @escaping (InputStream?) -> Void
    ) {
        log.note("stream")
        completionHandler(InputStream(data: CallLog.body))
    }

    func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (AdaptableSession.ResponseDisposition) -> Void
    ) {
        log.note("response")
        completionHandler(.allow)
    }

    func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask,
        willCacheResponse proposedResponse: AdaptableCachedURLResponse,
        completionHandler: @escaping (AdaptableCachedURLResponse?) -> Void
    ) {
        log.note("cache")
        completionHandler(proposedResponse)
    }
}

private final class SendingStream: AdaptableSessionDataDelegate {
    let log: CallLog
    init(_ log: CallLog) { self.log = log }

    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (sending InputStream?) -> Void
    ) {
        log.note("stream")
        completionHandler(InputStream(data: CallLog.body))
    }
}

private final class StreamFromOffset: AdaptableSessionDataDelegate {
    let log: CallLog
    init(_ log: CallLog) { self.log = log }

    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask, needNewBodyStreamFrom offset: Int64,
        completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        log.note("stream")
        completionHandler(InputStream(data: CallLog.body.dropFirst(Int(offset))))
    }
}

private final class AsynchronousStreamFromOffset: AdaptableSessionDataDelegate {
    let log: CallLog
    init(_ log: CallLog) { self.log = log }

    func urlSession(
        _ session: AdaptableSession, needNewBodyStreamForTask task: AdaptableSessionTask, from offset: Int64
    ) async -> InputStream? {
        log.note("stream")
        return InputStream(data: CallLog.body.dropFirst(Int(offset)))
    }
}

private final class Asynchronous: NSObject, AdaptableSessionDataDelegate {
    let log: CallLog
    init(_ log: CallLog) { self.log = log }

    func urlSession(
        _ session: AdaptableSession, didReceive challenge: AdaptableSessionAuthenticationChallenge
    ) async -> (AdaptableSession.AuthChallengeDisposition, URLCredential?) {
        await Task.yield()
        log.note("session challenge")
        return (.performDefaultHandling, nil)
    }

    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest
    ) async -> URLRequest? {
        await Task.yield()
        log.note("redirect")
        return request
    }

    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask,
        didReceive challenge: AdaptableSessionAuthenticationChallenge
    ) async -> (AdaptableSession.AuthChallengeDisposition, URLCredential?) {
        await Task.yield()
        log.note("task challenge")
        return (.performDefaultHandling, nil)
    }

    func urlSession(_ session: AdaptableSession, needNewBodyStreamForTask task: AdaptableSessionTask) async
        -> InputStream?
    {
        await Task.yield()
        log.note("stream")
        return InputStream(data: CallLog.body)
    }

    func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didReceive response: URLResponse
    ) async -> AdaptableSession.ResponseDisposition {
        await Task.yield()
        log.note("response")
        return .allow
    }

    func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask,
        willCacheResponse proposedResponse: AdaptableCachedURLResponse
    ) async -> AdaptableCachedURLResponse? {
        await Task.yield()
        log.note("cache")
        return proposedResponse
    }
}

@MainActor private final class OnMainActor: NSObject, AdaptableSessionDataDelegate {
    let log: CallLog
    nonisolated init(_ log: CallLog) { self.log = log }

    func urlSession(
        _ session: AdaptableSession, didReceive challenge: AdaptableSessionAuthenticationChallenge
    ) async -> (AdaptableSession.AuthChallengeDisposition, URLCredential?) {
        log.note("session challenge")
        return (.performDefaultHandling, nil)
    }

    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest
    ) async -> URLRequest? {
        log.note("redirect")
        return request
    }

    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask,
        didReceive challenge: AdaptableSessionAuthenticationChallenge
    ) async -> (AdaptableSession.AuthChallengeDisposition, URLCredential?) {
        log.note("task challenge")
        return (.performDefaultHandling, nil)
    }

    func urlSession(_ session: AdaptableSession, needNewBodyStreamForTask task: AdaptableSessionTask) async
        -> sending InputStream?
    {
        log.note("stream")
        return InputStream(data: CallLog.body)
    }

    func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didReceive response: URLResponse
    ) async -> AdaptableSession.ResponseDisposition {
        log.note("response")
        return .allow
    }

    func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask,
        willCacheResponse proposedResponse: AdaptableCachedURLResponse
    ) async -> AdaptableCachedURLResponse? {
        log.note("cache")
        return proposedResponse
    }
}
