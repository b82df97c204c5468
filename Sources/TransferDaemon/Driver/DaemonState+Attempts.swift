import AdaptableSession
import Foundation
import FoundationNetworking
import TransferProtocol

/// The attempts to do tasks.
extension DaemonState {
    /// The largest body of an upload's response, which is kept in memory and in the store.
    private static let longestBody = 8 << 20

    mutating func start(_ key: TransferKey) {
        if attempts[key] != nil {
            // An attempt that waited for a decision has its place now; one that is stopping has to end first.
            if attempts[key]?.stop != nil { attempts[key]?.startsAgain = true } else { attempts[key]?.task.resume() }
            return
        }
        do throws(StoreError) {
            let stored = try store.task(key)
            guard let session = session(key.session) else { return }
            let task = try make(stored, session)
            task.taskDescription = "\(key.number)"
            task.priority = Float(stored.priority)
            task.avoidsCostlyPaths = scheduler.needsWifi(key, at: now)
            attempts[key] = TransferAttempt(task, stored)
            log.write("\(key): starts \(stored.request.method) \(stored.request.url)")
            task.resume()
        } catch {
            log.write("\(key): cannot start: \(error)")
            retry(key, madeProgress: false)
        }
    }

    private func make(_ stored: TransferTask, _ session: AdaptableSession) throws(StoreError) -> AdaptableSessionTask {
        let request = stored.request.urlRequest
        switch stored.kind {
        case .data: return session.dataTask(with: request)
        case .upload:
            guard case .file(let path) = stored.request.body else { return session.dataTask(with: request) }
            return session.uploadTask(with: request, fromFile: URL(fileURLWithPath: path))
        case .download:
            let key = TransferKey(session: stored.session, number: stored.number)
            // BKGD-18, BKGD-19: without usable resume data the whole is requested.
            guard policies.retry.resumes,
                let data = try store.resumeData(of: key).flatMap({ DownloadPlacement.resumeData(from: $0) })
            else {
                return session.downloadTask(with: request)
            }
            return session.downloadTask(withResumeData: data)
        }
    }

    private mutating func session(_ identifier: String) -> AdaptableSession? {
        if let session = sessions[identifier] { return session }
        guard let settings = settings[identifier] else { return nil }
        let configuration = AdaptableSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.waitsForConnectivity = true
        configuration.timeoutIntervalForRequest = settings.requestTimeout
        // The scheduler's clock decides.
        configuration.timeoutIntervalForResource = 10 * 365 * 86_400
        configuration.allowsCellularAccess = settings.allowsCellular
        configuration.allowsExpensiveNetworkAccess = settings.allowsExpensive
        configuration.allowsConstrainedNetworkAccess = settings.allowsConstrained
        configuration.httpMaximumConnectionsPerHost = settings.maximumConnectionsPerHost
        configuration.httpAdditionalHeaders = Dictionary(
            settings.additionalHeaderFields.map { (AnyHashable($0.name), $0.value as Any) }
        ) { "\($0), \($1)" }
        let (store, log) = (store, log)
        let key = { @Sendable (task: AdaptableSessionTask) in
            TransferKey(session: identifier, number: task.taskDescription.flatMap { Int($0) } ?? 0)
        }
        configuration.downloads = DownloadPlacement(
            file: { task in
                do throws(StoreError) { return URL(fileURLWithPath: try store.partialFile(of: key(task))) } catch {
                    log.write("\(error)")
                    return nil
                }
            },
            willWrite: { task, beginning in
                do throws(StoreError) { try store.setResumeData(beginning, of: key(task)) } catch {
                    log.write("\(error)")
                }
            })
        let queue = OperationQueue()
        // A callback may wait for its client, so there is room for all of them.
        queue.maxConcurrentOperationCount = 64
        let session = AdaptableSession(
            configuration: configuration,
            delegate: AttemptDelegate(
                identifier, daemon, store, followsRedirects: policies.tasks.followRedirects), delegateQueue: queue)
        sessions[identifier] = session
        return session
    }

    /// Stops an attempt that the scheduler lets wait. What a client has received of a data task cannot be delivered again,
    /// so its attempt continues as long as its connection does, unless the client suspended it.
    mutating func pause(_ key: TransferKey, _ reason: TransferScheduler.StopReason) {
        if attempts[key]?.isVisible == true {
            if reason == .obstacle(.suspended) { attempts[key]?.task.suspend() }
        } else {
            log.write("\(key): stops: \(reason)")
            stop(key, .pause)
        }
    }

    /// Lets the attempts of discretionary tasks use any network that their requests allow, once they may (DISC-06).
    func widenPaths() {
        let instant = now
        for (key, attempt) in attempts where attempt.task.avoidsCostlyPaths && !scheduler.needsWifi(key, at: instant) {
            attempt.task.avoidsCostlyPaths = false
        }
    }

    // MARK: The end

    /// Stops an attempt; false if there is none.
    @discardableResult
    mutating func stop(_ key: TransferKey, _ stop: TransferAttempt.Stop) -> Bool {
        guard let attempt = attempts[key] else { return false }
        attempts[key]?.stop = stop
        attempts[key]?.startsAgain = false
        questions[key] = nil
        // The end carries the resume data.
        if let download = attempt.task as? AdaptableSessionDownloadTask {
            download.cancel { _ in }
        } else {
            attempt.task.cancel()
        }
        return true
    }

