import Foundation
import FoundationNetworking
import Synchronization
import TransferProtocol

/// The delegate calls of a background session. Runs on its queue of callbacks.
struct BackgroundEvents {
    let link: BackgroundLink
    let session: AdaptableSession

    /// Calls the delegate, and then acknowledges a durable event.
    func deliver(_ event: TransferEvent) {
        if let number = event.task {
            // The task may have ended since the event was sent.
            if let task = link.task(number) { deliver(event.content, to: task) }
        } else if case .allDelivered = event.content, let delegate = session.delegate {
            _ = OptionalMethodProbe.isImplemented(by: delegate) {
                delegate.urlSessionDidFinishEvents(forBackgroundURLSession: session)
            }
        }
        if let number = event.number { link.send(.acknowledge(event: number)) }
    }

    private func deliver(_ content: TransferEvent.Content, to task: AdaptableSessionTask) {
        let caller = DelegateCaller(session: session, task: task)
        switch content {
        case .progress(let counts): progress(counts, task, caller)
        case .response(let response): respond(response, task, caller)
        case .data(let bytes):
            update(task) { $0.received += Int64(bytes.count) }
            caller.callDataDelegate { $0.urlSession(session, dataTask: $1, didReceive: bytes) }
        case .resumed(let offset, let expected):
            update(task) { ($0.received, $0.expectedToReceive) = (offset, expected) }
            caller.callDownloadDelegate {
                $0.urlSession(session, downloadTask: $1, didResumeAtOffset: offset, expectedTotalBytes: expected)
            }
        case .finishedFile(let path): deliverFile(path, caller)
        case .completed(let failure, let counts):
            update(task) { ($0.sent, $0.received) = (max($0.sent, counts.sent), max($0.received, counts.received)) }
            end(task, .delegate, failure?.urlError)
        case .challenge(let challenge): ask(challenge, task, caller)
        case .delayedRequest(let request): ask(request, task, caller)
        case .allDelivered: break
        }
    }

    private func update(_ task: AdaptableSessionTask, _ change: (inout TaskFacts) -> Void) {
        let facts = task.facts.withLock { facts in
            change(&facts)
            return facts
        }
        task.progressBox.update(facts)
    }

    private func progress(_ counts: TransferCounts, _ task: AdaptableSessionTask, _ caller: DelegateCaller) {
        let before = task.facts.withLock { $0 }
        update(task) { facts in
            (facts.sent, facts.received) = (counts.sent, counts.received)
            facts.expectedToSend = counts.expectedToSend
            facts.expectedToReceive = counts.expectedToReceive
        }
        if counts.sent > before.sent {
            caller.callTaskDelegate {
                $0.urlSession(
                    session, task: task, didSendBodyData: counts.sent - before.sent, totalBytesSent: counts.sent,
                    totalBytesExpectedToSend: counts.expectedToSend)
            }
        }
        // After a start from the beginning the total falls, and the whole of it was written.
        let written = counts.received - (counts.received < before.received ? 0 : before.received)
        guard written > 0 else { return }
        caller.callDownloadDelegate {
            $0.urlSession(
                session, downloadTask: $1, didWriteData: written, totalBytesWritten: counts.received,
                totalBytesExpectedToWrite: counts.expectedToReceive)
        }
    }

    /// The decision counts for data tasks only: the response of an upload comes with its end.
    private func respond(_ response: TransferResponse, _ task: AdaptableSessionTask, _ caller: DelegateCaller) {
        guard let head = response.urlResponse else { return }
        update(task) { $0.response = head }
        guard let data = task as? AdaptableSessionDataTask, !(task is AdaptableSessionUploadTask) else {
            caller.callDataDelegate { $0.urlSession(session, dataTask: $1, didReceive: head) { _ in } }
            return
        }
        let decide = OneShotCompletion<AdaptableSession.ResponseDisposition> { [link, session] disposition in
            switch disposition {
            case .cancel: link.send(.decideResponse(task: task.taskIdentifier, disposition: .cancel))
            case .allow: link.send(.decideResponse(task: task.taskIdentifier, disposition: .allow))
            case .becomeDownload: link.post { $0.become(data, session.delegateQueue) }
            }
        }
        if !caller.callDataDelegate({ $0.urlSession(session, dataTask: $1, didReceive: head) { decide($0) } }) {
            decide(.allow)
        }
    }

    /// Continues a data task as a download, which continues without this process (BKGD-13).
    private func become(_ data: AdaptableSessionDataTask, _ queue: OperationQueue) {
        // It may have ended while its delegate decided.
        guard link.task(data.taskIdentifier) === data else { return }
        var facts = data.facts.withLock { $0 }
        facts.delegate = data.delegate
        let download = link.withNextNumber { number in
            let download = AdaptableSessionDownloadTask(
                session: session, identifier: number, load: number, facts: facts)
            link.add(download)
            link.send(.decideResponse(task: data.taskIdentifier, disposition: .becomeDownload(number: number)))
            return download
        }
        DelegateCaller(session: session, task: data)
            .callDataDelegate { $0.urlSession(session, dataTask: $1, didBecome: download) }
        data.facts.withLock { $0.state = .completed }
        link.replace(data.taskIdentifier)
    }

    /// Delivers a link to the file: the daemon keeps it until the event is acknowledged, so that it can be delivered
    /// again after a crash of this process.
    private func deliverFile(_ path: String, _ caller: DelegateCaller) {
        let location = URL(fileURLWithPath: TransferPlaces.delivered(path))
        try? FileManager.default.removeItem(at: location)
        do { try FileManager.default.linkItem(at: URL(fileURLWithPath: path), to: location) } catch {
            try? FileManager.default.copyItem(at: URL(fileURLWithPath: path), to: location)
        }
        caller.callDownloadDelegate { $0.urlSession(session, downloadTask: $1, didFinishDownloadingTo: location) }
        try? FileManager.default.removeItem(at: location)
    }

    /// The last callback of a task. A completion handler is there only for a task that was refused for having one.
    func end(_ task: AdaptableSessionTask, _ ending: TaskEnding, _ error: (any Error)?) {
        task.facts.withLock { facts in
            facts.error = error
            facts.state = .completed
        }
        if error == nil { task.progressBox.complete() }
        switch ending {
        case .delegate:
            DelegateCaller(session: session, task: task)
                .callTaskDelegate { $0.urlSession(session, task: task, didCompleteWithError: error) }
        case .data(let handler): handler(nil, nil, error)
        case .file(let handler): handler(nil, nil, error)
        }
        task.delegate = nil
        if link.remove(task.taskIdentifier) { becomeInvalid(nil) }
    }

    func endIfQuiet() { if link.isQuietAfterInvalidation { becomeInvalid(nil) } }

    /// Reports the end of the session once and releases its delegate.
    func becomeInvalid(_ error: URLError?) {
        guard let delegate = session.delegate else { return }
        _ = OptionalMethodProbe.isImplemented(by: delegate) {
            delegate.urlSession(session, didBecomeInvalidWithError: error)
        }
        session.releaseDelegate()
        link.close()
    }
}
