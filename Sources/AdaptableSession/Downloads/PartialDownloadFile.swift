import Foundation
import Glibc
import Synchronization

/// The open and locked file of one download (flock(2)). Another download with the same resume data, in this process or
/// in another, finds the lock and uses a new file.
///
/// Only the holder of the lock renames or removes the file, before it releases the lock: a holder whose file name still
/// exists therefore has the file exclusively. All methods may block.
final class PartialDownloadFile: Sendable {
    private struct State {
        var location: URL
        var isOpen = true
    }

    let handle: FileHandle
    /// True if resume data refers to the file by its name.
    private let isKnown: Bool
    private let state: Mutex<State>

    private init(_ handle: FileHandle, _ location: URL, isKnown: Bool) {
        self.handle = handle
        self.isKnown = isKnown
        state = Mutex(State(location: location))
    }

    deinit { close() }

    /// Returns the location of a download's file until its callback has returned.
    static func freshLocation(in folder: URL = FileManager.default.temporaryDirectory) -> URL {
        folder.appendingPathComponent("AdaptableSession-\(UUID().uuidString).tmp")
    }

    /// Creates a file that only its owner can read, because the folder for temporary files is shared by all users.
    static func fresh(at location: URL = freshLocation()) throws -> PartialDownloadFile {
        guard
            FileManager.default.createFile(atPath: location.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else {
            throw CocoaError(.fileWriteUnknown)
        }
        let handle = try FileHandle(forUpdating: location)
        _ = flock(handle.fileDescriptor, LOCK_EX | LOCK_NB)
        return PartialDownloadFile(handle, location, isKnown: false)
    }

    /// Opens and locks an existing file; nil if it was removed or another download has the lock.
    static func held(at location: URL, alone: Bool = true) -> PartialDownloadFile? {
        guard let handle = try? FileHandle(forUpdating: location) else { return nil }
        let part = PartialDownloadFile(handle, location, isKnown: true)
        // Any other error does not matter: a file system may not support locks.
        if alone, flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { return nil }
        return part.isThere ? part : nil
    }

    var location: URL { state.withLock { $0.location } }

    /// True if the file still exists under its name: programs that clean temporary folders ignore locks.
    var isThere: Bool { FileManager.default.fileExists(atPath: location.path) }

    func length() throws -> Int64 { Int64(try handle.seekToEnd()) }

    /// Returns the identity of a range of bytes; see `PartialFileTail`.
    func identity(_ range: Range<Int64>) throws -> String {
        try handle.seek(toOffset: UInt64(range.lowerBound))
        return PartialFileTail.identity(Array(try handle.read(upToCount: range.count) ?? Data()))
    }

    /// Releases the complete file under a name that resume data does not refer to.
    func finish() throws -> URL {
        try state.withLock { state in
            if isKnown {
                let place = Self.freshLocation(in: state.location.deletingLastPathComponent())
                try FileManager.default.moveItem(at: state.location, to: place)
                state.location = place
            }
            close(&state)
            return state.location
        }
    }

    func remove() {
        state.withLock { state in
            try? FileManager.default.removeItem(at: state.location)
            close(&state)
        }
    }

    func close() { state.withLock { close(&$0) } }

    private func close(_ state: inout State) {
        guard state.isOpen else { return }
        state.isOpen = false
        try? handle.close()
    }
}
