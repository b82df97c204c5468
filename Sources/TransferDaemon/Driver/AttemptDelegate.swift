import AdaptableSession
import Foundation
import FoundationNetworking
import TransferProtocol

/// Receives the events of the in-process session that does one background session's transfers. Redirects are followed
/// without a question (REDR-08).
final class AttemptDelegate: AdaptableSessionDataDelegate, AdaptableSessionDownloadDelegate {
    let identifier: String
    private let daemon: Daemon
    private let store: TransferStore
    private let followsRedirects: Bool

    init(_ identifier: String, _ daemon: Daemon, _ store: TransferStore, followsRedirects: Bool) {
        self.identifier = identifier
        self.daemon = daemon
        self.store = store
        self.followsRedirects = followsRedirects
    }

    /// The in-process task carries the number of the stored one.
    private func key(_ task: AdaptableSessionTask) -> TransferKey {
        TransferKey(session: identifier, number: task.taskDescription.flatMap { Int($0) } ?? 0)
    }

    private func perform(
        _ task: AdaptableSessionTask, _ act: @escaping @Sendable (inout DaemonState, TransferKey) -> Void
    ) {
        let key = key(task)
        daemon.perform { state in
            // An attempt that was replaced is of no interest.
            if state.attempts[key]?.task === task { act(&state, key) }
        }
    }

    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) { completionHandler(followsRedirects ? request : nil) }

    func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (AdaptableSession.ResponseDisposition) -> Void
    ) {
        let head = (response as? HTTPURLResponse).flatMap { TransferResponse($0) }
        let expected = response.expectedContentLength
        perform(dataTask) { state, key in
            state.attempts[key]?.counts.expectedToReceive = expected
            state.received(head, key, completionHandler)
        }
    }

    func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask,
        didBecome downloadTask: AdaptableSessionDownloadTask
    ) {
        // The number of the download was set with the decision.
        downloadTask.taskDescription = dataTask.taskDescription
        perform(dataTask) { state, key in state.attempts[key]?.task = downloadTask }
    }

    func urlSession(_ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didReceive data: Data) {
        let key = key(dataTask)
        let channel: ClientChannel? = daemon.result { state in
            guard state.attempts[key]?.task === dataTask else { return nil }
            return state.received(data, key)
        }
        // Outside the lock: reading pauses until the client has taken the data.
        channel?.sendWaiting(TransferEvent(task: key.number, .data(bytes: data)))
    }

    func urlSession(
        _ session: AdaptableSession, downloadTask: AdaptableSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        perform(downloadTask) { state, key in
            state.attempts[key]?.counts.received = totalBytesWritten
            state.attempts[key]?.counts.expectedToReceive = totalBytesExpectedToWrite
            state.progressed(key)
        }
        let key = key(downloadTask)
        guard daemon.result({ $0.attempts[key]?.task === downloadTask && $0.isSyncDue(key) }) == true else { return }
        // Outside the lock, because a slow disk takes seconds.
        do throws(StoreError) { try store.keepReceived(totalBytesWritten, of: key) } catch {
            daemon.log.write("\(key): cannot write to the disk: \(error)")
        }
    }

    func urlSession(
        _ session: AdaptableSession, downloadTask: AdaptableSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        let key = key(downloadTask)
        let problem: String?
        do {
            let place = URL(fileURLWithPath: try store.partialFile(of: key))
            // The session leaves the file where it is.
            if place.path != location.path {
                try? FileManager.default.removeItem(at: place)
                try FileManager.default.moveItem(at: location, to: place)
            }
            // The store does it too, but with the state locked: here several files are written at the same time.
            try DurableFiles.syncFile(place.path)
            problem = nil
        } catch { problem = "\(error)" }
        perform(downloadTask) { state, key in
            state.attempts[key]?.hasFile = problem == nil
            if let problem { state.log.write("\(key): the download cannot be kept: \(problem)") }
        }
    }

    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask, didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        perform(task) { state, key in
            state.attempts[key]?.counts.sent = totalBytesSent
            state.attempts[key]?.counts.expectedToSend = totalBytesExpectedToSend
            state.progressed(key)
        }
    }

    func urlSession(
        _ session: AdaptableSession, task: AdaptableSessionTask,
        didReceive challenge: AdaptableSessionAuthenticationChallenge,
        completionHandler: @escaping @Sendable (AdaptableSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let value = TransferChallenge(challenge)
        let trust = challenge.serverTrust
        perform(task) { state, key in state.challenged(key, value, trust, completionHandler) }
    }

    func urlSession(_ session: AdaptableSession, task: AdaptableSessionTask, didCompleteWithError error: (any Error)?) {
        let failure = error.map { TransferFailure($0) }
        let head = (task.response as? HTTPURLResponse).flatMap { TransferResponse($0) }
        perform(task) { state, key in
            if let head { state.attempts[key]?.response = head }
            state.attemptEnded(key, failure)
        }
    }
}

extension TransferChallenge {
    fileprivate init(_ challenge: AdaptableSessionAuthenticationChallenge) {
        let space = challenge.protectionSpace
        self.init(
            host: space.host, port: space.port, scheme: space.`protocol` ?? "", isProxy: space.isProxy(),
            realm: space.realm, method: space.authenticationMethod,
            previousFailures: challenge.previousFailureCount, certificates: challenge.serverTrust?.certificates ?? [],
            isTrusted: challenge.serverTrust?.isTrusted ?? false, problem: challenge.serverTrust?.problem,
            response: (challenge.failureResponse as? HTTPURLResponse).flatMap { TransferResponse($0) })
    }
}
