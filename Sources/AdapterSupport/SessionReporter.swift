package import AdapterProtocol
package import Foundation
package import FoundationNetworking

/// Turns every callback of a session into an event, inside the callback, and decides by the task's policies. The
/// delegate of a session passes it each callback that the implementation has.
package struct SessionReporter: Sendable {
    let session: SessionName
    let registry: TaskRegistry
    let output: EventOutput
    /// The queue that the harness gave the session; nil when it gave none, and then callbacks are not reported as begun
    /// and ended.
    let queue: OperationQueue?
    /// The delegate is a task's own and not the session's.
    var isOfTask = false
    /// The only methods that the delegate implements; nil: all.
    package var methods: DelegateMethods?
    /// The task of the delegate; nil where each task carries its name, as those of asynchronous methods do not.
    var task: TaskName?

    /// Called when nothing holds the delegate any more.
    package func delegateReleased() { if !isOfTask { output.emit(.delegateReleased(session)) } }

    /// Reports the invalidation; outside the session's queue it is a line of the log in place of an event.
    package func didBecomeInvalid(_ error: (any Error)?) {
        if let queue, OperationQueue.current !== queue {
            return output.emit(.log("\(session): didBecomeInvalid was called outside the session's queue"))
        }
        output.emit(.didBecomeInvalid(session, error: error.map { Failure($0) }))
    }

    package func didFinishEvents() { output.emit(.didFinishEvents(session)) }

    /// The parts of the result of an asynchronous method; whether its delegate receives them too is not documented.
    private static let results: Set<TaskEventName> = [
        .didReceiveResponse, .didReceiveData, .didFinishDownloading, .didComplete,
    ]

    private func name(of task: some ClientTask) -> TaskName { self.task ?? task.name }

    /// Reports a callback that nothing has to be decided or done in.
    package func report(_ task: some ClientTask, _ event: TaskEvent) {
        run(name(of: task), event.name, task.progress) { $0?.emit(name(of: task), event) }
    }

    /// The frame around every callback about a task: it can report that the callback begins and ends, read the task's
    /// progress, and block the callback. A task's own delegate is called in place of the session's, except for
    /// challenges of the session and methods that it does not implement. A callback of the other one of the two is a
    /// line of the log in place of an event.
    private func run(
        _ task: TaskName, _ callback: TaskEventName, _ progress: Progress?, isOfSession: Bool = false,
        _ body: (EventOutput?) -> Void
    ) {
        if self.task != nil, Self.results.contains(callback) {
            output.emit(.log("\(task): \(callback.rawValue) was called on the delegate of an asynchronous method"))
            return body(nil)
        }
        guard isOfTask == (!isOfSession && registry.hasOwnDelegate(task, for: callback)) else {
            let (called, right) = isOfTask ? ("the task's own", "the session's") : ("the session's", "the task's own")
            output.emit(.log("\(task): \(callback.rawValue) was called on \(called) delegate, not on \(right)"))
            return body(nil)
        }
        if let queue { output.emit(task, .callbackBegan(callback, isOnQueue: OperationQueue.current === queue)) }
        if let progress, registry.progress.isWatched(task) { registry.progress.report(progress, of: task, to: output) }
        let gate = registry.blockedCallbacks.next(callback, of: task)
        body(output)
        gate?.wait()
        if queue != nil { output.emit(task, .callbackEnded(callback)) }
    }

    /// Reports a callback and makes its decision, immediately or on the harness's release. A held decision is stored
    /// before the event is reported, so that no `release` comes too early.
    private func report(
        _ task: TaskName, _ progress: Progress?, _ event: TaskEvent, _ decision: TaskPolicies.Decision,
        isOfSession: Bool = false, completion: @escaping @Sendable () -> Void
    ) {
        run(task, event.name, progress, isOfSession: isOfSession) { output in
            let isHeld = registry.policies(of: task).held.contains(decision)
            if isHeld { registry.held.store(completion, of: task) }
            output?.emit(task, event)
            if !isHeld { completion() }
        }
    }
}

// MARK: Decisions

