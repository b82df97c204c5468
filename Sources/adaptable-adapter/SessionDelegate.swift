import AdaptableSession
import AdapterProtocol
import AdapterSupport
import Foundation
import FoundationNetworking

/// Turns every callback of a session into an event, inside the callback, and decides by the task's policies.
final class SessionDelegate {
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
    private func callback(_ task: AdaptableSessionTask, _ name: TaskEventName, _ body: () -> Void) {
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

    private func completion(
        _ challenge: AdaptableSessionAuthenticationChallenge, of task: TaskName, _ progress: Progress?, level: String,
        _ completionHandler: @Sendable @escaping (AdaptableSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let decided = registry.nextChallengeDecision(of: task)
        let isOfHandshake = [
            AdaptableSessionAuthenticationChallenge.serverTrustMethod,
            AdaptableSessionAuthenticationChallenge.clientCertificateMethod,
        ].contains(challenge.protectionSpace.authenticationMethod)
        report(task, progress, .didReceiveChallenge(TaskEvent.Challenge(challenge, level: level)), .challenge) {
            [output] in
            switch decided {
            case .credential(let user, let password, let persistence):
                guard !isOfHandshake else { return completionHandler(.performDefaultHandling, nil) }
                completionHandler(
                    .useCredential, URLCredential(user: user, password: password, persistence: persistence.adaptable))
            // A decision about one challenge is not a decision about the other, which may come before it in the same
            // handshake.
            case .serverTrust:
                if let trust = challenge.serverTrust {
                    completionHandler(.useCredential, AdaptableTrustCredential(trust: trust))
                } else {
                    completionHandler(.performDefaultHandling, nil)
                }
            case .clientCertificate(let chainPath, let keyPath):
                guard
                    challenge.protectionSpace.authenticationMethod
                        == AdaptableSessionAuthenticationChallenge.clientCertificateMethod
                else {
                    return completionHandler(.performDefaultHandling, nil)
                }
                do {
                    completionHandler(
                        .useCredential, try AdaptableIdentityCredential(chainPath: chainPath, keyPath: keyPath))
                } catch {
                    output.emit(.adapterFailed(message: "cannot read the identity \(chainPath), \(keyPath): \(error)"))
                    completionHandler(.cancelAuthenticationChallenge, nil)
                }
            case .performDefaultHandling: completionHandler(.performDefaultHandling, nil)
            case .rejectProtectionSpace: completionHandler(.rejectProtectionSpace, nil)
            case .cancel: completionHandler(.cancelAuthenticationChallenge, nil)
            }
        }
    }
}

extension AdaptableIdentityCredential {
    fileprivate convenience init(chainPath: String, keyPath: String) throws {
        try self.init(
            certificatePEM: String(contentsOfFile: chainPath, encoding: .utf8),
            privateKeyPEM: String(contentsOfFile: keyPath, encoding: .utf8))
    }
}

extension AdaptableSessionTask {
    /// The harness's name of the task, which the adapter gave it as its description.
    var name: TaskName { TaskName(taskDescription ?? "task \(taskIdentifier)") }
}

extension SessionDelegate: AdaptableSessionDelegate {
    func urlSession(_ urlSession: AdaptableSession, didBecomeInvalidWithError error: (any Error)?) {
        output.emit(.didBecomeInvalid(session, error: error.map { Failure($0) }))
    }

    /// This callback does not name a task: the decision comes from the newest task for that host with challenge
    /// decisions.
    func urlSession(
        _ urlSession: AdaptableSession, didReceive challenge: AdaptableSessionAuthenticationChallenge,
        completionHandler: @Sendable @escaping (AdaptableSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let task = registry.challenged(in: session, by: challenge.protectionSpace.host) else {
            output.emit(
                .log(
                    "\(session): session-level challenge of nobody's, \(challenge.protectionSpace.authenticationMethod)"
                ))
            return completionHandler(.performDefaultHandling, nil)
        }
        completion(challenge, of: task, nil, level: "session", completionHandler)
    }
}

extension SessionDelegate: AdaptableSessionTaskDelegate {
    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
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
        _ session: AdaptableSession, task: AdaptableSessionTask,
        didReceive challenge: AdaptableSessionAuthenticationChallenge,
        completionHandler: @Sendable @escaping (AdaptableSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completion(challenge, of: task.name, task.progress, level: "task", completionHandler)
    }

    func urlSession(_ session: AdaptableSession, taskIsWaitingForConnectivity task: AdaptableSessionTask) {
        callback(task, .taskIsWaitingForConnectivity) {
            output.emit(task.name, .taskIsWaitingForConnectivity)
        }
    }

    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask,
        didReceiveInformationalResponse response: HTTPURLResponse
    ) {
        callback(task, .didReceiveInformationalResponse) {
            output.emit(task.name, .didReceiveInformationalResponse(status: response.statusCode))
        }
    }

    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask,
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
        _ session: AdaptableSession, task: AdaptableSessionTask, didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        callback(task, .didSendBodyData) {
            output.emit(
                task.name,
                .didSendBodyData(sent: bytesSent, totalSent: totalBytesSent, expected: totalBytesExpectedToSend))
        }
    }

    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask,
        didFinishCollecting metrics: AdaptableSessionTaskMetrics
    ) {
        callback(task, .didFinishCollectingMetrics) {
            output.emit(task.name, .didFinishCollectingMetrics(transactions: metrics.transactionMetrics.count))
        }
    }

