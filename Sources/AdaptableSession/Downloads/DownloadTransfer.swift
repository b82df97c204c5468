import Foundation
import FoundationNetworking
import NIOCore
import NIOPosix

/// One download: its file, what may be carried on later, and what is carried on now.
final class DownloadTransfer {
    /// The answer that the file's bytes come from.
    struct Answer {
        var status: Int
        var fields: HeaderFields
        var url: URL
    }

    var resumption: DownloadResumption?
    /// The delegate knows from where the transfer goes on.
    var hasToldOffset = false
    private(set) var file: DownloadFile?
    private var location: URL
    private var answer: Answer?
    private let policy: DownloadResumePolicy
    private let eventLoop: any EventLoop

    init(policy: DownloadResumePolicy, eventLoop: any EventLoop) {
        self.policy = policy
        self.eventLoop = eventLoop
        location = DownloadFile.freshLocation()
    }

    init(_ resumption: DownloadResumption, at location: URL, policy: DownloadResumePolicy, eventLoop: any EventLoop) {
        self.policy = policy
        self.eventLoop = eventLoop
        self.location = location
        self.resumption = resumption
    }

    /// Where the bytes are; whoever handed it on owns the file from then on.
    var url: URL { location }

    /// The answer has a file of its own: what was downloaded before stays where it is.
    func startAfresh() {
        resumption = nil
        location = DownloadFile.freshLocation()
    }

    func open(
        _ answer: Answer, keeping kept: Int64, whenWritten: @escaping (Int64) -> Void, whenFailed: @escaping (any Error) -> Void
    ) throws {
        self.answer = answer
        file = try DownloadFile(
            at: location, keeping: kept, eventLoop: eventLoop, whenWritten: whenWritten, whenFailed: whenFailed)
    }

    // MARK: Stopping

    /// Closes the file and removes it.
    func discard() {
        let location = location
        let remove: @Sendable () -> Void = { try? FileManager.default.removeItem(at: location) }
        guard let file else { return }
        file.settle { _ in NIOThreadPool.singleton.submit { _ in remove() } }
    }

    /// Closes the file and makes of it what a later task can carry on with; nil, and no file, when that cannot be.
    func leave(_ request: URLRequest, original: URLRequest, forbids: PathTraits, done: @escaping (Data?) -> Void) {
        guard let file else { return done(nil) }
        file.settle { [self] isWritten in
            guard isWritten else { return done(nil) }
            let received = file.written
            let range = PartialFileTail.range(received)
            let location = location
            let mark = NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) { () throws -> String in
                try PartialFileTail.mark(of: location, range)
            }
            mark.assumeIsolated().whenComplete { [self] result in
                var made: DownloadResumeRecord?
                if case .success(let tail) = result { made = record(request, original, received, forbids, tail: tail) }
                if made == nil { discard() }
                done(made.map { Data(DownloadResumeData.write($0)) })
            }
        }
    }

    private func record(
        _ request: URLRequest, _ original: URLRequest, _ received: Int64, _ forbids: PathTraits, tail: String
    ) -> DownloadResumeRecord? {
        if let resumption { return resumption.record(tail: tail) }
        guard let answer, let first = original.url else { return nil }
        let validator = DownloadResumeRecord.validator(
            method: request.httpMethod ?? "GET", scheme: answer.url.scheme?.lowercased() ?? "", status: answer.status,
            answer: answer.fields, received: received, requestHasRange: request.value(forHTTPHeaderField: "Range") != nil, policy: policy)
        guard let validator else { return nil }
        return DownloadResumeRecord(
            url: first.absoluteString, answeredBy: answer.url.absoluteString,
            fields: HeaderFields(dictionary: original.allHTTPHeaderFields ?? [:]), received: received,
            total: answer.fields["Content-Length"].flatMap { Int64($0) }, validator: validator, file: location.path, tail: tail,
            forbids: forbids, timeout: original.timeoutInterval)
    }

    // MARK: Carrying on

    /// The request that resume data stands for, as far as it can be read.
    static func request(of data: Data) -> URLRequest? {
        guard let record = try? DownloadResumeData.read(Array(data)), let url = URL(string: record.url) else { return nil }
        var request = URLRequest(url: url)
        for field in record.fields.fields { request.setValue(field.value, forHTTPHeaderField: field.name) }
        if let timeout = record.timeout { request.timeoutInterval = timeout }
        if record.forbids.contains(.cellular) { request.allowsCellularAccess = false }
        return request
    }

    /// Looks at what is on the disk and makes the transfer that goes on from there.
    static func make(
        _ record: DownloadResumeRecord, policy: DownloadResumePolicy, eventLoop: any EventLoop,
        done: @escaping (DownloadTransfer) -> Void
    ) {
        let location = URL(fileURLWithPath: record.file)
        let received = record.received
        let look = NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) { () throws -> (Int64, String) in
            let file = try FileHandle(forReadingFrom: location)
            defer { try? file.close() }
            return (Int64(try file.seekToEnd()), try PartialFileTail.mark(of: location, PartialFileTail.range(received)))
        }
        look.assumeIsolated().whenComplete { result in
            let found = try? result.get()
            let resumption = DownloadResumption(record, fileLength: found?.0, tail: found?.1, policy: policy)
            // What does not go on from the old file leaves it alone.
            let place = resumption.isRanged ? location : DownloadFile.freshLocation()
            done(DownloadTransfer(resumption, at: place, policy: policy, eventLoop: eventLoop))
        }
    }
}

extension PartialFileTail {
    fileprivate static func mark(of location: URL, _ range: Range<Int64>) throws -> String {
        let file = try FileHandle(forReadingFrom: location)
        defer { try? file.close() }
        try file.seek(toOffset: UInt64(range.lowerBound))
        return mark(Array(try file.read(upToCount: Int(range.upperBound - range.lowerBound)) ?? Data()))
    }
}
