import Foundation

/// Makes one upload resumable and takes it up again: which request comes next, and what the answers mean.
///
/// `begin` gives the first request; afterwards every informational response, final head and lost connection is told, and each call
/// returns what to do. Offsets count bytes of the body. Redirects (307, 308) and challenges are the caller's: it repeats the step.
package struct UploadResumption: Sendable {
    package struct Step: Equatable, Sendable {
        package enum Purpose: Equatable, Sendable {
            case create, requestOffset, append
        }

        package let purpose: Purpose
        /// nil: the task's own URL and method.
        package let location: String?
        package let method: String?
        /// Beside the application's own fields for `create`; for the others only its credentials go along.
        package let fields: HeaderFields
        /// Which bytes of the body it carries; nil for none.
        package let body: Range<Int64>?
        /// Nanoseconds to wait before it is sent.
        package let after: Int64
    }

    package enum Action: Equatable, Sendable {
        /// Nothing: go on with the running request.
        case proceed
        /// This many bytes are safe at the server; for progress nothing follows from it.
        case acknowledged(Int64)
        case send(Step)
        /// The running answer is the task's answer.
        case deliver
        /// The task fails; with `record` there is resume data.
        case fail(because: String, isResumable: Bool)
    }

    private enum State: Equatable {
        case idle
        case creating
        case asking
        case appending(Range<Int64>)
        case over
    }

    private let policy: UploadResumePolicy
    let url: String
    private let length: Int64
    private let version: UploadVersion
    private let isOffered: Bool
    private var state = State.idle
    /// The upload resource, once a 104 (or a created upload that is not complete) named it.
    package private(set) var location: String?
    /// The highest offset that the server told.
    private var acknowledged: Int64 = 0
    /// The furthest byte that was ever sent.
    private var sent: Int64 = 0
    private var appendLimit: Int64?
    private var attempts = 0

    /// `length` of the body; `isRepeatable`: it can be read again from any byte.
    package init(url: String, length: Int64, isRepeatable: Bool, policy: UploadResumePolicy = UploadResumePolicy()) {
        self.policy = policy
        self.url = url
        self.length = length
        version = policy.version
        isOffered = policy.offers && isRepeatable
    }

    /// From resume data: begins with the question how far the server has got.
    package init(_ record: UploadResumeRecord, policy: UploadResumePolicy = UploadResumePolicy()) {
        self.policy = policy
        url = record.url
        length = record.length
        version = record.version
        location = record.location
        // How far an earlier run had got is the server's to say.
        sent = record.length
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

    /// How far the body of the running request has been handed to the kernel, counted from the body's first byte.
    package mutating func didSend(upTo offset: Int64) { sent = max(sent, offset) }

    // MARK: Answers

    /// 104. Others are no business of this.
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

    /// The connection ended before the answer to the running request was whole, or could not be made.
    package mutating func lost() -> Action {
        guard location != nil, state != .over else { return over("the connection was lost", isResumable: false) }
        return again("the connection was lost")
    }

    /// What a task that stops now leaves behind; nil when it cannot be taken up again.
    package func record(method: String, fields: HeaderFields, body: UploadResumeRecord.Body) -> UploadResumeRecord? {
        guard let location else { return nil }
        return UploadResumeRecord(
            url: url, method: method, fields: fields, location: location, version: version, length: length, body: body)
    }

    // MARK: Decisions

    private mutating func created(_ status: Int, _ fields: HeaderFields) -> Action {
        guard isOffered, (200...299).contains(status), UploadFields.isComplete(fields) == false,
            let place = location ?? fields["Location"].flatMap({ resolve($0) })
        else { return deliver() }
        // Taken, but not all of it.
        location = place
        return requestOffset(after: 0)
    }

    private mutating func informational(_ status: Int, _ fields: HeaderFields) -> Action {
        if (200...299).contains(status) {
            if UploadFields.isComplete(fields) == true { return deliver() }
            guard let offset = UploadFields.offset(fields) else {
                return over("the server does not say how far it has got", isResumable: false)
            }
            if let limit = UploadFields.limit("max-append-size", fields) { appendLimit = limit }
            return append(from: offset)
        }
        return refused(status)
    }

    private mutating func appended(_ range: Range<Int64>, _ status: Int, _ fields: HeaderFields) -> Action {
        if status == 409, policy.followsConflict, let offset = UploadFields.offset(fields) {
            guard attempts < policy.attemptsWithoutProgress else {
                return over("the server's offset does not move", isResumable: true)
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
        if (500...599).contains(status), policy.resumesAfterServerError, attempts < policy.attemptsWithoutProgress {
            return again("the server answered \(status)")
        }
        if (400...499).contains(status), !policy.endsOnClientError { return again("the server answered \(status)") }
        return deliver()
    }

    private mutating func again(_ reason: String) -> Action {
        guard attempts < policy.attemptsWithoutProgress else { return over(reason, isResumable: true) }
        attempts += 1
        return requestOffset(after: attempts == 1 ? 0 : policy.pause)
    }

    private mutating func requestOffset(after: Int64) -> Action {
        guard policy.requestsOffset else { return append(from: sent) }
        state = .asking
        return .send(
            Step(
                purpose: .requestOffset, location: location, method: "HEAD", fields: UploadFields.version(version),
                body: nil, after: after))
    }

    private mutating func append(from told: Int64) -> Action {
        let offset = told + policy.offsetShift
        if policy.refusesImpossibleOffset, told < acknowledged || told > sent || told > length {
            return over("the server says that it has \(told) bytes, and that cannot be", isResumable: false)
        }
        progress(to: told)
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
        guard !policy.locationStaysWithOrigin || WebOrigin(place) == WebOrigin(base) else { return nil }
        return place.absoluteString
    }
}