    func urlSession(_ session: AdaptableSession, task: AdaptableSessionTask, didCompleteWithError error: (any Error)?) {
        callback(task, .didComplete) {
            let length = registry.keepResumeData(from: error, of: task.name)
            output.emit(task.name, .didComplete(error.map { Failure($0) }, resumeDataLength: length))
        }
    }
}

extension SessionDelegate: AdaptableSessionDataDelegate {
    func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didReceive response: URLResponse,
        completionHandler: @Sendable @escaping (AdaptableSession.ResponseDisposition) -> Void
    ) {
        let completion: AdaptableSession.ResponseDisposition =
            switch registry.policies(of: dataTask.name).response {
            case .allow, nil: .allow
            case .cancel: .cancel
            case .becomeDownload: .becomeDownload
            }
        report(dataTask.name, dataTask.progress, .didReceiveResponse(TaskEvent.Response(response)), .response) {
            completionHandler(completion)
        }
    }

    func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask,
        didBecome downloadTask: AdaptableSessionDownloadTask
    ) {
        callback(dataTask, .didBecomeDownload) {
            output.emit(dataTask.name, .didBecomeDownload)
        }
    }

    func urlSession(_ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didReceive data: Data) {
        callback(dataTask, .didReceiveData) {
            if registry.retainsDelivered(dataTask.name) { registry.retained.retain(data, of: dataTask.name) }
            output.emit(dataTask.name, received: data)
        }
    }

    func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask,
        willCacheResponse proposedResponse: AdaptableCachedURLResponse,
        completionHandler: @Sendable @escaping (AdaptableCachedURLResponse?) -> Void
    ) {
        callback(dataTask, .willCacheResponse) {
            output.emit(dataTask.name, .willCacheResponse)
            switch registry.policies(of: dataTask.name).caching {
            case .allow, nil: completionHandler(proposedResponse)
            case .refuse: completionHandler(nil)
            case .replaceBody(let text):
                completionHandler(
                    AdaptableCachedURLResponse(
                        response: proposedResponse.response, data: Data(text.utf8), userInfo: proposedResponse.userInfo,
                        storagePolicy: proposedResponse.storagePolicy))
            }
        }
    }
}

extension SessionDelegate: AdaptableSessionDownloadDelegate {
    func urlSession(
        _ session: AdaptableSession, downloadTask: AdaptableSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        callback(downloadTask, .didFinishDownloading) {
            let length = registry.deliver(fileAt: location, of: downloadTask.name, to: output)
            output.emit(downloadTask.name, .didFinishDownloading(length: length))
        }
    }

    func urlSession(
        _ session: AdaptableSession, downloadTask: AdaptableSessionDownloadTask, didWriteData bytesWritten: Int64,
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
        _ session: AdaptableSession, downloadTask: AdaptableSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        callback(downloadTask, .didResumeAtOffset) {
            output.emit(downloadTask.name, .didResumeAtOffset(offset: fileOffset, expected: expectedTotalBytes))
        }
    }
}

extension SessionDelegate: AdaptableSessionStreamDelegate {
    func urlSession(_ session: AdaptableSession, readClosedFor streamTask: AdaptableSessionStreamTask) {
        callback(streamTask, .readClosed) { output.emit(streamTask.name, .readClosed) }
    }

    func urlSession(_ session: AdaptableSession, writeClosedFor streamTask: AdaptableSessionStreamTask) {
        callback(streamTask, .writeClosed) { output.emit(streamTask.name, .writeClosed) }
    }

    func urlSession(
        _ session: AdaptableSession, streamTask: AdaptableSessionStreamTask, didBecome inputStream: sending InputStream,
        outputStream: sending OutputStream
    ) {
        registry.keep(CapturedStreams(inputStream, outputStream) { Failure($0) }, of: streamTask.name)
        callback(streamTask, .didBecomeStreams) { output.emit(streamTask.name, .didBecomeStreams) }
    }
}
