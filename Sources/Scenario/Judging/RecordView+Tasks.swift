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

    /// A stream task that becomes a pair of streams is over without a completion (STRM-03).
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

    /// The bytes that `didReceiveData` brought, with the entries that brought them.
    package func received(by task: TaskName) -> DeliveredChunks {
        var pieces = DeliveredChunks()
        for occurrence in events(of: task) {
            if case .didReceiveData(let bytes) = occurrence.event {
                pieces.append(bytes, from: occurrence.moment.entry)
            }
        }
        return pieces
    }

    /// The bytes of the file that the task handed over; nil when it handed none over.
    package func file(of task: TaskName) -> DeliveredChunks? {
        var pieces = DeliveredChunks()
        var isWhole = false
        for occurrence in events(of: task) {
            switch occurrence.event {
            case .fileContent(_, let bytes): pieces.append(bytes, from: occurrence.moment.entry)
            case .didFinishDownloading: isWhole = true
            case .completionHandler(_, let failure, _):
                // An empty file comes without pieces.
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

    /// The tasks that the harness had started, in the order of the script.
    package var startedTasks: [TaskName] {
        descriptions.map(\.task).filter { !moments(of: .resume($0)).isEmpty }
    }

    /// Started, not suspended since (unless cancelled), and without a completion.
    package var unfinishedTasks: [TaskName] {
        startedTasks.filter { task in
            guard completions(of: task).isEmpty, captures(of: task).isEmpty,
                let resumed = moments(of: .resume(task)).last
            else { return false }
            guard let suspended = moments(of: .suspend(task)).last, resumed < suspended else { return true }
            let session = description(of: task)?.session ?? .main
            let ends =
                moments(of: .cancel(task)) + moments(of: .cancelProducingResumeData(task))
                + moments(of: .invalidate(session, cancelling: true))
            return !ends.isEmpty
        }
    }

    /// Sessions that were told to end and have not said that they did.
    package var unfinishedSessions: [SessionName] {
        scenario.sessions.map(\.name).filter { session in
            let asked =
                moments(of: .invalidate(session, cancelling: true))
                + moments(of: .invalidate(session, cancelling: false))
            return !asked.isEmpty && invalidations(of: session).isEmpty
        }
    }

    private var descriptions: [TaskDescription] {
        scenario.script.compactMap { step in
            if case .task(let description, body: _, starts: _) = step { description } else { nil }
        }
    }

    package func description(of task: TaskName) -> TaskDescription? { descriptions.first { $0.task == task } }

    /// Its bytes need not be the origin's: they may be a file's, a URL's own, or a protocol class's, whose list the task's session has or
    /// the process.
    package func mayComeFromElsewhere(_ task: TaskName) -> Bool {
        let scheme = url(of: task)?.prefix { $0 != ":" }.lowercased()
        if scheme == "file" || scheme == "data" { return true }
        let session = description(of: task)?.session
        return scenario.sessions.contains { plan in
            plan.configuration.protocolClasses.contains { plan.name == session || $0.isRegistered }
        }
    }

    /// The URL that a task asks for; a resumed one asks for what it resumes.
    package func url(of task: TaskName) -> String? {
        guard let description = description(of: task) else { return nil }
        if description.url.isEmpty, let earlier = description.resumesFrom { return url(of: earlier) }
        return description.url
    }

    /// What a task may ask the origin for: its URL, what redirects lead to, and where it was told that it goes.
    package func targets(of task: TaskName) -> [ParsedURL] {
        guard let url = url(of: task) else { return [] }
        var targets = [ParsedURL(url)]
        for occurrence in events(of: task) {
            if case .willPerformRedirect(_, let url, _) = occurrence.event { targets.append(ParsedURL(url)) }
        }
        if case .to(let url)? = description(of: task)?.policies.redirect { targets.append(ParsedURL(url)) }
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

    /// The requests that this task made, in order; nil when another task that was under way may have made one of them.
    ///
    /// The harness sends nothing in a request that would name the task, so target and time must tell.
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

    /// All requests for what a task may ask for, other tasks' included.
    func reached(by task: TaskName) -> [WireRequest] {
        let targets = targets(of: task)
        return requests.filter { request in targets.contains { $0.matches(request) } }
    }

    /// Whether the noted number of body bytes is that which a client can have received: the origin notes its progress now and then,
    /// so it is exact at the end of an answer or of a connection that the origin ends, and where a fault ends it. A client that goes in
    /// the midst of a piece may have had part of it. Garbage is in no count, and to a client it may be body bytes.
    func isCounted(_ request: WireRequest) -> Bool {
        let unknown = ["garbage", "noise", "tlsGarbage"]
        guard !request.faults.contains(where: { fault in unknown.contains { fault.hasPrefix($0) } }) else {
            return false
        }
        let harmless = ["pause", "throttle", "dribble", "stopReading", "respond", "status"]
        return request.hasResponse || request.faults.contains { fault in !harmless.contains { fault.hasPrefix($0) } }
            || closings[request.connection]?.by == "server"
    }
}
