import Foundation
import Glibc
import Synchronization

/// The file of one download, open and held (flock(2)): another download that begins with the same resume data, in this program or in
/// another, finds it taken and has a file of its own.
///
/// Only who holds it takes its name away, and does so before letting go: whoever holds a file whose name is still there has it alone.
/// Everything here may block.
final class PartialDownloadFile: Sendable {
    private struct State {
        var location: URL
        var isOpen = true
    }

    let handle: FileHandle
    /// Some resume data has its name.
    private let isKnown: Bool
    private let state: Mutex<State>

    private init(_ handle: FileHandle, _ location: URL, isKnown: Bool) {
        self.handle = handle
        self.isKnown = isKnown
        state = Mutex(State(location: location))
    }

    deinit { close() }

    /// Where downloads live until their callback has returned.
    static func freshLocation(in folder: URL = FileManager.default.temporaryDirectory) -> URL {
        folder.appendingPathComponent("AdaptableSession-\(UUID().uuidString).tmp")
    }

    /// A new file. What somebody downloads is nobody else's to read, and the folder is everybody's.
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

    /// What lies there already; nil: it is gone, or another download's.
    static func held(at location: URL, alone: Bool = true) -> PartialDownloadFile? {
        guard let handle = try? FileHandle(forUpdating: location) else { return nil }
        let part = PartialDownloadFile(handle, location, isKnown: true)
        // A file system without locks is no reason to begin again.
        if alone, flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { return nil }
        return part.isThere ? part : nil
    }

    var location: URL { state.withLock { $0.location } }

    /// Its name leads to it: those who clear folders of temporary files heed no lock.
    var isThere: Bool { FileManager.default.fileExists(atPath: location.path) }

    func length() throws -> Int64 { Int64(try handle.seekToEnd()) }

    /// See `PartialFileTail`.
    func identity(_ range: Range<Int64>) throws -> String {
        try handle.seek(toOffset: UInt64(range.lowerBound))
        return PartialFileTail.identity(Array(try handle.read(upToCount: range.count) ?? Data()))
    }

    /// Lets go of the whole file, under a name that no resume data has.
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