extension SessionReporter {
    /// - Parameter completionHandler: Takes the disposition, and the request that replaces the delayed one.
    package func willBeginDelayedRequest(
        _ task: some ClientTask, _ request: URLRequest,
        _ completionHandler: @escaping @Sendable (TaskPolicies.DelayedRequestDecision, URLRequest?) -> Void
    ) {
        let policies = registry.policies(of: name(of: task))
        // As if the delegate did not have the method.
        guard let decision = policies.delayedRequest else { return completionHandler(.proceed, nil) }
        var replacement: URLRequest?
        if decision == .replace {
            replacement = request
            replacement?.url = policies.replacementURL.flatMap { URL(string: $0) }
        }
        run(name(of: task), .willBeginDelayedRequest, task.progress) { output in
            output?.emit(name(of: task), .willBeginDelayedRequest)
            completionHandler(decision, replacement)
        }
    }

    package func willPerformRedirect(
        _ task: some ClientTask, _ response: HTTPURLResponse, to request: URLRequest,
        _ completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let event = TaskEvent.willPerformRedirect(
            status: response.statusCode, url: request.url?.absoluteString ?? "", method: request.httpMethod ?? "")
        let completion: URLRequest?
        switch registry.policies(of: name(of: task)).redirect {
        case .follow, nil: completion = request
        case .refuse: completion = nil
        case .to(let text, let method, let body):
            var changed = request
            changed.url = URL(string: text)
            if let method { changed.httpMethod = method }
            if let body { changed.httpBody = Data(body.utf8) }
            completion = changed
        }
        report(name(of: task), task.progress, event, .redirect) { completionHandler(completion) }
    }

    package func didReceiveResponse<Disposition: ClientResponseDisposition>(
        _ task: some ClientTask, _ response: URLResponse,
        _ completionHandler: @escaping @Sendable (Disposition) -> Void
    ) {
        let completion: Disposition =
            switch registry.policies(of: name(of: task)).response {
            case .allow, nil: .allow
            case .cancel: .cancel
            case .becomeDownload: .becomeDownload
            }
        report(name(of: task), task.progress, .didReceiveResponse(TaskEvent.Response(response)), .response) {
            completionHandler(completion)
        }
    }

    /// - Parameter replacing: Returns the proposed response with another body.
    package func willCacheResponse<Cached>(
        _ task: some ClientTask, _ proposed: Cached, _ completionHandler: (Cached?) -> Void,
        replacing: (Data) -> Cached
    ) {
        run(name(of: task), .willCacheResponse, task.progress) { output in
            output?.emit(name(of: task), .willCacheResponse)
            switch registry.policies(of: name(of: task)).caching {
            case .allow, nil: completionHandler(proposed)
            case .refuse: completionHandler(nil)
            case .replaceBody(let text): completionHandler(replacing(Data(text.utf8)))
            }
        }
    }

    package func needNewBodyStream(_ task: some ClientTask, _ completionHandler: (InputStream?) -> Void) {
        run(name(of: task), .needNewBodyStream, task.progress) { output in
            output?.emit(name(of: task), .needNewBodyStream)
            completionHandler(registry.nextStream(of: name(of: task)))
        }
    }

    package func didReceiveChallenge<Disposition: ClientChallengeDisposition>(
        _ task: some ClientTask, _ challenge: some ClientChallenge,
        _ completionHandler: @escaping @Sendable (Disposition, URLCredential?) -> Void
    ) {
        decide(challenge, name(of: task), task.progress, level: .task, completionHandler)
    }

    /// Called for a challenge of the session. Such a callback does not name a task: the decision comes from the newest
    /// task for that host with challenge decisions, if possible one that has not ended.
    package func didReceiveChallenge<Disposition: ClientChallengeDisposition>(
        _ challenge: some ClientChallenge,
        _ completionHandler: @escaping @Sendable (Disposition, URLCredential?) -> Void
    ) {
        let space = challenge.protectionSpace
        guard let task = registry.challenged(in: session, by: space.host) else {
            output.emit(.log("\(session): session-level challenge without a task, \(space.authenticationMethod)"))
            return completionHandler(.performDefaultHandling, nil)
        }
        decide(challenge, task, nil, level: .session, completionHandler)
    }

