import AdapterProtocol
import AdapterSupport
import Foundation
import FoundationNetworking

/// Turns every callback of a session into an event, inside the callback, and decides by the task's policies.
final class SessionDelegate: NSObject {
    let session: SessionName
    let registry: TaskRegistry
    let output: EventOutput
    private let frame: CallbackFrame

    init(session: SessionName, registry: TaskRegistry, output: EventOutput, queue: OperationQueue?) {
        self.session = session
        self.registry = registry
        self.output = output
        frame = CallbackFrame(queue: queue, registry: registry, output: output)
    }

    deinit { output.emit(.delegateReleased(session)) }
}

extension SessionDelegate {
    private func callback(_ task: URLSessionTask, _ name: TaskEventName, _ body: () -> Void) {
        frame.run(task.name, name, task.progress, body)
    }

    /// Reports a callback and makes its decision, immediately or on the harness's release. A held decision is stored
    /// before the event is reported, so that no `release` comes too early.
    func report(
        _ task: TaskName, _ progress: Progress?, _ event: TaskEvent, _ decision: TaskPolicies.Decision,
        completion: @escaping @Sendable () -> Void
    ) {
        frame.run(task, event.name, progress) {
            let isHeld = registry.policies(of: task).held.contains(decision)
            if isHeld { registry.held.store(completion, of: task) }
            output.emit(task, event)
            if !isHeld { completion() }
        }
    }
}

extension URLSessionTask {
    /// The harness's name of the task, which the adapter gave it as its description.
    var name: TaskName { TaskName(taskDescription ?? "task \(taskIdentifier)") }
}

extension SessionDelegate: URLSessionDelegate {
    func urlSession(_ urlSession: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        output.emit(.didBecomeInvalid(session, error: error.map { Failure($0) }))
    }

    func urlSession(
        _ urlSession: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @Sendable @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        // The callback does not name a task, so no task's policy can decide.
        output.emit(.log("\(session): session-level challenge, \(challenge.protectionSpace.authenticationMethod)"))
        completionHandler(.performDefaultHandling, nil)
    }
}

extension SessionDelegate: URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @Sendable @escaping (URLRequest?) -> Void
    ) {
        let event = TaskEvent.willPerformRedirect(
            status: response.statusCode, url: request.url?.absoluteString ?? "", method: request.httpMethod ?? "")
        let completion: URLRequest?
        switch registry.policies(of: task.name).redirect {
        case .follow, nil: completion = request
        case .refuse: completion = nil
        case .to(let text):
            var changed = request
            changed.url = URL(string: text)
            completion = changed
        }
        report(task.name, task.progress, event, .redirect) { completionHandler(completion) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @Sendable @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let decided = registry.nextChallengeDecision(of: task.name)
        report(
            task.name, task.progress, .didReceiveChallenge(TaskEvent.Challenge(challenge, level: "task")), .challenge
        ) {
            switch decided {
            case .credential(let user, let password, let persistence):
                completionHandler(
                    .useCredential, URLCredential(user: user, password: password, persistence: persistence.foundation))
            // Neither challenge is offered, so no scenario with these decisions runs.
            case .serverTrust, .clientCertificate: completionHandler(.performDefaultHandling, nil)
            case .performDefaultHandling: completionHandler(.performDefaultHandling, nil)
            case .rejectProtectionSpace: completionHandler(.rejectProtectionSpace, nil)
            case .cancel: completionHandler(.cancelAuthenticationChallenge, nil)
            }
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @Sendable @escaping (InputStream?) -> Void
    ) {
        callback(task, .needNewBodyStream) {
            output.emit(task.name, .needNewBodyStream)
            switch registry.nextStreamBody(of: task.name) {
            case .bytes(let bytes): completionHandler(InputStream(data: Data(bytes)))
            case .file(let path): completionHandler(InputStream(fileAtPath: path))
            case nil: completionHandler(nil)
            }
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        callback(task, .didSendBodyData) {
            output.emit(
                task.name,
                .didSendBodyData(sent: bytesSent, totalSent: totalBytesSent, expected: totalBytesExpectedToSend))
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        callback(task, .didFinishCollectingMetrics) {
            output.emit(task.name, .didFinishCollectingMetrics(transactions: metrics.transactionMetrics.count))
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        callback(task, .didComplete) {
            let length = registry.keepResumeData(from: error, of: task.name)
            output.emit(task.name, .didComplete(error.map { Failure($0) }, resumeDataLength: length))
        }
    }
}

extension SessionDelegate: URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @Sendable @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        let completion: URLSession.ResponseDisposition =
            registry.policies(of: dataTask.name).response == .cancel ? .cancel : .allow
        report(dataTask.name, dataTask.progress, .didReceiveResponse(TaskEvent.Response(response)), .response) {
            completionHandler(completion)
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask)
    {
        callback(dataTask, .didBecomeDownload) {
            output.emit(dataTask.name, .didBecomeDownload)
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        callback(dataTask, .didReceiveData) {
            if registry.retainsDelivered(dataTask.name) { registry.retained.retain(data, of: dataTask.name) }
            output.emit(dataTask.name, received: data)
        }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @Sendable @escaping (CachedURLResponse?) -> Void
    ) {
        callback(dataTask, .willCacheResponse) {
            output.emit(dataTask.name, .willCacheResponse)
            switch registry.policies(of: dataTask.name).caching {
            case .allow, nil: completionHandler(proposedResponse)
            case .refuse: completionHandler(nil)
            case .replaceBody(let text):
                completionHandler(
                    CachedURLResponse(
                        response: proposedResponse.response, data: Data(text.utf8), userInfo: proposedResponse.userInfo,
                        storagePolicy: proposedResponse.storagePolicy))
            }
        }
    }
}

extension SessionDelegate: URLSessionDownloadDelegate {
    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
        callback(downloadTask, .didFinishDownloading) {
            let length = registry.deliver(fileAt: location, of: downloadTask.name, to: output)
            output.emit(downloadTask.name, .didFinishDownloading(length: length))
        }
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        callback(downloadTask, .didWriteData) {
            output.emit(
                downloadTask.name,
                .didWriteData(
                    written: bytesWritten, totalWritten: totalBytesWritten, expected: totalBytesExpectedToWrite))
        }
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        callback(downloadTask, .didResumeAtOffset) {
            output.emit(downloadTask.name, .didResumeAtOffset(offset: fileOffset, expected: expectedTotalBytes))
        }
    }
}
