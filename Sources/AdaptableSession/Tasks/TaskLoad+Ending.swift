import Foundation
import FoundationNetworking
import NIOCore
import NIOPosix
import Synchronization

/// The end of a load, which happens exactly once (DLGT-07).
extension TaskLoad {
    func finish(_ error: URLError?) {
        guard close(error) else { return }
        guard let error else { return notifyCompletion(nil) }
        if error.code == .cancelled, !policies.delivery.plainCancelLeavesResumeData {
            transfer?.discard()
            return notifyCompletion(error)
        }
        leave { load, data in load.notifyCompletion(load.add(data, to: error)) }
    }

    func finish(_ code: URLError.Code, _ text: String, because cause: (any Error)? = nil) {
        finish(
            cause.map { URLError.made(code, text, because: $0, request.url) } ?? URLError.made(code, text, request.url))
    }

    /// Ends the task with an error of a protocol class, passed on unchanged.
    func fail(with error: any Error) {
        if let error = error as? URLError { return finish(error) }
        guard close(error) else { return }
        transfer?.discard()
        notifyCompletion(error)
    }

    func cancel(producingResumeData handler: @escaping @Sendable (Data?) -> Void) {
        let error = URLError.made(.cancelled, "The task was cancelled.", request.url)
        guard close(error) else {
            post { _ in handler(nil) }
            return
        }
        leave { load, data in
            load.post { _ in handler(data) }
            load.notifyCompletion(load.add(data, to: error))
        }
    }

    /// Creates resume data. If nothing was received yet, the resume data that the task was created with remains valid.
    private func leave(_ done: @escaping (TaskLoad, Data?) -> Void) {
        switch kind {
        case .data, .upload, .download: break
        case .resumedDownload(let data):
            if transfer == nil { return done(self, DownloadTransfer.request(of: data).map { _ in data }) }
        case .resumedUpload(let data):
            if current.resumable == nil {
                return done(self, isOfNoUse ? nil : UploadResume.record(data).map { _ in data })
            }
        }
        if let transfer {
            return transfer.leave(request, original: task.originalRequest ?? request) { [self] data in done(self, data)
            }
        }
        guard let resumable = current.resumable, resumable.isKept else { return done(self, nil) }
        // A body in memory is a part of the resume data and may be long, so the data is created on another thread.
        let make = NIOThreadPool.singleton.runIfActive(eventLoop: core.eventLoop) { resumable.data() }
        make.assumeIsolated().whenComplete { [self] result in done(self, try? result.get()) }
    }

    /// Closes the load: only its last callbacks follow. Returns false when it was closed already.
    private func close(_ error: (any Error)?) -> Bool {
        guard !isEnded else { return false }
        handle(.ended)
        leaveHandshakes()
        core.leave(number)
        stopAlarm()
        task.facts.withLock { $0.error = error }
        return true
    }

    private func notifyCompletion(_ error: (any Error)?) {
        let response = response
        record.end()
        let metrics = record.metrics(redirects: current.redirectCount)
        if error == nil { task.progressBox.complete() }
        let isDelegate = ending.isDelegate
        let location = machine.destination == .file ? transfer?.url : nil
        let collected = collected
        self.collected = Data()
        let policy = policies.tasks
        let handlersOnQueue = policies.delivery.handlersOnQueue
        let handsOver = location != nil && isDelegate && error == nil
        if handsOver, policy.completesLast { deliverFile(location, policy) }
        post { caller in
            caller.callTaskDelegate { $0.urlSession(caller.session, task: caller.task, didFinishCollecting: metrics) }
        }
        let ending = ending
        let number = number
        post { caller in
            caller.task.facts.withLock { $0.state = .completed }
            for _ in 0..<(policy.completesOnce ? 1 : 2) {
                switch ending {
                case .delegate:
                    caller.callTaskDelegate {
                        $0.urlSession(caller.session, task: caller.task, didCompleteWithError: error)
                    }
                case .data(let handler):
                    let hides = error != nil
                    let say = { @Sendable in handler(hides ? nil : collected, hides ? nil : response, error) }
                    if handlersOnQueue { say() } else { DispatchQueue.global().async(execute: say) }
                case .file(let handler):
                    if let location, error == nil {
                        handler(location, response, nil)
                        if policy.removesFile { try? FileManager.default.removeItem(at: location) }
                    } else {
                        handler(nil, nil, error)
                    }
                }
            }
            if !handsOver || policy.completesLast { caller.leave(number) }
        }
        if handsOver, !policy.completesLast {
            deliverFile(location, policy)
            post { caller in caller.leave(number) }
        }
    }

    private func deliverFile(_ location: URL?, _ policy: TaskPolicy) {
        guard let location else { return }
        let removes = policy.removesFile && core.settings.downloads == nil
        post { caller in
            caller.callDownloadDelegate { delegate, task in
                delegate.urlSession(caller.session, downloadTask: task, didFinishDownloadingTo: location)
            }
            if removes { try? FileManager.default.removeItem(at: location) }
        }
    }
}

extension TaskLoad {
    private func add(_ data: Data?, to error: URLError) -> URLError {
        guard let data else { return error }
        var information = error.userInfo
        information[isDownload ? AdaptableSession.downloadTaskResumeData : AdaptableSession.uploadTaskResumeData] = data
        return URLError(error.code, userInfo: information)
    }
}
