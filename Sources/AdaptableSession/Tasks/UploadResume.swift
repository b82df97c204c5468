import Foundation
import FoundationNetworking
import HTTPFields

/// The resumable upload of one task (`UploadResumption`) and the body of its next request.
struct UploadResume {
    private var value: UploadResumption
    private(set) var step: UploadResumption.Step?
    let whole: BodySource
    /// The identity of the file when the upload started.
    private let fileIdentity: FileIdentity?
    let length: Int64
    private let method: String
    private let applicationFields: HeaderFields

    init(
        _ value: UploadResumption, whole: BodySource, fileIdentity: FileIdentity?, length: Int64, method: String,
        fields: HeaderFields
    ) {
        self.value = value
        self.whole = whole
        self.fileIdentity = fileIdentity
        self.length = length
        self.method = method
        applicationFields = fields
    }

    /// The header fields that resuming adds to the current request.
    var fields: HeaderFields { step?.fields ?? HeaderFields() }

    /// The credentials of the application's request. They are sent to the upload resource, but not to another origin.
    var credentials: HeaderFields {
        guard let location = step?.location, let place = URL(string: location), let first = URL(string: value.url),
            WebOrigin(place) == WebOrigin(first)
        else { return HeaderFields() }
        return HeaderFields(
            fields: applicationFields.fields.filter {
                Self.credentialNames.contains(HTTPFieldSyntax.lowercased($0.name))
            })
    }

    private static let credentialNames: Set = ["authorization", "proxy-authorization", "cookie"]

    /// True if the file is unchanged since the upload started.
    var hasSameFile: Bool {
        switch whole {
        case .file(let url): FileIdentity(of: url) == fileIdentity
        case .none, .memory, .filePart, .stream: true
        }
    }

    /// The offset of the current request's body.
    var start: Int64 { step?.body?.lowerBound ?? 0 }
    /// True if the upload could be resumed after an interruption now.
    var isKept: Bool { value.location != nil }

    var body: BodySource {
        guard let range = step?.body else { return .none }
        switch whole {
        case .memory(let data): return .memory(data.dropFirst(Int(range.lowerBound)).prefix(range.count))
        case .file(let url): return range == 0..<length ? whole : .filePart(url, range)
        case .none, .filePart, .stream: return whole
        }
    }

    mutating func begin() { perform(value.begin()) }

    /// Records sent bytes, plus the piece being written, which may have arrived before its write is reported.
    mutating func didSend(_ total: Int64) { value.didSend(upTo: min(length, total + Int64(BodyReader.piece))) }

    mutating func informational(_ status: Int, _ fields: HeaderFields) {
        _ = value.informational(status: status, fields: fields)
    }

    /// Handles a response and returns the next action.
    mutating func didReceiveResponse(_ status: Int, _ fields: HeaderFields) -> UploadResumption.Action {
        perform(value.didReceiveResponse(status: status, fields: fields))
    }

    mutating func lost() -> UploadResumption.Action { perform(value.lost()) }

    @discardableResult
    private mutating func perform(_ action: UploadResumption.Action) -> UploadResumption.Action {
        if case .send(let next) = action {
            step = next
            if let start = next.body?.lowerBound { didSend(start) }
        }
        return action
    }

    // MARK: Resume data

    func data() -> Data? {
        let body: UploadResumeRecord.Body
        switch whole {
        case .memory(let data): body = .bytes(Array(data))
        case .file(let url):
            guard let fileIdentity else { return nil }
            body = .file(url.path, fileIdentity)
        case .none, .filePart, .stream: return nil
        }
        return value.record(method: method, fields: applicationFields, body: body).map {
            Data(UploadResumeData.write($0))
        }
    }

    static func record(_ data: Data) -> UploadResumeRecord? { try? UploadResumeData.read(Array(data)) }

    /// Returns the request that the task shows. Unusable data is reported when the task is resumed.
    static func request(of data: Data) -> URLRequest {
        guard let record = record(data), let url = URL(string: record.url) else {
            return URLRequest(url: URL(fileURLWithPath: "/"))
        }
        var request = URLRequest(url: url)
        request.httpMethod = record.method
        for field in record.fields.fields { request.addValue(field.value, forHTTPHeaderField: field.name) }
        return request
    }
}
