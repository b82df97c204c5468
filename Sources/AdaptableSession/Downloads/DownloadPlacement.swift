package import Foundation

/// The places of a session's downloads, for a program that continues them after it was killed: resume data of a task
/// that ended is too late for that.
package struct DownloadPlacement: Sendable {
    /// Called on the session's thread: the file of a new download; nil if it cannot be made. It belongs to the program,
    /// also after the callback with the complete file.
    package var file: @Sendable (_ task: AdaptableSessionTask) -> URL?
    /// Called on the session's thread before a task writes the bytes of a response to its file, with data for
    /// `recover`; nil if the response cannot be continued. The file holds no bytes of another version by then: new data
    /// beside old bytes would mix versions, while old data beside new bytes only makes the server send the whole.
    package var willWrite: @Sendable (_ task: AdaptableSessionTask, _ beginning: Data?) -> Void

    package init(
        file: @escaping @Sendable (_ task: AdaptableSessionTask) -> URL?,
        willWrite: @escaping @Sendable (_ task: AdaptableSessionTask, _ beginning: Data?) -> Void
    ) {
        self.file = file
        self.willWrite = willWrite
    }

    /// Returns resume data for all bytes that the file has now; nil if it is empty or the data is not usable. May
    /// block.
    package static func recover(_ beginning: Data) -> Data? {
        guard var record = try? DownloadResumeData.read(Array(beginning)),
            let part = PartialDownloadFile.held(at: URL(fileURLWithPath: record.file))
        else { return nil }
        defer { part.close() }
        guard let length = try? part.length(), length > 0, length <= record.total ?? .max,
            let tail = try? part.identity(PartialFileTail.range(length))
        else { return nil }
        record.received = length
        record.tail = tail
        return Data(DownloadResumeData.write(record))
    }

    /// Returns resume data whose partial file has another name in the folder of temporary files, for another owner: the
    /// old name can be removed. nil if the file does not exist. May block.
    package static func handOver(_ resumeData: Data) -> Data? {
        guard var record = try? DownloadResumeData.read(Array(resumeData)) else { return nil }
        let place = PartialDownloadFile.freshLocation()
        let old = URL(fileURLWithPath: record.file)
        do {
            // A link where the file system permits one.
            do { try FileManager.default.linkItem(at: old, to: place) } catch {
                try FileManager.default.copyItem(at: old, to: place)
            }
        } catch { return nil }
        record.file = place.path
        return Data(DownloadResumeData.write(record))
    }

    /// Returns resume data from stored data of either kind: that of a task that ended as it is, that of `willWrite`
    /// completed by `recover`. May block.
    package static func resumeData(from stored: Data) -> Data? {
        guard let record = try? DownloadResumeData.read(Array(stored)) else { return nil }
        return record.tail.isEmpty ? recover(stored) : stored
    }
}
