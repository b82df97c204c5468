import AdapterProtocol
import Foundation
import FoundationNetworking

/// Turns every callback of a session into an event, inside the callback, and answers by the task's policies.
final class SessionDelegate: NSObject {
    let session: SessionName
    let notes: TaskNotes
    let output: EventOutput

    init(session: SessionName, notes: TaskNotes, output: EventOutput) {
        self.session = session
        self.notes = notes
        self.output = output
    }
}

extension URLSessionTask {
    /// The harness's name of the task, which the adapter gave it as its description.
    fileprivate var name: TaskName { TaskName(taskDescription ?? "task \(taskIdentifier)") }
}

extension SessionDelegate: URLSessionDelegate {
    func urlSession(_ urlSession: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        output.emit(.didBecomeInvalid(session, error: error.map { Failure($0) }))
    }

    func urlSession(
        _ urlSession: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @Sendable @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        // The callback names no task, so no task's policy can answer.
        output.emit(.log("\(session): session-level challenge, \(challenge.protectionSpace.authenticationMethod)"))
        completionHandler(.performDefaultHandling, nil)
    }
}

extension SessionDelegate: URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @Sendable @escaping (URLRequest?) -> Void
    ) {
        output.emit(
            task.name,
            .willPerformRedirect(
                status: response.statusCode, url: request.url?.absoluteString ?? "", method: request.httpMethod ?? ""))
        switch notes.policies(of: task.name).redirect {
        case .follow, nil: completionHandler(request)
        case .refuse: completionHandler(nil)
        case .to(let text):
            var changed = request
            changed.url = URL(string: text)
            completionHandler(changed)
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @Sendable @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        output.emit(task.name, .didReceiveChallenge(TaskEvent.Challenge(challenge, level: "task")))
        switch notes.nextChallengeAnswer(of: task.name) {
        case .credential(let user, let password):
            completionHandler(.useCredential, URLCredential(user: user, password: password, persistence: .forSession))
        case .performDefaultHandling: completionHandler(.performDefaultHandling, nil)
        case .rejectProtectionSpace: completionHandler(.rejectProtectionSpace, nil)
        case .cancel: completionHandler(.cancelAuthenticationChallenge, nil)
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @Sendable @escaping (InputStream?) -> Void
    ) {
        output.emit(task.name, .needNewBodyStream)
        switch notes.body(of: task.name) {
        case .bytes(let bytes): completionHandler(InputStream(data: Data(bytes)))
        case .file(let path): completionHandler(InputStream(fileAtPath: path))
        case nil: completionHandler(nil)
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        output.emit(
            task.name,
            .didSendBodyData(sent: bytesSent, totalSent: totalBytesSent, expected: totalBytesExpectedToSend))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        output.emit(task.name, .didFinishCollectingMetrics(transactions: metrics.transactionMetrics.count))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let length = notes.keepResumeData(from: error, of: task.name)
        output.emit(task.name, .didComplete(error.map { Failure($0) }, resumeDataLength: length))
    }
}

extension SessionDelegate: URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @Sendable @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        output.emit(dataTask.name, .didReceiveResponse(TaskEvent.Response(response)))
        completionHandler(notes.policies(of: dataTask.name).response == .cancel ? .cancel : .allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask) {
        output.emit(dataTask.name, .didBecomeDownload)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        output.emit(dataTask.name, received: data)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @Sendable @escaping (CachedURLResponse?) -> Void
    ) {
        output.emit(dataTask.name, .willCacheResponse)
        completionHandler(proposedResponse)
    }
}

extension SessionDelegate: URLSessionDownloadDelegate {
    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
        // The file is the callback's only while it runs.
        let length = output.emit(downloadTask.name, fileAt: location)
        output.emit(downloadTask.name, .didFinishDownloading(length: length))
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        output.emit(
            downloadTask.name,
            .didWriteData(written: bytesWritten, totalWritten: totalBytesWritten, expected: totalBytesExpectedToWrite))
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        output.emit(downloadTask.name, .didResumeAtOffset(offset: fileOffset, expected: expectedTotalBytes))
    }
}
