import Foundation
import FoundationNetworking
import NIOCore
import NIOPosix

/// One download: its file, what may be carried on later, and what is carried on now.
final class DownloadTransfer {
    /// The answer that the file's bytes come from.
    struct Response {
        var status: Int
        var fields: HeaderFields
        var url: URL
    }

    var resumption: DownloadResumption?
    /// The delegate knows from where the transfer goes on.
    var hasReportedOffset = false
    private(set) var file: DownloadFile?
    private var part: PartialDownloadFile?
    /// The resume data that it goes on from, for as long as what that stands for is as it was.
    private var given: Data?
    /// Of the whole file, once it is done.
    private var location: URL?
    private var response: Response?
    private let policy: DownloadResumePolicy
    private let eventLoop: any EventLoop

    init(in part: PartialDownloadFile? = nil, policy: DownloadResumePolicy, eventLoop: any EventLoop) {
        self.policy = policy
        self.eventLoop = eventLoop
        self.part = part
    }

    init(
        _ resumption: DownloadResumption, in part: PartialDownloadFile?, given: Data, policy: DownloadResumePolicy,
        eventLoop: any EventLoop
    ) {
        self.policy = policy
        self.eventLoop = eventLoop
        self.part = part
        self.given = given
        self.resumption = resumption
    }

    /// Where the whole file is; whoever handed it on owns it from then on.
    var url: URL? { location }

    /// The answer has a file of its own: what was downloaded before stays where it is.
    func restart() {
        resumption = nil
        closeFile()
    }

    /// Whether the part that is to be gone on from has been cleared away during a wait. Everything is asked for then.
    func hasLostPart() -> Bool {
        guard resumption?.isRanged == true, file == nil, let part, !part.isThere else { return false }
        resumption?.lose()
        closeFile()
        return true
    }

    private func closeFile() {
        guard let part else { return }
        self.part = nil
        NIOThreadPool.singleton.submit { _ in part.close() }
    }

    func open(
        _ response: Response, keeping kept: Int64, whenWritten: @escaping (Int64) -> Void,
        whenFailed: @escaping (any Error) -> Void
    ) throws {
        self.response = response
        let part = try part ?? PartialDownloadFile.fresh()
        self.part = part
        if resumption != nil { given = nil }
        file = try DownloadFile(
            part, keeping: kept, eventLoop: eventLoop, whenWritten: whenWritten, whenFailed: whenFailed)
    }

    // MARK: Stopping

    /// Everything came. False: it could not be written.
    func complete(_ done: @escaping (Bool) -> Void) {
        guard let file, let part else { return done(false) }
        file.settle { [self] isWritten in
            guard isWritten else { return done(false) }
            let finish = NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) { try part.finish() }
            finish.assumeIsolated().whenComplete { [self] result in
                location = try? result.get()
                done(location != nil)
            }
        }
    }

    /// Removes what was written. A part that nothing was written to stays: its resume data is as good as it was.
    func discard(_ done: @escaping () -> Void = {}) {
        guard let file, let part else {
            closeFile()
            return done()
        }
        self.part = nil
        file.settle { [eventLoop] _ in
            let remove = NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) { part.remove() }
            remove.assumeIsolated().whenComplete { _ in done() }
        }
    }

    /// Makes of the file what a later task can carry on with; nil, and no file, when that cannot be.
    func leave(_ request: URLRequest, original: URLRequest, done: @escaping (Data?) -> Void) {
        if let given, policy.returnsUnusedData {
            if file != nil { discard() }
            guard let part else { return done(given) }
            let end = NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) { part.close() }
            return end.assumeIsolated().whenComplete { _ in done(given) }
        }
        guard let file, let part else {
            closeFile()
            return done(nil)
        }
        file.settle { [self] isWritten in
            // A disk that is full has no room for what may never be gone on with.
            guard isWritten, let record = record(request, original, file.written, part.location) else {
                return discard { done(nil) }
            }
            let make = NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) { () throws -> Data in
                var record = record
                record.tail = try part.identity(PartialFileTail.range(record.received))
                // Before anybody hears of it: who goes on finds it free.
                part.close()
                return Data(DownloadResumeData.write(record))
            }
            make.assumeIsolated().whenComplete { [self] result in
                guard let data = try? result.get() else { return discard { done(nil) } }
                done(data)
            }
        }
    }

    /// But for the tail.
    private func record(_ request: URLRequest, _ original: URLRequest, _ received: Int64, _ location: URL)
        -> DownloadResumeRecord?
    {
        if let resumption { return resumption.record(file: location.path) }
        // What goes on asks for the URL, and for nothing else: it would get the answer to another request.
        guard let response, let first = original.url, isPlain(original) || !policy.needsPlainRequest else { return nil }
        let validator = DownloadResumeRecord.validator(
            method: request.httpMethod ?? "GET", scheme: response.url.scheme?.lowercased() ?? "",
            status: response.status,
            responseFields: response.fields, received: received,
            requestHasRange: request.value(forHTTPHeaderField: "Range") != nil, policy: policy)
        guard let validator else { return nil }
        return DownloadResumeRecord(
            url: first.absoluteString, respondedBy: response.url.absoluteString,
            fields: HeaderFields(dictionary: original.allHTTPHeaderFields ?? [:]), received: received,
            total: response.fields["Content-Length"].flatMap { Int64($0) }, validator: validator, file: location.path,
            tail: "",
            // The request's own word: what the session says is for each session to say.
            forbids: original.allowsCellularAccess ? [] : [.cellular], timeout: original.timeoutInterval)
    }

    private func isPlain(_ request: URLRequest) -> Bool {
        policy.methods.contains(request.httpMethod ?? "GET") && request.httpBody == nil && request.httpBodyStream == nil
    }

    // MARK: Carrying on

    /// The request that resume data stands for, as far as it can be read.
    static func request(of data: Data) -> URLRequest? {
        guard let record = try? DownloadResumeData.read(Array(data)), let url = URL(string: record.url) else {
            return nil
        }
        var request = URLRequest(url: url)
        for field in record.fields.fields { request.setValue(field.value, forHTTPHeaderField: field.name) }
        if let timeout = record.timeout { request.timeoutInterval = timeout }
        if record.forbids.contains(.cellular) { request.allowsCellularAccess = false }
        return request
    }

    /// Looks at what is on the disk and makes the transfer that goes on from there.
    static func make(
        _ record: DownloadResumeRecord, from data: Data, policy: DownloadResumePolicy, eventLoop: any EventLoop,
        done: @escaping (DownloadTransfer) -> Void
    ) {
        let location = URL(fileURLWithPath: record.file)
        let received = record.received
        let look = NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) {
            () throws -> (PartialDownloadFile, Int64, String)? in
            guard let part = PartialDownloadFile.held(at: location, alone: policy.holdsPart) else { return nil }
            return (part, try part.length(), try part.identity(PartialFileTail.range(received)))
        }
        look.assumeIsolated().whenComplete { result in
            let found = (try? result.get()) ?? nil
            let resumption = DownloadResumption(record, fileLength: found?.1, tail: found?.2, policy: policy)
            let transfer = DownloadTransfer(resumption, in: found?.0, given: data, policy: policy, eventLoop: eventLoop)
            // What does not go on from the old file leaves it alone.
            if !resumption.isRanged { transfer.closeFile() }
            done(transfer)
        }
    }
}
