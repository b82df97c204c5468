import Record
import ScenarioLanguage
package import AdapterProtocol

extension RecordView {
    package struct Completion: Sendable {
        package var moment: Moment
        package var failure: Failure?
        package var resumeDataLength: Int?
        /// `didComplete` or `completionHandler`.
        package var event: TaskEventName
    }

    package func completions(of task: TaskName) -> [Completion] {
        events(of: task).compactMap { occurrence in
            switch occurrence.event {
            case .didComplete(let failure, let length), .completionHandler(_, let failure, let length):
                Completion(
                    moment: occurrence.moment, failure: failure, resumeDataLength: length, event: occurrence.event.name)
            default: nil
            }
        }
    }

    /// Returns the times at which a stream task became a pair of streams and so ended without a completion (STRM-03).
    package func captures(of task: TaskName) -> [Moment] {
        occurrences(of: task, .didBecomeStreams).map(\.moment)
    }

    package func responses(of task: TaskName) -> [(response: TaskEvent.Response, moment: Moment)] {
        events(of: task).compactMap { occurrence in
            switch occurrence.event {
            case .didReceiveResponse(let response), .completionHandler(let response?, _, _):
                (response, occurrence.moment)
            default: nil
            }
        }
    }

    /// Returns the bytes delivered by `didReceiveData`, with the entries that delivered them.
    package func received(by task: TaskName) -> DeliveredChunks {
        var pieces = DeliveredChunks()
        for occurrence in events(of: task) {
            if case .didReceiveData(let bytes) = occurrence.event {
                pieces.append(bytes, from: occurrence.moment.entry)
            }
        }
        return pieces
    }

    /// Returns the bytes of the file that the task delivered; nil if it delivered none.
    package func file(of task: TaskName) -> DeliveredChunks? {
        var pieces = DeliveredChunks()
        var isWhole = false
        for occurrence in events(of: task) {
            switch occurrence.event {
            case .fileContent(_, let bytes): pieces.append(bytes, from: occurrence.moment.entry)
            case .didFinishDownloading: isWhole = true
            case .completionHandler(_, let failure, _):
                // An empty file is reported without pieces.
                isWhole = isWhole || !pieces.bytes.isEmpty || failure == nil && description(of: task)?.kind == .download
            default: break
            }
        }
        return isWhole ? pieces : nil
    }

    package func resumeOffsets(of task: TaskName) -> [(offset: Int64, expected: Int64, moment: Moment)] {
        events(of: task).compactMap { occurrence in
            guard case .didResumeAtOffset(let offset, let expected) = occurrence.event else { return nil }
            return (offset, expected, occurrence.moment)
        }
    }

    /// The tasks that the harness resumed, in the order of the steps.
    package var startedTasks: [TaskName] {
        descriptions.map(\.task).filter { !moments(of: .resume($0)).isEmpty }
    }

    /// The tasks that were resumed, not suspended afterwards (unless cancelled), and did not complete.
    package var unfinishedTasks: [TaskName] {
        startedTasks.filter { task in
            guard completions(of: task).isEmpty, captures(of: task).isEmpty,
                let resumed = moments(of: .resume(task)).last, !isLost(task, since: resumed)
            else { return false }
            guard let suspended = moments(of: .suspend(task)).last, resumed < suspended else { return true }
            let session = description(of: task)?.session ?? .main
            let ends =
                moments(of: .cancel(task)) + moments(of: .cancelProducingResumeData(task))
                + moments(of: .invalidate(session, cancelling: true))
            return !ends.isEmpty
        }
    }

    /// Returns true if the task's session is a background session.
    func isInBackground(_ task: TaskName) -> Bool {
        let session = scenario.sessions.first { $0.name == description(of: task)?.session ?? .main }
        return session?.configuration.kind == .background
    }

    /// Returns true if the app stopped running at a moment between these two; what happens meanwhile is reported when it
    /// runs again.
    func isAppAway(between begin: Moment, and end: Moment) -> Bool {
        adapter.contains { fact, moment in
            guard case .process(_, let change) = fact, begin < moment, moment < end else { return false }
            return [.terminated, .killed, .ended, .suspended].contains(change.word)
        }
    }

    /// Returns true if the app's process ended with the task, because the task's session is not a background session
    /// (BKGD-36).
    private func isLost(_ task: TaskName, since resumed: Moment) -> Bool {
        guard !isInBackground(task) else { return false }
        return adapter.contains { fact, moment in
            guard case .process(_, let change) = fact else { return false }
            return change.word == .ended && resumed < moment
        }
    }

