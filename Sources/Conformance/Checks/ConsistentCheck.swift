import Record
import ScenarioLanguage
import AdapterProtocol

/// The properties that hold for a task whatever the network and the server do to it: it ends in time, a success
/// delivers exactly one version of the resource and a failure part of one, the error is a documented one, and a request
/// that is not idempotent is processed once at most (RFC 9110 §9.2.2). Sweeps judge by it in place of expectations.
///
/// A task that never ends, a second completion and callbacks after the first one are found by the invariants.
struct ConsistentCheck: Check {
    static let key = "consistent"
    static let summary =
        "However the task ends: in time, with the bytes of one version or with a documented error, and its request processed once at most."
    static let shape = Shape.object([.task])

    private let task: TaskName

    init(_ fields: Fields) throws(ScenarioError) { task = try fields.task() }

    /// Every client reports it; a program without an adapter does not.
    var neededEvents: Set<String> { [TaskEventName.didComplete.rawValue] }

    func judge(_ record: RecordView) -> [Mismatch] {
        var found = processed(record)
        guard let end = record.completions(of: task).first else { return found }
        found += lateness(end, record) + undocumented(end, record) + wrongBytes(end, record)
        return found
    }

    // MARK: - Time

    /// The time that a busy machine may add to the resource timeout.
    private static let slack = Duration.seconds(2)

    private func lateness(_ end: RecordView.Completion, _ record: RecordView) -> [Mismatch] {
        let session = record.description(of: task)?.session ?? .main
        guard let limit = record.scenario.sessions.first(where: { $0.name == session })?.configuration.resourceTimeout,
            let begin = record.moments(of: .resume(task)).first, record.moments(of: .suspend(task)).isEmpty
        else { return [] }
        let taken = end.moment.time.minus(begin.time)
        guard taken > (limit + Self.slack).nanoseconds, !record.isAppAway(between: begin, and: end.moment) else {
            return []
        }
        return mismatch(
            expected: "\(task) ends within its resource timeout of \(limit)", found: "after \(durationText(taken))",
            evidence: [begin, end.moment], dependsOnTime: true)
    }

    // MARK: - Error

    private func undocumented(_ end: RecordView.Completion, _ record: RecordView) -> [Mismatch] {
        guard let failure = end.failure else { return [] }
        // The class is enough where classes are compared.
        if record.profile.comparesClasses, failure.named == nil, let kind = failure.class, kind != .other {
            guard kind == .cancelled, !mayBeCancelled(record) else { return [] }
            return mismatch(
                expected: "\(task), which is never cancelled, ends with another error",
                found: ErrorExpectation.description(failure), evidence: [end.moment])
        }
        switch failure.named {
        case nil, .unknown:
            return mismatch(
                expected: "\(task) ends without an error or with a documented one",
                found: ErrorExpectation.description(failure), evidence: [end.moment])
        case .cancelled where !mayBeCancelled(record):
            return mismatch(
                expected: "\(task), which is never cancelled, ends with another error",
                found: ErrorExpectation.description(failure), evidence: [end.moment])
        default: return []
        }
    }

    /// Returns true if a step cancels the task or its session, or if the delegate decides anything about it.
    private func mayBeCancelled(_ record: RecordView) -> Bool {
        guard let description = record.description(of: task) else { return true }
        let commands =
            record.moments(of: .cancel(task)) + record.moments(of: .cancelProducingResumeData(task))
            + record.moments(of: .invalidate(description.session, cancelling: true))
        return !commands.isEmpty || description.policies != TaskPolicies()
    }

    // MARK: - Bytes

