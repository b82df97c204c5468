/// Continues one download: what to ask for, what to make of the answer, and whether what came is all.
///
/// Ask `request` for the fields of the next request, give every final answer's head to `judge`, count the body's bytes, and give the end
/// to `ended`. Challenges and redirects are the caller's: it sends the same fields again and comes back with the next head.
package struct DownloadResumption: Sendable {
    package enum Judgement: Equatable, Sendable {
        /// Cut the file to `offset` and let the body follow there. `total`: the whole length, where known. Tell the delegate the offset.
        case proceed(offset: Int64, total: Int64?)
        /// The body is the whole resource: empty the file and tell the delegate an offset of 0. `total` from Content-Length is the caller's.
        case restart
        /// This answer is of no use: drop its body, empty the file, and send the request again without range (`request` says so now).
        case requestWhole(because: String)
        /// Nothing is missing: the file is the resource, of this length.
        case complete(length: Int64)
        /// 401, 407, a redirect: not an answer about the range.
        case passOn
        /// An error status: an answer of its own, which goes to a file of its own from its beginning on. The part stays where it is.
        case deliver
        /// The answer cannot be used and nothing more is tried.
        case fail(because: String)
    }

    package enum Ending: Equatable, Sendable {
        case complete(length: Int64)
        /// Send the request again (`request` says from where), append nothing in between.
        case requestRemainder
        /// The connection was lost, or the body was shorter than its head said: the task fails, with resume data for `received`.
        case incomplete(received: Int64)
    }

    private let policy: DownloadResumePolicy
    private let record: DownloadResumeRecord
    /// How many bytes of the file are good.
    package private(set) var received: Int64
    private var total: Int64?
    /// Asking without a range now.
    private var requestsWhole: Bool
    /// Where the running answer ends, if it said so.
    private var expectedEnd: Int64?
    private var progressed: Int64 = 0
    /// Of the version that is being written now; nil when it could not be resumed again.
    private var validator: DownloadValidator?
    private var respondedBy: String

    /// `fileLength` and `tail` describe the file as it is now: nil when it is gone. `tail` is as in the record, over the last bytes
    /// before `record.received`.
    package init(
        _ record: DownloadResumeRecord, fileLength: Int64?, tail: String?,
        policy: DownloadResumePolicy = DownloadResumePolicy()
    ) {
        self.policy = policy
        self.record = record
        let isThere = fileLength.map { $0 >= record.received } ?? false
        let isIntact = !policy.checksPartialFile || tail == record.tail
        requestsWhole = !(isThere && isIntact)
        received = requestsWhole ? 0 : record.received
        total = record.total
        validator = record.validator
        respondedBy = record.respondedBy
    }

    /// The fields that the next request has beside the application's own. Empty: an ordinary request for the whole.
    package var request: HeaderFields {
        guard !requestsWhole else { return HeaderFields() }
        var fields: HeaderFields = ["Range": "bytes=\(max(0, received + policy.offsetShift))-"]
        if policy.sendsIfRange { fields.append("If-Range", record.validator.fieldValue) }
        if policy.requestsIdentityEncoding { fields.append("Accept-Encoding", "identity") }
        return fields
    }

    /// These would contradict the range (RFC 9110 §13.2.2) and are taken off the request.
    package static let contradictingFields = [
        "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range", "Range",
    ]

    /// Whether the request asks for a part (an offset has to be told to the delegate in any case).
    package var isRanged: Bool { !requestsWhole }

    // MARK: The answer

    /// `respondedBy` is the URL that the answer came from, as the record has it.
    package mutating func evaluate(status: Int, fields: HeaderFields, respondedBy: String) -> Judgement {
        expectedEnd = nil
        progressed = 0
        switch status {
        case 206:
            guard !requestsWhole else { return .fail(because: "a part came, and the whole was asked for") }
            return evaluatePart(fields, respondedBy)
        case 200, 203:
            return evaluateWhole(fields, respondedBy)
        case 416:
            guard !requestsWhole else { return .deliver }
            if policy.acceptsCompleteFile, isWhole(fields) { return .complete(length: received) }
            return refuse("the server says that there is no byte \(received)")
        case 304:
            guard !requestsWhole else { return .deliver }
            return refuse("nothing conditional was asked")
        case 300...399, 401, 407: return .passOn
        default: return .deliver
        }
    }

    private mutating func evaluateWhole(_ fields: HeaderFields, _ source: String) -> Judgement {
        guard policy.restartsOnWholeResponse else { return proceed(at: received, total: total, end: nil) }
        // What is written from here on is this version.
        validator = DownloadResumeRecord.validator(
            method: "GET", scheme: "http", status: 200, responseFields: fields, received: .max, requestHasRange: false,
            policy: policy)
        respondedBy = source
        received = 0
        requestsWhole = true
        // The length of a coded body is not that of what is on the disk.
        total = policy.knowsCodedLengths && Self.isCoded(fields) ? nil : fields["Content-Length"].flatMap { Int64($0) }
        expectedEnd = total
        return .restart
    }

    private mutating func evaluatePart(_ fields: HeaderFields, _ respondedBy: String) -> Judgement {
        if policy.staysWithResource, DownloadSource(respondedBy) != DownloadSource(record.respondedBy) {
            return refuse("the part comes from elsewhere than the beginning")
        }
        if fields["Content-Type"].map({ HTTPFieldSyntax.lowercased($0).hasPrefix("multipart/byteranges") }) ?? false {
            return refuse("one range was asked for, and several came")
        }
        if !policy.resumesEncodedContent, Self.isCoded(fields) {
            return refuse("the part is encoded, and the beginning was not")
        }
        if policy.comparesValidator, !record.validator.agrees(with: fields) {
            return refuse("the part is of another version")
        }
        guard let text = fields["Content-Range"], case .part(let first, let last, let length)? = ContentRange(text)
        else {
            guard policy.needsContentRange else { return proceed(at: received, total: total, end: nil) }
            return refuse("the part does not say what it is")
        }
        if policy.comparesLength, let length, let total, length != total {
            return refuse("the resource has another length now")
        }
        if policy.comparesLength, let total, last >= total { return refuse("the part reaches beyond the resource") }
        if first > received {
            guard !policy.refusesLaterStart else {
                return refuse("the part begins at \(first), and \(received) was asked for")
            }
            return proceed(at: received, total: length ?? total, end: nil)
        }
        if first < received {
            guard policy.acceptsEarlierStart else {
                return refuse("the part begins at \(first), and \(received) was asked for")
            }
        }
        return proceed(at: first, total: length ?? total, end: last + 1)
    }

    private mutating func proceed(at offset: Int64, total: Int64?, end: Int64?) -> Judgement {
        received = offset
        self.total = total
        expectedEnd = end
        return .proceed(offset: offset, total: total)
    }

    private mutating func refuse(_ reason: String) -> Judgement {
        guard policy.restartsWhenRefused else { return .fail(because: reason) }
        // A request without a range is never refused again in this way, so this happens once.
        requestsWhole = true
        received = 0
        total = nil
        return .requestWhole(because: reason)
    }

    private static func isCoded(_ fields: HeaderFields) -> Bool {
        fields.list("Content-Encoding").contains { !HTTPFieldSyntax.equal($0, "identity") }
    }

    /// The part is there no more: everything is asked for, and written to another file.
    package mutating func lose() {
        requestsWhole = true
        received = 0
        total = nil
    }

    private func isWhole(_ fields: HeaderFields) -> Bool {
        guard let text = fields["Content-Range"], case .unsatisfied(let length)? = ContentRange(text),
            length == received,
            total.map({ $0 == length }) ?? true
        else { return false }
        // The error's own representation may have a tag; only one that contradicts speaks of another version.
        return record.validator.agrees(with: fields)
    }

    /// What a second interruption leaves behind, but for the tail; nil when it cannot be continued. `file` is where the bytes are now.
    package func record(file: String) -> DownloadResumeRecord? {
        guard let validator, received >= policy.minimumBytes else { return nil }
        var next = record
        next.respondedBy = respondedBy
        next.received = received
        next.total = total
        next.validator = validator
        next.file = file
        next.tail = ""
        return next
    }

    // MARK: The body

    /// How many of the next `count` bytes belong to the file; the rest would reach beyond what the head announced.
    package mutating func receive(_ count: Int64) -> Int64 {
        // A file with holes may be as long as a number holds.
        let room = Int64.max - received
        let taken = min(count, room, expectedEnd.map { max(0, $0 - received) } ?? room)
        received += taken
        progressed += taken
        return taken
    }

    /// The body is over. `isIntact`: as its framing says it must end.
    package mutating func ended(isIntact: Bool) -> Ending {
        if let expectedEnd, received < expectedEnd { return .incomplete(received: received) }
        guard isIntact else { return .incomplete(received: received) }
        guard policy.checksWholeLength, let total, received < total else { return .complete(length: received) }
        // Without progress a server could have us ask for ever.
        guard policy.requestsRemainder, progressed > 0, !requestsWhole else { return .incomplete(received: received) }
        return .requestRemainder
    }
}