    /// Sessions that the steps invalidated and that have not reported `didBecomeInvalid`.
    package var unfinishedSessions: [SessionName] {
        guard reports?.contains("didBecomeInvalid") ?? true else { return [] }
        return scenario.sessions.filter(\.reportsInvalidation).map(\.name).filter { session in
            let asked =
                moments(of: .invalidate(session, cancelling: true))
                + moments(of: .invalidate(session, cancelling: false))
            return !asked.isEmpty && invalidations(of: session).isEmpty
        }
    }

    package func description(of task: TaskName) -> TaskDescription? { descriptions.first { $0.task == task } }

    /// Returns true if the task's bytes may come from elsewhere than the origin: from a file, from the URL itself, or
    /// from a protocol class of the task's session or of the process.
    package func mayComeFromElsewhere(_ task: TaskName) -> Bool {
        let scheme = url(of: task)?.prefix { $0 != ":" }.lowercased()
        if scheme == "file" || scheme == "data" { return true }
        let session = description(of: task)?.session
        return scenario.sessions.contains { plan in
            plan.configuration.protocolClasses.contains { plan.name == session || $0.isRegistered }
        }
    }

    /// Returns the URL that a task requests; a task from resume data requests the URL of the earlier one.
    package func url(of task: TaskName) -> String? {
        guard let description = description(of: task) else { return nil }
        if description.url.isEmpty, let earlier = description.resumesFrom { return url(of: earlier) }
        return description.url
    }

    /// Returns the URLs that a task may request: its own, the targets of redirects, and the URLs of its decisions about redirects
    /// and delayed requests.
    package func targets(of task: TaskName) -> [ParsedURL] {
        guard let url = url(of: task) else { return [] }
        var targets = [ParsedURL(url)]
        for occurrence in events(of: task) {
            if case .willPerformRedirect(_, let url, _) = occurrence.event { targets.append(ParsedURL(url)) }
        }
        if case .to(let url, _, _)? = description(of: task)?.policies.redirect { targets.append(ParsedURL(url)) }
        if let url = description(of: task)?.policies.replacementURL { targets.append(ParsedURL(url)) }
        var next = 0
        while next < targets.count {
            let target = targets[next]
            next += 1
            for route in scenario.origin.routes where target.isServed(by: route) {
                for case .redirect(let redirect) in route.contents {
                    let reached = target.resolving(redirect.to)
                    if !targets.contains(reached) { targets.append(reached) }
                }
            }
        }
        return targets
    }

    /// Returns the requests of this task in order; nil if another task that was active may have made one of them.
    ///
    /// The harness does not mark requests with the name of their task, so target and time must identify them.
    package func requests(of task: TaskName) -> [WireRequest]? {
        let found = candidates(of: task)
        let others = startedTasks.filter { $0 != task }
        for other in others {
            let theirs = Set(candidates(of: other).map(\.number))
            if found.contains(where: { theirs.contains($0.number) }) { return nil }
        }
        return found
    }

    private func candidates(of task: TaskName) -> [WireRequest] {
        guard let started = moments(of: .resume(task)).first else { return [] }
        let targets = targets(of: task)
        let ended = completions(of: task).first?.moment
        return requests.filter { request in
            started < request.moment && (ended.map { request.moment < $0 } ?? true)
                && targets.contains { $0.matches(request) }
        }
    }

    /// Returns all requests for the task's URLs, including those of other tasks.
    func reached(by task: TaskName) -> [WireRequest] {
        let targets = targets(of: task)
        return requests.filter { request in targets.contains { $0.matches(request) } }
    }

    /// Returns the coding of a response to the task that the client did not offer to decode in any request of the run. A
    /// scenario that writes `Accept-Encoding` itself, or breaks the response, decides for the client.
    func unofferedCoding(of task: TaskName) -> String? {
        guard description(of: task)?.headers.value(of: "Accept-Encoding") == nil else { return nil }
        let coded = reached(by: task).filter(\.faults.isEmpty).flatMap(\.responseHeaders.codings)
        return coded.first { coding in !requests.contains { $0.offers(coding) } }
    }

    /// Returns true if the recorded number of body bytes is the number that a client can have received. The origin
    /// records its progress only at intervals, so the number is exact at the end of a response, of a connection that
    /// the origin ends, and at a fault that ends it. A client that disconnects inside a piece may have received part of
    /// it. Garbage is not counted, but a client may take it for body bytes.
    func isCounted(_ request: WireRequest) -> Bool {
        guard !request.faults.contains(where: { $0.word?.sendsUncountedBytes == true }) else { return false }
        return request.hasResponse || request.faults.contains { $0.word?.letsResponseContinue != true }
            || closings[request.connection]?.by == .server
    }
}