    private func decide<Disposition: ClientChallengeDisposition>(
        _ challenge: some ClientChallenge, _ task: TaskName, _ progress: Progress?, level: TaskEvent.Challenge.Level,
        _ completionHandler: @escaping @Sendable (Disposition, URLCredential?) -> Void
    ) {
        let decision = registry.nextChallengeDecision(of: task)
        let event = TaskEvent.didReceiveChallenge(TaskEvent.Challenge(challenge, level: level))
        report(task, progress, event, .challenge, isOfSession: level == .session) { [output] in
            switch decision {
            case .cancel: completionHandler(.cancelAuthenticationChallenge, nil)
            case .rejectProtectionSpace: completionHandler(.rejectProtectionSpace, nil)
            case .performDefaultHandling, .credential, .serverTrust, .clientCertificate:
                do throws(UnreadableIdentity) {
                    let credential = try challenge.credential(for: decision)
                    completionHandler(credential == nil ? .performDefaultHandling : .useCredential, credential)
                } catch {
                    output.emit(.adapterFailed(message: error.description))
                    completionHandler(.cancelAuthenticationChallenge, nil)
                }
            }
        }
    }
}

struct UnreadableIdentity: Error, CustomStringConvertible { var description: String }

extension ClientChallenge {
    /// Returns the credential of a decision; nil if the challenge is of another kind, because a decision about one
    /// challenge is not a decision about the other, which may come before it in the same handshake.
    func credential(for decision: TaskPolicies.ChallengeDecision) throws(UnreadableIdentity) -> URLCredential? {
        let method = protectionSpace.authenticationMethod
        let isOfClientCertificate = method == TaskEvent.Challenge.clientCertificateMethod
        switch decision {
        case .credential(let user, let password, let persistence):
            guard !isOfClientCertificate, method != TaskEvent.Challenge.serverTrustMethod else { return nil }
            return URLCredential(user: user, password: password, persistence: persistence.value)
        case .serverTrust: return trustCredential
        case .clientCertificate(let chainPath, let keyPath):
            guard isOfClientCertificate else { return nil }
            do {
                return try identity(chainPath: chainPath, keyPath: keyPath)
            } catch {
                throw UnreadableIdentity(
                    description: "cannot read the identity \(chainPath), \(keyPath): \(error)")
            }
        case .performDefaultHandling, .rejectProtectionSpace, .cancel: return nil
        }
    }
}

// MARK: Content and ends

extension SessionReporter {
    package func didReceiveData(_ task: some ClientTask, _ data: Data) {
        run(name(of: task), .didReceiveData, task.progress) { output in
            if registry.retainsDelivered(name(of: task)) { registry.retained.retain(data, of: name(of: task)) }
            output?.emit(name(of: task), received: data)
        }
    }

    package func didFinishDownloading(_ task: some ClientTask, to location: URL) {
        run(name(of: task), .didFinishDownloading, task.progress) { output in
            guard let output else { return }
            let length = registry.deliver(fileAt: location, of: name(of: task), to: output)
            output.emit(name(of: task), .didFinishDownloading(length: length))
        }
    }

    package func didComplete(_ task: some ClientTask, _ error: (any Error)?) {
        run(name(of: task), .didComplete, task.progress) { output in
            let length = registry.end(name(of: task), error)
            output?.emit(name(of: task), .didComplete(error.map { Failure($0) }, resumeDataLength: length))
        }
    }

    package func didFinishCollecting(_ task: some ClientTask, _ metrics: TaskMetrics) {
        report(task, .didFinishCollectingMetrics(transactions: metrics.transactions.count, metrics: metrics))
    }

    package func didBecomeStreams(
        _ task: some ClientTask, _ input: sending InputStream, _ output: sending OutputStream
    ) {
        registry.keep(CapturedStreams(input, output), of: name(of: task))
        report(task, .didBecomeStreams)
    }
}
