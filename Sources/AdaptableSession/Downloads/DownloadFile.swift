import Foundation
import NIOCore
import NIOPosix

/// The writer of one download's file. Writes happen in order on a thread that may block; the bytes that wait are
/// counted, so that the network is not read faster than the disk writes (DNLD-06).
final class DownloadFile {
    private let part: PartialDownloadFile
    private let eventLoop: any EventLoop
    private var waiting = Data()
    private var isWriting = false
    private(set) var written: Int64
    private var whenSettled: ((Bool) -> Void)?
    private var failure: (any Error)?
    private let whenWritten: (Int64) -> Void
    private let whenFailed: (any Error) -> Void

    /// `whenWritten` is called with the bytes of each write; the first `kept` bytes of the file are kept.
    init(
        _ part: PartialDownloadFile, keeping kept: Int64, eventLoop: any EventLoop,
        whenWritten: @escaping (Int64) -> Void,
        whenFailed: @escaping (any Error) -> Void
    ) throws {
        let handle = part.handle
        try handle.truncate(atOffset: UInt64(kept))
        try handle.seek(toOffset: UInt64(kept))
        self.part = part
        self.eventLoop = eventLoop
        written = kept
        self.whenWritten = whenWritten
        self.whenFailed = whenFailed
    }

    /// The number of bytes that were received and not written yet.
    var backlog: Int { waiting.count }

    func write(_ bytes: Data) {
        waiting.append(bytes)
        writeOn()
    }

    /// Calls back once everything is written; with false if writing failed.
    func settle(_ done: @escaping (Bool) -> Void) {
        whenSettled = done
        writeOn()
    }

    private func writeOn() {
        guard !isWriting else { return }
        if waiting.isEmpty || failure != nil {
            guard let done = whenSettled else { return }
            whenSettled = nil
            return done(failure == nil)
        }
        let bytes = waiting
        waiting = Data()
        isWriting = true
        let handle = part.handle
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
