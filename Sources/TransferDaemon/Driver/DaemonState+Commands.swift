import AdaptableSession
import Foundation
import FoundationNetworking
import TransferProtocol

/// The commands of programs.
extension DaemonState {
    /// The numbers of tasks. The store counts on from the highest one, so a limit keeps the sum in range.
    private static let numbers = 1...Int(Int32.max)

    /// Handles the command of a connected owner and replies to it.
    mutating func handle(_ line: TransferCommandLine, of identifier: String, on channel: ClientChannel) {
        guard clients[identifier]?.channel === channel else { return }
        let reply = { @Sendable (failure: TransferFailure?, data: Data?) in
            channel.send(.reply(command: line.number, failure: failure, resumeData: data))
        }
        switch line.command {
        case .create(let task): reply(create(task, identifier, resumeData: nil), nil)
        case .createResumed(let task, let data): reply(create(task, identifier, resumeData: data), nil)
        case .resume(let task): reply(setState(.running, TransferKey(session: identifier, number: task)), nil)
        case .suspend(let task): reply(setState(.suspended, TransferKey(session: identifier, number: task)), nil)
        case .cancel(let task, let keepsPart):
            cancel(TransferKey(session: identifier, number: task), keepsPart: keepsPart, reply)
        case .change(let task, let values):
            reply(change(TransferKey(session: identifier, number: task), values), nil)
        case .clientState(let state):
            reply(nil, nil)
            setClient(state, identifier)
        case .decideResponse(let task, let decision):
            reply(decideResponse(TransferKey(session: identifier, number: task), decision), nil)
        case .decideChallenge(let task, let decision):
            reply(nil, nil)
            decideChallenge(TransferKey(session: identifier, number: task), decision)
        case .decideDelayedRequest(let task, let decision):
            reply(decideDelayed(TransferKey(session: identifier, number: task), decision), nil)
        case .acknowledge(let number):
            // Only what was sent on this connection can have been received. After a reconnection the events before are
            // sent again first.
            let event = min(number, clients[identifier]?.sent ?? 0)
            let forgets = policies.delivery.forgetsAcknowledged
            reply(
                stored { () throws(StoreError) in
                    if forgets { try store.acknowledge(through: event, ofSession: identifier) }
                }, nil)
            let before = clients[identifier]?.acknowledged ?? 0
            clients[identifier]?.acknowledged = max(before, event)
            pumpEvents(identifier)
        case .invalidate(let cancelsTasks):
            invalidated.insert(identifier)
            for task in cancelsTasks ? (try? store.tasks(ofSession: identifier)) ?? [] : [] {
                cancel(TransferKey(session: identifier, number: task.number), keepsPart: false) { _, _ in }
            }
            reply(nil, nil)
        case .hello, .list, .cancelOf, .watch: channel.refuse(.invalid, "the command is not one of a session")
        }
        pump()
    }

    private mutating func create(_ task: TransferTask, _ identifier: String, resumeData: Data?) -> TransferFailure? {
        var task = task
        task.session = identifier
        let key = TransferKey(session: identifier, number: task.number)
        guard let scheme = task.request.url.scheme?.lowercased(), scheme == "http" || scheme == "https",
            Self.numbers.contains(task.number)
        else {
            return TransferFailure(
                code: URLError.Code.unsupportedURL.rawValue, message: "A background session loads HTTP and HTTPS only.")
        }
        if task.kind == .data, !policies.tasks.includeData { return .disconnected }
        let failure = stored { () throws(StoreError) in
            // The client repeats a command whose reply was lost.
            if try !store.hasAccepted(key) { _ = try store.add(task, at: now) }
            if let resumeData, attempts[key] == nil { try store.setResumeData(resumeData, of: key) }
        }
        if failure == nil { reschedule(key) }
        return failure
    }

    private mutating func setState(_ state: TransferTask.State, _ key: TransferKey) -> TransferFailure? {
        // A task that ends keeps that state.
        guard let present = try? store.scheduled(key).state, present == .running || present == .suspended else {
            return nil
        }
        let failure = stored { () throws(StoreError) in try store.setState(state, of: key, at: now) }
        if state == .running, !policies.tasks.waitForNetwork, scheduler.conditions.path == .none {
            complete(
                key,
                TransferFailure(code: URLError.Code.notConnectedToInternet.rawValue, message: "The network is missing.")
            )
        } else {
            reschedule(key)
        }
        return failure
    }

    mutating func cancel(
        _ key: TransferKey, keepsPart: Bool, _ reply: @escaping @Sendable (TransferFailure?, Data?) -> Void
    ) {
        guard let present = try? store.scheduled(key).state, present != .completed else { return reply(nil, nil) }
        let failure = stored { () throws(StoreError) in try store.setState(.canceling, of: key, at: now) }
        guard failure == nil else { return reply(failure, nil) }
        if keepsPart { cancellations[key] = { reply(nil, $0) } } else { reply(nil, nil) }
        if policies.tasks.stopWhenCancelled, stop(key, .cancel) { return }
        let part = keepsPart ? (try? store.resumeData(of: key)).flatMap { $0 } : nil
        endCancelled(key, part.flatMap { DownloadPlacement.resumeData(from: $0) })
    }

