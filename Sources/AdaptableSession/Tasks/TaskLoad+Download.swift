import Foundation
import FoundationNetworking
import Synchronization

/// The transfer of a body into a file.
extension TaskLoad {
    /// Starts a download from resume data.
    func resumeDownload(_ data: Data) {
        let record: DownloadResumeRecord
        do throws(ResumeDataError) {
            record = try DownloadResumeData.read(Array(data))
        } catch {
            return finish(URLError.made(.resourceUnavailable, "\(error)", nil))
        }
        DownloadTransfer.make(record, from: data, policy: policies.downloadResume, eventLoop: core.eventLoop) {
            [weak self] transfer in
            guard let self, !isEnded else { return transfer.discard() }
            self.transfer = transfer
            attempt()
        }
    }

    /// Writes the body of `response` to a file.
    func download(_ response: URLResponse, _ fields: HeaderFields) {
        let transfer = transfer ?? DownloadTransfer(policy: policies.downloadResume, eventLoop: core.eventLoop)
        self.transfer = transfer
        // Responses of other schemes than HTTP do not carry a status: they are complete.
        let status = (response as? HTTPURLResponse)?.statusCode ?? 200
        let downloadResponse = DownloadTransfer.Response(
            status: status, fields: fields, url: response.url ?? request.url ?? URL(fileURLWithPath: "/"))
        if transfer.hasLostPart(), status == 206 || status == 416 {
            leaveExchange()
            return attempt()
        }
        guard
            let judgement = transfer.resumption?.evaluate(
                status: status, fields: fields, respondedBy: downloadResponse.url.absoluteString)
        else { return write(downloadResponse, transfer, from: 0, total: nil) }
        switch judgement {
        case .proceed(let offset, let total):
            write(downloadResponse, transfer, from: offset, total: total ?? AdaptableSession.transferSizeUnknown)
        case .restart: write(downloadResponse, transfer, from: 0, total: nil)
        case .requestWhole:
            newerThan = nil
            leaveExchange()
            attempt()
        case .complete(let length):
            write(downloadResponse, transfer, from: length, total: length)
            leaveExchange()
            settle(transfer)
        case .passOn, .deliver:
            transfer.restart()
            write(downloadResponse, transfer, from: 0, total: nil)
        case .fail(let reason):
            finish(.cannotParseResponse, "The download cannot continue: \(reason).")
        }
    }

    /// Opens the file and writes the body from `offset`. `total` nil: the length that the head announced.
    private func write(
        _ downloadResponse: DownloadTransfer.Response, _ transfer: DownloadTransfer, from offset: Int64, total: Int64?
    ) {
        do {
            let placement = core.settings.downloads
            try transfer.open(
                downloadResponse, keeping: offset, at: { try self.place(placement) },
                willWrite: placement.map { placement in
                    { part in
                        // Bytes of another version must not come back after a power cut.
                        if offset == 0 { try part.handle.synchronize() }
                        placement.willWrite(
                            self.task,
                            transfer.beginning(
                                self.request, original: self.task.originalRequest ?? self.request, at: part.location))
                    }
                }, whenWritten: { [weak self] count in self?.wrote(count) },
                whenFailed: { [weak self] error in
                    guard let self else { return }
                    finish(.cannotWriteToFile, "The download cannot be written", because: error)
                })
        } catch {
            return finish(.cannotCreateFile, "The download's file cannot be created", because: error)
        }
        let expected = task.facts.withLock { facts in
            if let total { facts.expectedToReceive = total }
            facts.received = offset
            return facts.expectedToReceive
        }
        if transfer.resumption != nil, !transfer.hasReportedOffset || offset == 0 {
            notifyResumed(transfer, offset, expected)
        }
        handle(.accepted(.file))
    }

    private func place(_ placement: DownloadPlacement?) throws -> URL {
        guard let placement else { return PartialDownloadFile.freshLocation() }
        guard let place = placement.file(task) else { throw CocoaError(.fileWriteUnknown) }
        return place
    }

    private func notifyResumed(_ transfer: DownloadTransfer, _ offset: Int64, _ expected: Int64) {
        transfer.hasReportedOffset = true
        guard ending.isDelegate, policies.downloadResume.announcesOffset else { return }
        post { caller in
            caller.callDownloadDelegate { delegate, task in
                delegate.urlSession(
                    caller.session, downloadTask: task, didResumeAtOffset: offset, expectedTotalBytes: expected)
            }
        }
    }

    private func wrote(_ count: Int64) {
        updateReading()
        guard !isEnded, let file = transfer?.file else { return }
        let total = file.written
        let expected = task.facts.withLock { facts in
            facts.received = total
            return facts.expectedToReceive
        }
        updateProgress()
        guard ending.isDelegate else { return }
        post { caller in
            caller.callDownloadDelegate { delegate, task in
                delegate.urlSession(
                    caller.session, downloadTask: task, didWriteData: count, totalBytesWritten: total,
                    totalBytesExpectedToWrite: expected)
            }
        }
    }

    func receiveForFile(_ data: Data) {
        guard let transfer, let file = transfer.file else { return }
        let count = transfer.resumption?.receive(Int64(data.count)) ?? Int64(data.count)
        if count > 0 { file.write(data.prefix(Int(count))) }
    }

    /// Handles the end of the body, complete according to its framing.
    func downloadEnded() {
        guard let transfer, let file = transfer.file else { return finish(nil) }
        switch transfer.resumption?.ended(isIntact: true) {
        case .complete, nil: settle(transfer)
        case .requestRemainder: file.settle { [weak self] _ in self?.attempt() }
        case .incomplete:
            finish(.networkConnectionLost, "The response was shorter than its head announced.")
        }
    }

    private func settle(_ transfer: DownloadTransfer) {
        transfer.complete { [weak self] isWritten in
            guard let self else { return }
            if isWritten {
                storeDownload()
                finish(nil)
            } else {
                finish(.cannotWriteToFile, "The download cannot be written.")
            }
        }
    }
}
