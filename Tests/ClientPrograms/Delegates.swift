import Foundation
import FoundationNetworking

final class Delegate: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate, URLSessionStreamDelegate {
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: Error?) {}

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(.performDefaultHandling, nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: Error?) {}

    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        summarize(metrics)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {}

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(request)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard challenge.previousFailureCount == 0, challenge.protectionSpace.realm == "realm" else {
            return completionHandler(.cancelAuthenticationChallenge, nil)
        }
        completionHandler(.useCredential, URLCredential(user: "u", password: "p", persistence: .forSession))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        completionHandler(InputStream(data: Data()))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
    ) {
        completionHandler(.continueLoading, nil)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        completionHandler(response.expectedContentLength > 1_000 ? .becomeDownload : .allow)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask
    ) {}

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {}

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        completionHandler(
            CachedURLResponse(
                response: proposedResponse.response, data: proposedResponse.data, userInfo: ["kept": true],
                storagePolicy: .allowedInMemoryOnly))
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {}

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {}

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {}

    func urlSession(_ session: URLSession, readClosedFor streamTask: URLSessionStreamTask) {}

    func urlSession(_ session: URLSession, writeClosedFor streamTask: URLSessionStreamTask) {}
}

func summarize(_ metrics: URLSessionTaskMetrics) {
    _ = (metrics.taskInterval.duration, metrics.redirectCount)
    for transaction in metrics.transactionMetrics {
        let dates: [Date?] = [
            transaction.fetchStartDate, transaction.domainLookupStartDate, transaction.domainLookupEndDate,
            transaction.connectStartDate, transaction.secureConnectionStartDate, transaction.secureConnectionEndDate,
            transaction.connectEndDate, transaction.requestStartDate, transaction.requestEndDate,
            transaction.responseStartDate, transaction.responseEndDate,
        ]
        let counts: [Int64] = [
            transaction.countOfRequestHeaderBytesSent, transaction.countOfRequestBodyBytesSent,
            transaction.countOfRequestBodyBytesBeforeEncoding, transaction.countOfResponseHeaderBytesReceived,
            transaction.countOfResponseBodyBytesReceived, transaction.countOfResponseBodyBytesAfterDecoding,
        ]
        let flags: [Bool] = [
            transaction.isProxyConnection, transaction.isReusedConnection, transaction.isCellular,
            transaction.isExpensive, transaction.isConstrained, transaction.isMultipath,
        ]
        _ = (dates, counts, flags, transaction.request.url, transaction.response?.url, transaction.networkProtocolName)
        _ = (transaction.localAddress, transaction.localPort, transaction.remoteAddress, transaction.remotePort)
        if transaction.negotiatedTLSProtocolVersion == .TLSv13, transaction.resourceFetchType == .networkLoad {}
        if transaction.negotiatedTLSCipherSuite == .AES_128_GCM_SHA256 {}
        switch transaction.resourceFetchType {
        case .unknown, .networkLoad, .serverPush, .localCache: break
        default: break
        }
        if transaction.domainResolutionProtocol == URLSessionTaskMetrics.DomainResolutionProtocol.udp {}
    }
}
