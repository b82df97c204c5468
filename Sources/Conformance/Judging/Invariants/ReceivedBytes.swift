import Record
import AdapterProtocol

/// The bytes that a task delivers agree with the wire: never more than the origin handed to the kernel, and after a
/// success exactly as many as the response announced (DATA-01; RFC 9112 §8: anything less is incomplete).
///
/// A decoded content coding changes the length, so coded responses are excluded; so are tasks that a proxy or the
/// origin's parser may have responded with a page of its own, whose bytes the record does not count. Each task is compared
/// separately, because a cache may deliver the same bytes twice.
enum ReceivedBytes: Invariant {
    static let name = "received bytes"
    static let summary =
        "A task never delivers more bytes than were sent, and after a success exactly as many as were announced."

    static func judge(_ record: RecordView) -> [Mismatch] {
        record.taskNames.compactMap { task in excess(of: task, record) ?? shortfall(of: task, record) }
    }

    private static func excess(of task: TaskName, _ record: RecordView) -> Mismatch? {
        let data = record.received(by: task)
        let file = record.file(of: task)
        let delivered = max(data.bytes.count, file?.bytes.count ?? 0)
        guard delivered > 0 else { return nil }
        let targets = record.targets(of: task)
        guard !targets.isEmpty, !record.mayComeFromElsewhere(task) else { return nil }
        // If the implementation reports a response from another URL, its bytes may be from there.
        let reached = targets + record.responses(of: task).map { ParsedURL($0.response.url) }
        let wire = record.requests.filter { request in reached.contains { $0.matches(request) } }
        guard wire.allSatisfy({ !$0.isCoded && record.isCounted($0) }), !record.mayHaveOwnPage(task) else { return nil }
        let sent = wire.reduce(Int64(0)) { $0.plus($1.sentBytes) }
        guard Int64(delivered) > sent else { return nil }
        let entry = (file.map { $0.bytes.count > data.bytes.count ? $0 : data } ?? data).entry(of: Int(sent))
        return Mismatch(
            check: name, expected: "\(task) delivers at most the \(sent) bytes that the origin sent",
            found: "\(delivered) bytes",
            evidence: wire.suffix(3).map(\.moment.entry) + (entry.map { [$0] } ?? []))
    }

    private static func shortfall(of task: TaskName, _ record: RecordView) -> Mismatch? {
        guard let end = record.completions(of: task).first, end.failure == nil else { return nil }
        let method = record.description(of: task)?.method ?? "GET"
        guard method != "HEAD" else { return nil }
        if let file = record.file(of: task) {
            // Retained bytes are compared when they are read back.
            guard record.description(of: task)?.retainsDelivered != true else { return nil }
            guard let announced = fileLength(task, record, end) else { return nil }
            guard Int64(file.bytes.count) != announced.length else { return nil }
            return mismatch(
                expected: "\(task) delivers a file of \(announced.length) bytes", found: "\(file.bytes.count) bytes",
                evidence: [announced.moment, end.moment])
        }
        guard record.canReport(.didReceiveData), record.occurrences(of: task, .didBecomeDownload).isEmpty,
            record.description(of: task)?.kind != .download,
            let last = record.responses(of: task).last, !last.response.headers.isCoded, last.response.status != 304,
            let announced = last.response.headers.value(of: "Content-Length").flatMap({ Int64($0) })
        else { return nil }
        let delivered = record.events(of: task).reduce(into: Int64(0)) { count, occurrence in
            // Each response of a multipart replaces the one before; a completion handler gets its response together
            // with the data.
            guard case .didReceiveData(let bytes) = occurrence.event else { return }
            if last.moment < occurrence.moment || last.moment == end.moment { count += Int64(bytes.count) }
        }
        guard delivered != announced else { return nil }
        return mismatch(
            expected: "\(task) delivers the \(announced) bytes that Content-Length announces",
            found: "\(delivered) bytes, without an error",
            evidence: [last.moment, end.moment])
    }

    /// Returns the length of the whole file according to the last response to the download; nil if it has none or if
    /// the response cannot be attributed to the task.
    private static func fileLength(
        _ task: TaskName, _ record: RecordView, _ end: RecordView.Completion
    ) -> (length: Int64, moment: RecordView.Moment)? {
        guard let answered = record.requests(of: task)?.last(where: { $0.status != nil }),
            !answered.isCoded, !record.mayHaveOwnPage(task)
        else {
            return nil
        }
        switch answered.status {
        // A range request gets a part; only a part that completes an earlier one gives the whole length.
        case 206 where record.description(of: task)?.headers.value(of: "Range") != nil: return nil
        case 206: return answered.contentRange?.complete.map { ($0, answered.moment) }
        // The lengths in a 304 and a 416 are not those of their bodies.
        case 304, 416, nil: return nil
        default:
            return answered.responseHeaders.value(of: "Content-Length").flatMap { Int64($0) }.map {
                ($0, answered.moment)
            }
        }
    }
}
