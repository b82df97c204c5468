import Foundation
import FoundationNetworking
import NIOCore
import NIOPosix

/// Resumable uploads (draft-ietf-httpbis-resumable-upload).
extension TaskLoad {
    /// Starts an upload with the offer to make it resumable.
    func offerResumption() {
        let length = BodyLength.length(of: body, request)
        if policies.uploadResume.offers, body.canRewind, body.isThere, let length, let url = request.url {
            let value = UploadResumption(
                url: url.absoluteString, length: length, isRepeatable: true, policy: policies.uploadResume)
            var resume = UploadResume(
                value, whole: body, fileIdentity: fileIdentity(of: body), length: length,
                method: request.httpMethod ?? "GET",
                fields: HeaderFields(dictionary: request.allHTTPHeaderFields ?? [:]))
            resume.begin()
            current.resumable = resume
        }
        attempt()
    }

    /// Resumes an upload, starting with a request for the server's offset.
    func resumeUpload(_ data: Data) {
        let read = NIOThreadPool.singleton.runIfActive(eventLoop: core.eventLoop) {
            Result { () throws(ResumeDataError) in try UploadResumeData.read(Array(data)) }
        }
        read.assumeIsolated().whenSuccess { [weak self] result in
            guard let self, !isEnded else { return }
            switch result {
            case .success(let record): resumeUpload(record)
            case .failure(let error): finish(URLError.made(.resourceUnavailable, "\(error)", nil))
            }
        }
    }

    private func resumeUpload(_ record: UploadResumeRecord) {
        let whole: BodySource
        var known: FileIdentity?
        switch record.body {
        case .file(let path, let mark):
            whole = .file(URL(fileURLWithPath: path))
            known = mark
        case .bytes(let bytes): whole = .memory(Data(bytes))
        }
        guard BodyLength.length(of: whole, request) == record.length, fileIdentity(of: whole) == known else {
            return hasOtherFile()
        }
        var resume = UploadResume(
            UploadResumption(record, policy: policies.uploadResume), whole: whole, fileIdentity: known,
            length: record.length, method: record.method,
            fields: record.fields)
        resume.begin()
        current.resumable = resume
        send()
    }

    private func fileIdentity(of body: BodySource) -> FileIdentity? {
        switch body {
        case .file(let url): FileIdentity(of: url)
        case .none, .memory, .filePart, .stream: nil
        }
    }

    /// Fails an upload whose file is missing or changed: its rest does not match the bytes on the server.
    func hasOtherFile() {
        current.resumable = nil
        isOfNoUse = true
        finish(.fileDoesNotExist, "The file to upload is missing or has changed since the upload began.")
    }

    /// Returns true if a lost connection leads to another request of the upload.
    func resumesUpload(after failure: TransportFailure) -> Bool {
        guard response == nil, current.resumable?.isKept == true, let action = current.resumable?.lost() else {
            return false
        }
        switch action {
        case .send: send()
        case .proceed, .acknowledged, .deliver, .fail: return false
        }
        return true
    }

    /// Sends the next step, immediately or after its delay.
    func send() {
        guard let delay = current.resumable?.step?.after else { return }
        let act = { [weak self] in
            guard let self, machine.isBetween else { return }
            current.prepareUploadStep()
            attempt()
        }
        if delay == 0 { return act() }
        let due = MonotonicTime.now() + delay
        core.eventLoop.assumeIsolated().scheduleTask(deadline: .uptimeNanoseconds(UInt64(due)), act)
    }
}
