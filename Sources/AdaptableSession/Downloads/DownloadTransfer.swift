import Foundation
import FoundationNetworking
import NIOCore
import NIOPosix

/// One download: its file, the transfer that it continues, and the resume data for a later one.
final class DownloadTransfer {
    /// The response that the file's bytes come from.
    struct Response {
        var status: Int
        var fields: HeaderFields
        var url: URL
    }

    var resumption: DownloadResumption?
    /// True if the delegate was notified of the offset from which the transfer continues.
    var hasReportedOffset = false
    private(set) var file: DownloadFile?
    private var part: PartialDownloadFile?
    /// The resume data that the download continues, as long as the partial file is unchanged.
    private var given: Data?
    /// The location of the complete file; nil until the download is complete.
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

    /// The location of the complete file, which belongs to the caller.
    var url: URL? { location }

    /// Starts a new file for the response; the part that was downloaded before stays where it is.
    func restart() {
        resumption = nil
        closeFile()
    }

    /// Returns true if the partial file was removed during a wait. The whole resource is then requested.
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
        _ response: Response, keeping kept: Int64, at place: () throws -> URL,
        willWrite: ((PartialDownloadFile) throws -> Void)?,
        whenWritten: @escaping (Int64) -> Void,
        whenFailed: @escaping (any Error) -> Void
    ) throws {
        self.response = response
        let part = try part ?? PartialDownloadFile.fresh(at: place())
        self.part = part
        if resumption != nil { given = nil }
        file = try DownloadFile(
            part, keeping: kept, eventLoop: eventLoop, whenWritten: whenWritten, whenFailed: whenFailed)
        try willWrite?(part)
    }

    // MARK: Stopping

    /// Finishes the file after the last byte was received. Calls back with false if it could not be written.
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

    /// Removes the file. A partial file that was not written to stays, because its resume data is still valid.
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

    /// Creates resume data with which a later task can continue. If that is impossible, removes the file and returns
    /// nil.
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
            // A full disk must not keep a part that may never be continued.
            guard isWritten, let record = record(request, original, file.written, part.location) else {
                return discard { done(nil) }
            }
            let make = NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) { () throws -> Data in
                var record = record
                record.tail = try part.identity(PartialFileTail.range(record.received))
                // Release the lock before the resume data is returned, so that the task that continues can take it.
                part.close()
                return Data(DownloadResumeData.write(record))
            }
            make.assumeIsolated().whenComplete { [self] result in
                guard let data = try? result.get() else { return discard { done(nil) } }
                done(data)
            }
        }
    }

    /// Returns the record without its tail; nil if the download cannot be resumed.
    private func record(_ request: URLRequest, _ original: URLRequest, _ received: Int64, _ location: URL)
        -> DownloadResumeRecord?
    {
        if let resumption { return resumption.record(file: location.path) }
        // A resumed download sends a plain request for the URL: after any other request it would receive the response
        // to a different one.
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
            // Only the request's own settings: those of the session apply to the session that resumes.
            forbids: original.allowsCellularAccess ? [] : [.cellular], timeout: original.timeoutInterval)
    }

    private func isPlain(_ request: URLRequest) -> Bool {
        (request.httpMethod ?? "GET") == "GET" && request.httpBody == nil && request.httpBodyStream == nil
    }

    /// Returns the data with which `DownloadPlacement.recover` continues after a crash; nil if the download cannot be
    /// resumed.
    func beginning(_ request: URLRequest, original: URLRequest, at location: URL) -> Data? {
        let record =
            resumption.map { $0.beginning(file: location.path) } ?? record(request, original, 1, location)
        return record.map { Data(DownloadResumeData.write($0)) }
    }

    // MARK: Resuming

    /// Returns the request that resume data describes; nil if the data cannot be read.
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

    /// Examines the partial file on disk and creates the transfer that continues it.
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
            // A transfer that does not continue the old file leaves it alone.
            if !resumption.isRanged { transfer.closeFile() }
            done(transfer)
        }
    }
}
