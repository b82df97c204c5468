package import Foundation
import Glibc
import NetworkMonitor

/// Files with the traffic of a run, which may hold credentials: only their user can read them, and none is written through a symbolic
/// link that another user has placed.
package enum EvidenceFile {
    /// The reason why a file cannot be written.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String

        /// The last error of the system.
        static func ofSystem() -> Problem { Problem(description: SystemCallError.text(of: errno)) }
    }

    /// Creates the file, and the missing folders around it, with the modes 0600 and 0700.
    ///
    /// - Parameter replacing: true to overwrite a file of this user, or to write to an existing pipe or device.
    package static func create(at path: String, replacing: Bool = false) throws(Problem) -> FileHandle {
        if let slash = path.lastIndex(of: "/"), slash > path.startIndex { try makeFolder(String(path[..<slash])) }
        // Standard output and other descriptors are links by design.
        if replacing, path.hasPrefix("/dev/") && !path.hasPrefix("/dev/shm/") || path.hasPrefix("/proc/self/fd/") {
            return try opened(path, O_WRONLY | O_APPEND)
        }
        let made = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if made >= 0 { return FileHandle(fileDescriptor: made, closeOnDealloc: true) }
        guard errno == EEXIST, replacing else { throw problem() }
        return try replaced(path)
    }

    /// Writes a whole file, replacing an earlier one.
    package static func write(_ text: String, to path: String) throws {
        let file = try create(at: path, replacing: true)
        defer { try? file.close() }
        try file.write(contentsOf: Data(text.utf8))
    }

    /// Creates a folder and the missing ones around it with mode 0700.
    package static func makeFolder(_ path: String) throws(Problem) {
        if unsafe mkdir(path, 0o700) == 0 { return }
        switch errno {
        case EEXIST:
            var status = stat()
            guard unsafe stat(path, &status) == 0 else { throw problem() }
            if status.st_mode & S_IFMT != S_IFDIR { throw Problem(description: SystemCallError.text(of: EEXIST)) }
        case ENOENT:
            guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { throw problem() }
            try makeFolder(String(path[..<slash]))
            if unsafe mkdir(path, 0o700) < 0, errno != EEXIST { throw problem() }
        default: throw problem()
        }
    }

    private static func replaced(_ path: String) throws(Problem) -> FileHandle {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { throw problem() }
        switch status.st_mode & S_IFMT {
        case S_IFLNK: throw Problem(description: "this is a symbolic link, which is not followed")
        case S_IFREG:
            let file = try opened(path, O_WRONLY | O_NOFOLLOW)
            // Examined again through the descriptor, because the path may lead elsewhere in the meantime.
            guard unsafe fstat(file.fileDescriptor, &status) == 0 else { throw problem() }
            if status.st_uid != geteuid() { throw Problem(description: "the file belongs to another user") }
            if status.st_nlink != 1 { throw Problem(description: "the file has several names (hard links)") }
            if fchmod(file.fileDescriptor, 0o600) < 0 || ftruncate(file.fileDescriptor, 0) < 0 { throw problem() }
            return file
        default: return try opened(path, O_WRONLY | O_NOFOLLOW)
        }
    }

    private static func opened(_ path: String, _ flags: CInt) throws(Problem) -> FileHandle {
        let descriptor = unsafe open(path, flags | O_CLOEXEC)
        guard descriptor >= 0 else { throw problem() }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    private static func problem() -> Problem { .ofSystem() }
}