    /// Ends a cancelled task and gives the client what it asked for.
    mutating func endCancelled(_ key: TransferKey, _ resumeData: Data?) {
        let reply = cancellations.removeValue(forKey: key)
        // The file of the part is removed with the task, so the client gets another name of it.
        let part =
            reply == nil || !policies.tasks.handOverParts
            ? nil : resumeData.flatMap { DownloadPlacement.handOver($0) }
        // The client may start another task from the part when this one ends.
        reply?(part)
        complete(key, .cancelled)
    }

    private mutating func change(_ key: TransferKey, _ values: TransferChange) -> TransferFailure? {
        guard let task = try? store.task(key) else { return nil }
        let failure = stored { () throws(StoreError) in
            if task.priority != values.priority { try store.setPriority(values.priority, of: key) }
            if task.label != values.label { try store.setLabel(values.label, of: key) }
            var counts = task.counts
            if policies.tasks.keepHints {
                counts.clientExpectsToSend = values.clientExpectsToSend
                counts.clientExpectsToReceive = values.clientExpectsToReceive
            }
            if counts != task.counts { try store.setCounts(counts, of: key) }
            if task.earliestBeginDate != values.earliestBeginDate {
                try store.setEarliestBegin(values.earliestBeginDate, of: key, at: now)
            }
        }
        if policies.tasks.keepHints {
            attempts[key]?.counts.clientExpectsToSend = values.clientExpectsToSend
            attempts[key]?.counts.clientExpectsToReceive = values.clientExpectsToReceive
        }
        attempts[key]?.task.priority = Float(values.priority)
        if task.state != .completed { reschedule(key) }
        return failure
    }

    // MARK: Decisions

    private mutating func decideResponse(_ key: TransferKey, _ decision: TransferDisposition) -> TransferFailure? {
        guard case .response(let decide)? = questions[key] else {
            if case .becomeDownload(let number) = decision { end(number, insteadOf: key) }
            return nil
        }
        questions[key] = nil
        switch decision {
        case .allow: decide(.allow)
        case .cancel:
            decide(.cancel)
        case .becomeDownload(let number):
            let failure = stored { () throws(StoreError) in
                guard Self.numbers.contains(number) else {
                    throw .usedNumber(session: key.session, number: number)
                }
                try store.becomeDownload(number, of: key)
            }
            guard failure == nil else {
                decide(.cancel)
                return failure
            }
            let download = TransferKey(session: key.session, number: number)
            var attempt = attempts.removeValue(forKey: key)
            attempt?.kind = .download
            // From here on a failure is silent again.
            attempt?.isVisible = false
            attempt?.task.taskDescription = "\(number)"
            attempts[download] = attempt
            scheduler.remove(key)
            reschedule(download)
            decide(.becomeDownload)
        }
        return nil
    }

    /// Ends the download that a client knows in place of a data task that had ended before the decision came, unless the
    /// client repeats a decision that was taken.
    private func end(_ number: Int, insteadOf key: TransferKey) {
        guard (try? store.hasAccepted(TransferKey(session: key.session, number: number))) == false else { return }
        var end = TransferEvent.Content.completed(failure: .disconnected, counts: TransferCounts())
        for event in (try? store.events(ofSession: key.session)) ?? [] where event.task == key.number {
            if case .completed = event.content { end = event.content }
        }
        clients[key.session]?.channel.send(.event(event: TransferEvent(task: number, end)))
    }

    private mutating func decideChallenge(_ key: TransferKey, _ decision: TransferChallengeDecision) {
        guard case .challenge(_, let trust, let decide)? = questions.removeValue(forKey: key) else { return }
        switch decision {
        case .useCredential(let user, let password):
            decide(.useCredential, URLCredential(user: user, password: password, persistence: .forSession))
        case .trustServer:
            decide(.useCredential, trust.map { AdaptableTrustCredential(trust: $0) })
        case .continueWithoutCredential: decide(.useCredential, nil)
        case .performDefaultHandling: decide(.performDefaultHandling, nil)
        case .notImplemented:
            withoutChallenges.insert(key.session)
            decide(.performDefaultHandling, nil)
        case .cancel: decide(.cancelAuthenticationChallenge, nil)
        case .rejectProtectionSpace: decide(.rejectProtectionSpace, nil)
        }
        // It takes a place again.
        reschedule(key)
        pumpEvents(key.session)
    }

    private mutating func decideDelayed(_ key: TransferKey, _ decision: TransferDelayedDecision) -> TransferFailure? {
        guard case .delayedRequest? = questions[key] else { return nil }
        questions[key] = nil
        switch decision {
        case .cancel where policies.tasks.obeyCancel,
            .continueLoading where !policies.tasks.obeyContinue:
            complete(key, .cancelled)
            return nil
        case .cancel, .continueLoading, .useNewRequest:
            var request: TransferRequest?
            if case .useNewRequest(var new) = decision, policies.tasks.useNewRequests {
                // The body of an upload stays: the decision changes URL and header fields (SCHD-09).
                if new.body == nil { new.body = (try? store.task(key))?.request.body }
                request = new
            }
            let failure = stored { () throws(StoreError) in try store.setDelayedDecision(request, of: key) }
            reschedule(key)
            pumpEvents(key.session)
            return failure
        }
    }
}
