import Foundation
import NIOCore
import NIOPosix

/// The temporary file of one download. Writes happen in order on a thread that may block; what waits is counted, so that no more is
/// read from the network than the disk takes (DNLD-06).
final class DownloadFile {
    let url: URL
    private let handle: FileHandle
    private let eventLoop: any EventLoop
    private var waiting = Data()
    private var isWriting = false
    private(set) var written: Int64
    private var whenSettled: ((Bool) -> Void)?
    private var failure: (any Error)?
    private let whenWritten: (Int64) -> Void
    private let whenFailed: (any Error) -> Void

    /// Where downloads live until their callback has returned.
    static func freshLocation() -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("AdaptableSession-\(UUID().uuidString).tmp")
    }

    /// `whenWritten` hears of each step; bytes that are there already are `kept`.
    init(
        at url: URL, keeping kept: Int64, eventLoop: any EventLoop, whenWritten: @escaping (Int64) -> Void,
        whenFailed: @escaping (any Error) -> Void
    ) throws {
        if kept == 0, !FileManager.default.createFile(atPath: url.path, contents: nil) { throw CocoaError(.fileWriteUnknown) }
        handle = try FileHandle(forWritingTo: url)
        try handle.truncate(atOffset: UInt64(kept))
        try handle.seek(toOffset: UInt64(kept))
        self.url = url
        self.eventLoop = eventLoop
        written = kept
        self.whenWritten = whenWritten
        self.whenFailed = whenFailed
    }

    /// Bytes that came and are not on the disk yet.
    var backlog: Int { waiting.count }

    func write(_ bytes: Data) {
        waiting.append(bytes)
        writeOn()
    }

    /// Calls back once everything is written and the file is closed; false: it could not be written.
    func settle(_ done: @escaping (Bool) -> Void) {
        whenSettled = done
        writeOn()
    }

    private func writeOn() {
        guard !isWriting else { return }
        if waiting.isEmpty || failure != nil {
            guard let done = whenSettled else { return }
            whenSettled = nil
            try? handle.close()
            return done(failure == nil)
        }
        let bytes = waiting
        waiting = Data()
        isWriting = true
        let handle = handle
        let write = NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) { try handle.write(contentsOf: bytes) }
        write.assumeIsolated().whenComplete { [self] result in
            isWriting = false
            switch result {
            case .success:
                written += Int64(bytes.count)
                whenWritten(Int64(bytes.count))
            case .failure(let error):
                failure = error
                if whenSettled == nil { whenFailed(error) }
            }
            writeOn()
        }
    }
}
