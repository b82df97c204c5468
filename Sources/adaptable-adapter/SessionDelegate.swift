import AdaptableSession
import AdapterProtocol
import AdapterSupport
import Foundation
import FoundationNetworking

/// Passes every callback to the reporter.
final class SessionDelegate {
    private let reporter: SessionReporter

    init(_ reporter: SessionReporter) { self.reporter = reporter }

    deinit { reporter.delegateReleased() }
}

extension SessionDelegate: AdaptableSessionDelegate {
    func urlSession(_ session: AdaptableSession, didBecomeInvalidWithError error: (any Error)?) {
        reporter.didBecomeInvalid(error)
    }

    func urlSession(
        _ session: AdaptableSession, didReceive challenge: AdaptableSessionAuthenticationChallenge,
        completionHandler: @Sendable @escaping (AdaptableSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) { reporter.didReceiveChallenge(challenge, completionHandler) }

    func urlSessionDidFinishEvents(forBackgroundURLSession session: AdaptableSession) { reporter.didFinishEvents() }
}

extension SessionDelegate: AdaptableSessionTaskDelegate {
    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask, willBeginDelayedRequest request: URLRequest,
        completionHandler: @Sendable @escaping (AdaptableSession.DelayedRequestDisposition, URLRequest?) -> Void
    ) {
        reporter.willBeginDelayedRequest(task, request) { decision, replacement in
            switch decision {
            case .proceed: completionHandler(.continueLoading, nil)
            case .replace: completionHandler(.useNewRequest, replacement)
            case .cancel: completionHandler(.cancel, nil)
            }
        }
    }

    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @Sendable @escaping (URLRequest?) -> Void
    ) { reporter.willPerformRedirect(task, response, to: request, completionHandler) }

    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask,
        didReceive challenge: AdaptableSessionAuthenticationChallenge,
        completionHandler: @Sendable @escaping (AdaptableSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) { reporter.didReceiveChallenge(task, challenge, completionHandler) }

    func urlSession(_ session: AdaptableSession, taskIsWaitingForConnectivity task: AdaptableSessionTask) {
        reporter.report(task, .taskIsWaitingForConnectivity)
    }

    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask,
        didReceiveInformationalResponse response: HTTPURLResponse
    ) { reporter.report(task, .didReceiveInformationalResponse(status: response.statusCode)) }

    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask,
        needNewBodyStream completionHandler: @Sendable @escaping (InputStream?) -> Void
    ) { reporter.needNewBodyStream(task, completionHandler) }

    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask, didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        reporter.report(
            task, .didSendBodyData(sent: bytesSent, totalSent: totalBytesSent, expected: totalBytesExpectedToSend))
    }

    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask,
        didFinishCollecting metrics: AdaptableSessionTaskMetrics
    ) {
        reporter.didFinishCollecting(
            task, TaskMetrics(metrics.taskInterval, redirects: metrics.redirectCount, metrics.transactionMetrics))
    }

    func urlSession(_ session: AdaptableSession, task: AdaptableSessionTask, didCompleteWithError error: (any Error)?) {
        reporter.didComplete(task, error)
    }
}

extension SessionDelegate: AdaptableSessionDataDelegate {
    func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didReceive response: URLResponse,
        completionHandler: @Sendable @escaping (AdaptableSession.ResponseDisposition) -> Void
    ) { reporter.didReceiveResponse(dataTask, response, completionHandler) }

    func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask,
        didBecome downloadTask: AdaptableSessionDownloadTask
    ) { reporter.report(dataTask, .didBecomeDownload) }

    func urlSession(_ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didReceive data: Data) {
        reporter.didReceiveData(dataTask, data)
    }

    func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask,
        willCacheResponse proposed: AdaptableCachedURLResponse,
        completionHandler: @Sendable @escaping (AdaptableCachedURLResponse?) -> Void
    ) {
        reporter.willCacheResponse(dataTask, proposed, completionHandler) {
            AdaptableCachedURLResponse(
                response: proposed.response, data: $0, userInfo: proposed.userInfo,
                storagePolicy: proposed.storagePolicy)
        }
    }
}

extension SessionDelegate: AdaptableSessionDownloadDelegate {
    func urlSession(
        _ session: AdaptableSession, downloadTask: AdaptableSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        reporter.didFinishDownloading(downloadTask, to: location)
    }

    func urlSession(
        _ session: AdaptableSession, downloadTask: AdaptableSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        reporter.report(
            downloadTask,
            .didWriteData(written: bytesWritten, totalWritten: totalBytesWritten, expected: totalBytesExpectedToWrite))
    }

    func urlSession(
        _ session: AdaptableSession, downloadTask: AdaptableSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) { reporter.report(downloadTask, .didResumeAtOffset(offset: fileOffset, expected: expectedTotalBytes)) }
}

extension SessionDelegate: AdaptableSessionStreamDelegate {
    func urlSession(_ session: AdaptableSession, readClosedFor streamTask: AdaptableSessionStreamTask) {
        reporter.report(streamTask, .readClosed)
    }

    func urlSession(_ session: AdaptableSession, writeClosedFor streamTask: AdaptableSessionStreamTask) {
        reporter.report(streamTask, .writeClosed)
    }

    func urlSession(
        _ session: AdaptableSession, streamTask: AdaptableSessionStreamTask, didBecome inputStream: sending InputStream,
        outputStream: sending OutputStream
    ) { reporter.didBecomeStreams(streamTask, inputStream, outputStream) }
}

/// Implements only the method for the end of a task, so that the session decides in all others.
final class CompletionDelegate {
    private let reporter: SessionReporter

    init(_ reporter: SessionReporter) { self.reporter = reporter }

    deinit { reporter.delegateReleased() }
}

extension CompletionDelegate: AdaptableSessionTaskDelegate {
    func urlSession(_ session: AdaptableSession, task: AdaptableSessionTask, didCompleteWithError error: (any Error)?) {
        reporter.didComplete(task, error)
    }
}

extension SessionReporter {
    /// Returns a delegate that implements these methods.
    var delegate: any AdaptableSessionTaskDelegate {
        switch methods {
        case nil: SessionDelegate(self)
        case .completion: CompletionDelegate(self)
        }
    }
}
