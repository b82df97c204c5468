import Foundation
import HTTPFields

/// The state machine that resumes one download: it creates the request for the rest, evaluates the response and checks
/// that the file is complete.
///
/// Add the fields of `request` to the next request, pass every final response head to `evaluate`, count the body's
/// bytes with `receive`, and report the end to `ended`. The caller handles challenges and redirects: it sends the same
/// fields again and returns with the next head.
package struct DownloadResumption: Sendable {
    package enum Judgement: Equatable, Sendable {
        /// Truncate the file to `offset` and append the body there. `total`: the complete length, if known. Report the
        /// offset to the delegate.
        case proceed(offset: Int64, total: Int64?)
        /// The body is the whole resource: empty the file and report offset 0 to the delegate. The caller takes the
        /// total from Content-Length.
        case restart
        /// The response cannot be used: discard its body, empty the file, and send the request again without a range
        /// (`request` has none now).
        case requestWhole(because: String)
        /// The file is complete and has this length.
        case complete(length: Int64)
        /// 401, 407 or a redirect: the response does not concern the range.
        case passOn
        /// An error status: deliver the response in a new file from its first byte. The partial file is kept.
        case deliver
        /// The response cannot be used and the download fails.
        case fail(because: String)
    }

    package enum Ending: Equatable, Sendable {
        case complete(length: Int64)
        /// Send the request again (`request` has the new range) and append nothing in between.
        case requestRemainder
        /// The connection was lost, or the body was shorter than announced: the task fails with resume data for
        /// `received` bytes.
        case incomplete(received: Int64)
    }

    private let policy: DownloadResumePolicy
    private let record: DownloadResumeRecord
    /// The number of valid bytes in the file.
    package private(set) var received: Int64
    private var total: Int64?
    /// True when the whole resource is requested, without a range.
    private var requestsWhole: Bool
    /// The offset at which the current response ends; nil when it is unknown.
    private var expectedEnd: Int64?
    private var progressed: Int64 = 0
    /// The validator of the version being written; nil when it cannot be resumed again.
    private var validator: DownloadValidator?
    private var respondedBy: String

    /// `fileLength` and `tail` describe the file as it is now; nil when it does not exist. `tail` is calculated as in
    /// the record, over the last bytes before `record.received`.
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

    /// The fields to add to the application's request. Empty: an ordinary request for the whole resource.
    package var request: HeaderFields {
        guard !requestsWhole else { return HeaderFields() }
        var fields: HeaderFields = ["Range": "bytes=\(max(0, received + policy.offsetShift))-"]
        if policy.sendsIfRange { fields.append("If-Range", record.validator.fieldValue) }
        // Ranges must count the same bytes as the file.
        fields.append("Accept-Encoding", "identity")
        return fields
    }

    /// The fields to remove from the request because they conflict with the range (RFC 9110 §13.2.2).
    package static let contradictingFields = [
        "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range", "Range",
    ]

    /// True when the request has a range. The delegate receives an offset in both cases.
    package var isRanged: Bool { !requestsWhole }

    // MARK: The response

    /// Evaluates a response head. `respondedBy` is the URL of the response, as in the record.
    package mutating func evaluate(status: Int, fields: HeaderFields, respondedBy: String) -> Judgement {
        expectedEnd = nil
        progressed = 0
        switch status {
        case 206:
            guard !requestsWhole else {
                return .fail(because: "the server sent a part, although the whole file was requested")
            }
            return evaluatePart(fields, respondedBy)
        case 200, 203:
            return evaluateWhole(fields, respondedBy)
        case 416:
            guard !requestsWhole else { return .deliver }
            if policy.acceptsCompleteFile, isWhole(fields) { return .complete(length: received) }
            return refuse("the server reports that byte \(received) does not exist")
        case 304:
            guard !requestsWhole else { return .deliver }
            return refuse("the server sent a 304 to a request without a condition")
        case 300...399, 401, 407: return .passOn
        default: return .deliver
        }
    }

    private mutating func evaluateWhole(_ fields: HeaderFields, _ source: String) -> Judgement {
        guard policy.restartsOnWholeResponse else { return proceed(at: received, total: total, end: nil) }
        // The file is written from this version from here on.
        validator = DownloadResumeRecord.validator(
            method: "GET", scheme: "http", status: 200, responseFields: fields, received: .max, requestHasRange: false,
            policy: policy)
        respondedBy = source
        received = 0
        requestsWhole = true
        // The Content-Length of an encoded body is not the number of decoded bytes in the file.
        total = policy.knowsCodedLengths && Self.isCoded(fields) ? nil : fields["Content-Length"].flatMap { Int64($0) }
        expectedEnd = total
        return .restart
    }

    private mutating func evaluatePart(_ fields: HeaderFields, _ respondedBy: String) -> Judgement {
        if policy.staysWithResource, DownloadSource(respondedBy) != DownloadSource(record.respondedBy) {
            return refuse("the part comes from another URL than the beginning")
        }
        if fields["Content-Type"].map({ HTTPFieldSyntax.lowercased($0).hasPrefix("multipart/byteranges") }) ?? false {
            return refuse("the server sent a multipart response to a single range")
        }
        if !policy.resumesEncodedContent, Self.isCoded(fields) {
            return refuse("the part has a content coding, and ranges of coded content cannot be continued")
        }
        if policy.comparesValidator, !record.validator.agrees(with: fields) {
            return refuse("the part belongs to another version of the file")
        }
        guard let text = fields["Content-Range"], case .part(let first, let last, let length)? = ContentRange(text)
        else {
            guard policy.needsContentRange else { return proceed(at: received, total: total, end: nil) }
            return refuse("the part lacks a valid Content-Range")
        }
        if policy.comparesLength, let length, let total, length != total {
            return refuse("the length of the resource has changed")
        }
        if policy.comparesLength, let total, last >= total {
            return refuse("the part extends beyond the end of the resource")
        }
        if first > received {
            guard !policy.refusesLaterStart else {
                return refuse("the part begins at byte \(first), but byte \(received) was requested")
            }
            return proceed(at: received, total: length ?? total, end: nil)
        }
        // A part that starts earlier overwrites bytes of the file (DNLD-13).
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
        // A request without a range is never refused here again, so this happens at most once.
        requestsWhole = true
        received = 0
        total = nil
        return .requestWhole(because: reason)
    }

    private static func isCoded(_ fields: HeaderFields) -> Bool {
        fields.list("Content-Encoding").contains { !HTTPFieldSyntax.equal($0, "identity") }
    }

    /// Handles a partial file that no longer exists: the whole resource is requested and written to another file.
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
        // The error response may have an entity tag too; only a different one means another version.
        return record.validator.agrees(with: fields)
    }

    /// Returns the record for resuming again after an interruption, without the tail; nil when that is not possible.
    /// `file` is the current path of the bytes.
    package func record(file: String) -> DownloadResumeRecord? { received > 0 ? beginning(file: file) : nil }

    /// Returns the record of the version that is written from here on, without the tail; nil when it cannot be resumed.
    package func beginning(file: String) -> DownloadResumeRecord? {
        guard let validator else { return nil }
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

    /// Counts received bytes. Returns how many of the next `count` bytes belong to the file; the others exceed the
    /// announced range.
    package mutating func receive(_ count: Int64) -> Int64 {
        // A sparse file may be as long as Int64.max.
        let room = Int64.max - received
        let taken = min(count, room, expectedEnd.map { max(0, $0 - received) } ?? room)
        received += taken
        progressed += taken
        return taken
    }

    /// Evaluates the end of a body. `isIntact`: the body ended as its framing requires.
    package mutating func ended(isIntact: Bool) -> Ending {
        if let expectedEnd, received < expectedEnd { return .incomplete(received: received) }
        guard isIntact else { return .incomplete(received: received) }
        guard policy.checksWholeLength, let total, received < total else { return .complete(length: received) }
        // A server that sends nothing would otherwise cause endless requests.
        guard policy.requestsRemainder, progressed > 0, !requestsWhole else { return .incomplete(received: received) }
        return .requestRemainder
    }
}

/// The resource that a partial response came from, in the precision that validators need: an entity tag identifies
/// versions of the same resource only (RFC 9110 §8.8.3).
///
/// The query is ignored: servers that redirect to a storage service sign each redirect in a new query for the same
/// file.
struct DownloadSource: Equatable {
    private let origin: WebOrigin?
    private let path: String
    /// The whole text of a URL without an origin, which equals only itself.
    private let text: String

    init(_ url: String) {
        let place = URL(string: url)
        origin = place.flatMap { WebOrigin($0) }
        path = place?.path(percentEncoded: true) ?? ""
        text = origin == nil ? url : ""
    }
}