    /// An attempt has ended: with the task, or for another attempt later (BKGD-17).
    mutating func attemptEnded(_ key: TransferKey, _ failure: TransferFailure?) {
        guard let attempt = attempts[key] else { return }
        questions[key] = nil
        if failure == nil, attempt.kind != .download || attempt.hasFile {
            complete(key, nil)
            return pump()
        }
        let failure =
            failure
            ?? TransferFailure(
                code: URLError.Code.cannotWriteToFile.rawValue, message: "The download cannot be kept.")
        switch attempt.stop {
        case .cancel:
            endCancelled(key, failure.resumeData)
        case .timeOut: complete(key, .timedOut)
        case .pause:
            keepPart(key, failure.resumeData)
            attempts[key] = nil
            if attempt.startsAgain { start(key) }
        case nil:
            let canContinue = policies.retry.startsOver || failure.resumeData != nil || attempt.kind != .download
            guard policies.retry.retries, canContinue, TransferRetryPolicy.isRecoverable(code: failure.code),
                !attempt.isVisible
            else {
                var failure = failure
                failure.resumeData = failure.resumeData.flatMap { DownloadPlacement.handOver($0) }
                complete(key, failure)
                return pump()
            }
            keepPart(key, failure.resumeData)
            attempts[key] = nil
            log.write("\(key): tries again: \(failure.message) (\(failure.code))")
            retry(key, madeProgress: attempt.hasProgress)
        }
        pump()
    }

    /// Without resume data of the end, that of the beginning of the file still serves.
    private func keepPart(_ key: TransferKey, _ resumeData: Data?) {
        _ = stored { () throws(StoreError) in
            guard let attempt = attempts[key] else { return }
            if attempt.kind == .download { try store.keepReceived(attempt.counts.received, of: key) }
            if let resumeData { try store.setResumeData(resumeData, of: key) }
            try store.setCounts(attempt.counts, of: key)
        }
    }

    private mutating func retry(_ key: TransferKey, madeProgress: Bool) {
        let earlier = (try? store.scheduled(key))?.failures ?? 0
        let failures = policies.retry.failures(after: earlier, madeProgress: madeProgress)
        let delay = policies.retry.delay(failures: failures, using: &generator)
        let instant = now
        _ = stored { () throws(StoreError) in
            try store.setRetry(failures: failures, after: delay, of: key, at: instant)
        }
        reschedule(key, hasEnded: true)
    }

    // MARK: Responses and questions

    /// The head of a response: a data task's client decides about it.
    mutating func received(
        _ head: TransferResponse?, _ key: TransferKey,
        _ decide: @escaping @Sendable (AdaptableSession.ResponseDisposition) -> Void
    ) {
        attempts[key]?.response = head
        guard attempts[key]?.kind == .data, let head else { return decide(.allow) }
        // The attempt after one that is stopping has a response of its own.
        guard attempts[key]?.stop == nil, let client = clients[key.session] else { return decide(.cancel) }
        attempts[key]?.isVisible = true
        questions[key] = .response(decide)
        client.channel.send(.event(event: TransferEvent(task: key.number, .response(response: head))))
    }

    /// Bytes of a body. Returns the channel on which those of a data task are sent.
    mutating func received(_ data: Data, _ key: TransferKey) -> ClientChannel? {
        attempts[key]?.counts.received += Int64(data.count)
        guard attempts[key]?.kind == .upload else { return clients[key.session]?.channel }
        attempts[key]?.body.append(data)
        if let count = attempts[key]?.body.count, count > Self.longestBody {
            attempts[key]?.task.cancel()
            complete(
                key,
                TransferFailure(
                    code: URLError.Code.dataLengthExceedsMaximum.rawValue,
                    message: "The response to the upload is longer than 8 MiB."))
        }
        return nil
    }

    mutating func challenged(
        _ key: TransferKey, _ challenge: TransferChallenge, _ trust: AdaptableServerTrust?,
        _ decide: @escaping @Sendable (AdaptableSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if trust != nil, withoutChallenges.contains(key.session) { return decide(.performDefaultHandling, nil) }
        if !policies.tasks.waitForAnswers, clients[key.session] == nil {
            return decide(.cancelAuthenticationChallenge, nil)
        }
        questions[key] = .challenge(challenge, trust, decide)
        // Its place is free for other tasks until the decision.
        scheduler.hold(key)
        ask(key)
        pump()
    }

    /// A task with a begin date is ready (SCHD-04).
    mutating func askDelayed(_ key: TransferKey) {
        guard let task = try? store.task(key) else { return }
        questions[key] = .delayedRequest(task.request)
        ask(key)
    }

    /// Sends a question to the client, or launches it for the question (BKGD-22).
    mutating func ask(_ key: TransferKey) {
        guard let channel = clients[key.session]?.channel else { return considerLaunch(key.session) }
        switch questions[key] {
        case .challenge(let challenge, _, _):
            channel.send(.event(event: TransferEvent(task: key.number, .challenge(challenge: challenge))))
        case .delayedRequest(let request):
            channel.send(.event(event: TransferEvent(task: key.number, .delayedRequest(request: request))))
        case .response, nil: break
        }
    }
}