    private func wrongBytes(_ end: RecordView.Completion, _ record: RecordView) -> [Mismatch] {
        guard let description = record.description(of: task), description.method != "HEAD",
            description.headers.value(of: "Range") == nil, !description.retainsDelivered,
            !record.mayComeFromElsewhere(task), let content = content(description, end, record)
        else { return [] }
        let (bytes, versions) = (content.pieces.bytes, content.versions)
        guard !versions.isEmpty else { return [] }
        let isWhole = end.failure == nil
        let sources = record.scenario.origin.representations
        var wrongs: [(wrong: WrongBytes, version: Representation)] = []
        for version in versions {
            guard let wrong = WrongBytes(bytes, instead: version, others: sources) else { return [] }
            // The beginning of a version is right as long as the task does not claim that it is complete.
            if !isWhole, wrong.offset == Int64(bytes.count), wrong.offset < version.length { return [] }
            wrongs.append((wrong, version))
        }
        guard let (wrong, version) = wrongs.max(by: { $0.wrong.offset < $1.wrong.offset }) else { return [] }
        let amount = isWhole ? "exactly the \(version.length) bytes" : "at most the first bytes"
        return [
            Mismatch(
                check: Self.key, expected: "\(task) delivers \(amount) of \(version.description)", found: wrong.text,
                evidence: (content.pieces.entry(of: Int(wrong.offset)).map { [$0] } ?? []) + [end.moment.entry])
        ]
    }

    /// Returns the bytes that the task delivered and every version that they may be; nil if the response is not a
    /// representation of the resource.
    private func content(
        _ description: TaskDescription, _ end: RecordView.Completion, _ record: RecordView
    ) -> (pieces: DeliveredChunks, versions: [Representation])? {
        let isFile = description.kind == .download || !record.occurrences(of: task, .didBecomeDownload).isEmpty
        if isFile {
            // No callback reports a download's response, and a file that was delivered is complete.
            guard let file = record.file(of: task), description.policies.redirect == nil,
                let status = record.requests(of: task)?.last(where: { $0.status != nil })?.status,
                status == 200 || status == 206
            else { return nil }
            return (file, record.targets(of: task).flatMap { versions(at: $0, record) })
        }
        guard let last = record.responses(of: task).last, last.response.status == 200 else { return nil }
        var pieces = DeliveredChunks()
        for occurrence in record.events(of: task) {
            // A completion handler gets its response together with the data.
            guard case .didReceiveData(let bytes) = occurrence.event,
                last.moment < occurrence.moment || last.moment == end.moment
            else { continue }
            pieces.append(bytes, from: occurrence.moment.entry)
        }
        return (pieces, versions(at: ParsedURL(last.response.url), record))
    }

    /// Returns the versions that the origin serves at this URL; none for a route that breaks its framing on purpose.
    private func versions(at target: ParsedURL, _ record: RecordView) -> [Representation] {
        let origin = record.scenario.origin
        let routes = origin.routes.filter { target.isServed(by: $0) }
        guard !routes.isEmpty, routes.allSatisfy({ $0.wire == WirePlan() }) else { return [] }
        let named = origin.representations("//\(target.host)\(target.path)", version: nil)
        return named.isEmpty ? origin.representations(target.path, version: nil) : named
    }

    // MARK: - Requests

    private static let idempotent: Set<String> = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]

    /// Returns a mismatch if the origin received a request that is not idempotent completely more than once. A redirect,
    /// a challenge, and a refusal before the processing (RFC 9110 §15.5.20; RFC 9113 §8.7) allow another one. A
    /// background transfer is sent again, whatever its method (BKGD-17).
    private func processed(_ record: RecordView) -> [Mismatch] {
        let uploads = record.scenario.origin.routes.contains { $0.resumableUpload != nil }
        guard !uploads, !record.isInBackground(task), let requests = record.requests(of: task) else { return [] }
        let received = requests.filter { request in
            guard !Self.idempotent.contains(request.method), request.bodyBytes != nil else { return false }
            if isRefused(request, record) || request.faults.contains(where: { $0.word == .resetStream }) {
                return false
            }
            return switch request.status {
            case let status?: !(300..<400).contains(status) && ![401, 407, 408, 421, 425, 503].contains(status)
            case nil: true
            }
        }
        guard received.count > 1 else { return [] }
        return mismatch(
            expected: "the \(received[0].method) request of \(task) reaches the origin once at most",
            found: "\(received.count) complete requests", evidence: received.map(\.moment))
    }

    /// Returns true if a GOAWAY on its connection says that the request was not processed.
    private func isRefused(_ request: WireRequest, _ record: RecordView) -> Bool {
        guard let stream = request.stream else { return false }
        return record.requests.contains { other in
            guard other.connection == request.connection, let place = other.stream else { return false }
            return other.faults.contains { StreamEffect.lastStream(of: $0, at: place).map { stream > $0 } ?? false }
        }
    }
}
