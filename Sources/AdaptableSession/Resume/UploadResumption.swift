import Foundation

/// The state machine of one resumable upload: it creates the requests and evaluates the responses.
///
/// `begin` returns the first request. Afterwards the caller reports every informational response, final head and lost
/// connection, and each call returns the next action. Offsets count bytes of the body. The caller handles redirects
/// (307, 308) and challenges by repeating the step.
package struct UploadResumption: Sendable {
    package struct Step: Equatable, Sendable {
        package enum Purpose: Equatable, Sendable {
            case create, requestOffset, append
        }

        package let purpose: Purpose
        /// The URL and method; nil: those of the task's request.
        package let location: String?
        package let method: String?
        /// Added to the application's fields for `create`; other requests carry only the application's credentials.
        package let fields: HeaderFields
        /// The bytes of the body that the request carries; nil for none.
        package let body: Range<Int64>?
        /// The delay in nanoseconds before it is sent.
        package let after: Int64
    }

    package enum Action: Equatable, Sendable {
        /// Continue with the current request.
        case proceed
        /// The server has stored this many bytes; for progress reporting only.
        case acknowledged(Int64)
        case send(Step)
        /// The current response is the task's response.
        case deliver
        /// The task fails; `record` returns resume data if `isResumable`.
        case fail(because: String, isResumable: Bool)
    }

    private enum State: Equatable {
        case idle
        case creating
        case asking
        case appending(Range<Int64>)
        case over
    }

    /// The number of attempts to resume an interrupted upload without progress in between.
    private static let attemptsWithoutProgress = 3
    /// The delay in nanoseconds before the second and later attempts.
    private static let pause: Int64 = 1_000_000_000

    private let policy: UploadResumePolicy
    let url: String
    private let length: Int64
    private let version: UploadVersion
    private let isOffered: Bool
    private var state = State.idle
    /// The upload resource; nil until a 104 (or the response to an incomplete creation) names it.
    package private(set) var location: String?
    /// The highest offset that the server reported.
    private var acknowledged: Int64 = 0
    /// The end of the furthest byte sent so far.
    private var sent: Int64 = 0
    private var appendLimit: Int64?
    private var attempts = 0

    /// `length` is the body's length; `isRepeatable`: the body can be read again from any byte.
    package init(url: String, length: Int64, isRepeatable: Bool, policy: UploadResumePolicy = UploadResumePolicy()) {
        self.policy = policy
        self.url = url
        self.length = length
        version = policy.version
        isOffered = policy.offers && isRepeatable
    }

    /// Continues from resume data: starts with a request for the server's offset.
    package init(_ record: UploadResumeRecord, policy: UploadResumePolicy = UploadResumePolicy()) {
        self.policy = policy
        url = record.url
        length = record.length
        version = record.version
        location = record.location
        sent = record.sent
        isOffered = true
    }

    package mutating func begin() -> Action {
        if location != nil { return requestOffset(after: 0) }
        state = .creating
        guard isOffered else {
            return .send(
                Step(purpose: .create, location: nil, method: nil, fields: HeaderFields(), body: 0..<length, after: 0))
        }
        var fields = UploadFields.version(version)
        UploadFields.append(isComplete: true, to: &fields, version)
        return .send(Step(purpose: .create, location: nil, method: nil, fields: fields, body: 0..<length, after: 0))
    }

    /// Records the end of the body bytes handed to the kernel, counted from the body's first byte.
    package mutating func didSend(upTo offset: Int64) { sent = max(sent, offset) }

    // MARK: Responses

    /// Handles a 104 response; other informational responses are ignored.
    package mutating func informational(status: Int, fields: HeaderFields) -> Action {
        guard isOffered, status == 104 else { return .proceed }
        if policy.honoursInteropVersion, fields[UploadFields.interopVersion] != "\(version.rawValue)" {
            return .proceed
        }
        if state == .creating, location == nil, let named = fields["Location"] { location = resolve(named) }
        if let limit = UploadFields.limit("max-append-size", fields) { appendLimit = limit }
        guard let offset = UploadFields.offset(fields), offset > acknowledged, offset <= sent else { return .proceed }
        progress(to: offset)
        return .acknowledged(offset)
    }

    package mutating func didReceiveResponse(status: Int, fields: HeaderFields) -> Action {
        switch state {
        case .idle, .over: return .deliver
        case .creating: return created(status, fields)
        case .asking: return informational(status, fields)
        case .appending(let range): return appended(range, status, fields)
        }
    }

    /// Handles a connection that could not be opened or ended before the current response was complete.
    package mutating func lost() -> Action {
        guard location != nil, state != .over else { return over("the connection was lost", isResumable: false) }
        return again("the connection was lost")
    }

    /// Returns the record for resuming the upload later; nil when it cannot be resumed.
    package func record(method: String, fields: HeaderFields, body: UploadResumeRecord.Body) -> UploadResumeRecord? {
        guard let location else { return nil }
        return UploadResumeRecord(
            url: url, method: method, fields: fields, location: location, version: version, length: length, sent: sent,
            body: body)
    }

    // MARK: Decisions

    private mutating func created(_ status: Int, _ fields: HeaderFields) -> Action {
        guard isOffered, (200...299).contains(status), UploadFields.isComplete(fields) == false,
            let place = location ?? fields["Location"].flatMap({ resolve($0) })
        else { return deliver() }
        // The server created the upload but did not store all of the body.
        location = place
        return requestOffset(after: 0)
    }

    private mutating func informational(_ status: Int, _ fields: HeaderFields) -> Action {
        if (200...299).contains(status) {
            if UploadFields.isComplete(fields) == true { return deliver() }
            guard let offset = UploadFields.offset(fields) else {
                return over("the server does not report an upload offset", isResumable: false)
            }
            if let limit = UploadFields.limit("max-append-size", fields) { appendLimit = limit }
            return append(from: offset)
        }
        return refused(status)
    }

    private mutating func appended(_ range: Range<Int64>, _ status: Int, _ fields: HeaderFields) -> Action {
        if status == 409, let offset = UploadFields.offset(fields) {
            guard attempts < Self.attemptsWithoutProgress else {
                return over("the server's offset does not advance", isResumable: true)
            }
            attempts += 1
            return append(from: offset)
        }
        guard (200...299).contains(status) else { return refused(status) }
        guard UploadFields.isComplete(fields) == false || range.upperBound < length else { return deliver() }
        if let offset = UploadFields.offset(fields) { return append(from: offset) }
        progress(to: range.upperBound)
        return range.upperBound < length ? append(from: range.upperBound) : requestOffset(after: 0)
    }

    private mutating func refused(_ status: Int) -> Action {
        if (500...599).contains(status), attempts < Self.attemptsWithoutProgress {
            return again("the server responded with status \(status)")
        }
        if (400...499).contains(status), !policy.endsOnClientError {
            return again("the server responded with status \(status)")
        }
        return deliver()
    }

    private mutating func again(_ reason: String) -> Action {
        guard attempts < Self.attemptsWithoutProgress else { return over(reason, isResumable: true) }
        attempts += 1
        return requestOffset(after: attempts == 1 ? 0 : Self.pause)
    }

    private mutating func requestOffset(after: Int64) -> Action {
        guard policy.requestsOffset else { return append(from: sent) }
        state = .asking
        return .send(
            Step(
                purpose: .requestOffset, location: location, method: "HEAD", fields: UploadFields.version(version),
                body: nil, after: after))
    }

    private mutating func append(from claimed: Int64) -> Action {
        let offset = claimed + policy.offsetShift
        if policy.refusesImpossibleOffset, claimed < acknowledged || claimed > sent || claimed > length {
            return over("the server reports an impossible offset of \(claimed) bytes", isResumable: false)
        }
        progress(to: claimed)
        let start = min(max(0, offset), length)
        let limit = policy.keepsAppendLimit ? appendLimit.map { max(1, $0) } : nil
        let end = limit.map { min(length, start + $0) } ?? length
        state = .appending(start..<end)
        var fields = UploadFields.version(version)
        fields.append("Upload-Offset", "\(start)")
        UploadFields.append(isComplete: end == length, to: &fields, version)
        switch version {
        case .version3, .version5: break
        case .version6, .version8: fields.append("Content-Type", UploadFields.mediaType)
        }
        return .send(
            Step(purpose: .append, location: location, method: "PATCH", fields: fields, body: start..<end, after: 0))
    }

    private mutating func progress(to offset: Int64) {
        guard offset > acknowledged else { return }
        acknowledged = offset
        attempts = 0
    }

    private mutating func deliver() -> Action {
        state = .over
        return .deliver
    }

    private mutating func over(_ reason: String, isResumable: Bool) -> Action {
        state = .over
        return .fail(because: reason, isResumable: isResumable && location != nil)
    }

    private func resolve(_ text: String) -> String? {
        guard let base = URL(string: url), let place = URL(string: text, relativeTo: base)?.absoluteURL else {
            return nil
        }
        // A resource at another origin would receive data meant for this one.
        guard WebOrigin(place) == WebOrigin(base) else { return nil }
        return place.absoluteString
    }
}
