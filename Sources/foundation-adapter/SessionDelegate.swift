import AdapterProtocol
import AdapterSupport
import Foundation
import FoundationNetworking

/// Passes every callback that FoundationNetworking has to the reporter.
final class SessionDelegate: NSObject {
    private let reporter: SessionReporter

    init(_ reporter: SessionReporter) { self.reporter = reporter }

    deinit { reporter.delegateReleased() }
}

extension SessionDelegate: URLSessionDelegate {
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        reporter.didBecomeInvalid(error)
    }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @Sendable @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) { reporter.didReceiveChallenge(challenge, completionHandler) }
}

extension SessionDelegate: URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @Sendable @escaping (URLRequest?) -> Void
    ) { reporter.willPerformRedirect(task, response, to: request, completionHandler) }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @Sendable @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) { reporter.didReceiveChallenge(task, challenge, completionHandler) }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @Sendable @escaping (InputStream?) -> Void
    ) { reporter.needNewBodyStream(task, completionHandler) }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        reporter.report(
            task, .didSendBodyData(sent: bytesSent, totalSent: totalBytesSent, expected: totalBytesExpectedToSend))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        reporter.didFinishCollecting(
            task, TaskMetrics(metrics.taskInterval, redirects: metrics.redirectCount, metrics.transactionMetrics))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        reporter.didComplete(task, error)
    }
}

extension SessionDelegate: URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @Sendable @escaping (URLSession.ResponseDisposition) -> Void
    ) { reporter.didReceiveResponse(dataTask, response, completionHandler) }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask)
    { reporter.report(dataTask, .didBecomeDownload) }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        reporter.didReceiveData(dataTask, data)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposed: CachedURLResponse,
        completionHandler: @Sendable @escaping (CachedURLResponse?) -> Void
    ) {
        reporter.willCacheResponse(dataTask, proposed, completionHandler) {
            CachedURLResponse(
                response: proposed.response, data: $0, userInfo: proposed.userInfo,
                storagePolicy: proposed.storagePolicy)
        }
    }
}

extension SessionDelegate: URLSessionDownloadDelegate {
    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
        reporter.didFinishDownloading(downloadTask, to: location)
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        reporter.report(
            downloadTask,
            .didWriteData(written: bytesWritten, totalWritten: totalBytesWritten, expected: totalBytesExpectedToWrite))
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) { reporter.report(downloadTask, .didResumeAtOffset(offset: fileOffset, expected: expectedTotalBytes)) }
}

/// Implements only the method for the end of a task, so that the session decides in all others.
final class CompletionDelegate: NSObject {
    private let reporter: SessionReporter

    init(_ reporter: SessionReporter) { self.reporter = reporter }

    deinit { reporter.delegateReleased() }
}

extension CompletionDelegate: URLSessionTaskDelegate {
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        reporter.didComplete(task, error)
    }
}

extension SessionReporter {
    /// Returns a delegate that implements these methods.
    var delegate: any URLSessionTaskDelegate {
        switch methods {
        case nil: SessionDelegate(self)
        case .completion: CompletionDelegate(self)
        }
    }
}
