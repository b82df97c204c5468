import Foundation
import Glibc

/// File operations whose results survive a power cut: a name is durable only after fsync(2) of its folder.
enum DurableFiles {
    /// Creates a folder that only its owner can read, with the missing ones above it.
    static func makeFolder(_ path: String) throws(StoreError) {
        guard unsafe mkdir(path, 0o700) != 0 else { return try syncFolder(parent(of: path)) }
        switch errno {
        case EEXIST: return
        case ENOENT where parent(of: path) != path:
            try makeFolder(parent(of: path))
            guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .system("mkdir", path) }
            try syncFolder(parent(of: path))
        default: throw .system("mkdir", path)
        }
    }

    static func syncFile(_ path: String) throws(StoreError) { try sync(path, O_RDONLY) }

    static func syncFolder(_ path: String) throws(StoreError) { try sync(path, O_RDONLY | O_DIRECTORY) }

    private static func sync(_ path: String, _ flags: CInt) throws(StoreError) {
        let descriptor = unsafe open(path, flags | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system("open", path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .system("fsync", path) }
    }

    /// Takes over the content of a file under a new name: a hard link where the file system permits one, otherwise a
    /// copy.
    ///
    /// A link costs nothing and survives the removal of the original (BKGD-15). A client that overwrites the same file
    /// in place changes what is sent; the documents leave this open.
    static func capture(_ source: String, as target: String) throws(StoreError) {
        let input = unsafe open(source, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard input >= 0 else { throw .system("open", source) }
        defer { close(input) }
        guard isRegular(source) else { throw .notAFile(path: source) }
        // AT_SYMLINK_FOLLOW: a link to a symbolic link would not keep the content.
        if unsafe linkat(AT_FDCWD, source, AT_FDCWD, target, AT_SYMLINK_FOLLOW) == 0 {
            guard fsync(input) == 0 else { throw discard(target, .system("fsync", source)) }
        } else {
            switch errno {
            // Another file system, one without links, too many links, or a file of another user (protected_hardlinks).
            case EXDEV, EPERM, EMLINK, EOPNOTSUPP, ENOSYS, EACCES: try copy(input, source, target)
            default: throw .system("link", target)
            }
        }
        do throws(StoreError) { try syncFolder(parent(of: target)) } catch { throw discard(target, error) }
    }

    private static func copy(_ input: CInt, _ source: String, _ target: String) throws(StoreError) {
        let output = unsafe open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw .system("open", target) }
        defer { close(output) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(input, $0.baseAddress, $0.count) }
            if count == 0 { break }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw discard(target, .system("read", source)) }
            var written = 0
            while written < count {
                let part = unsafe buffer.withUnsafeBytes { bytes in
                    unsafe write(output, bytes.baseAddress! + written, count - written)
                }
                if part < 0, errno == EINTR { continue }
                guard part > 0 else { throw discard(target, .system("write", target)) }
                written += part
            }
        }
        guard fsync(output) == 0 else { throw discard(target, .system("fsync", target)) }
    }

    private static func discard(_ target: String, _ error: StoreError) -> StoreError {
        unsafe unlink(target)
        return error
    }

    /// Removes a file. A missing one counts as removed, because a crash may have come between removal and report.
    static func remove(_ path: String) throws(StoreError) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw .system("unlink", path) }
    }

    static func rename(_ source: String, to target: String) throws(StoreError) {
        guard unsafe Glibc.rename(source, target) == 0 else { throw .system("rename", source) }
        try syncFolder(parent(of: target))
    }

    /// Shortens a file that is longer.
    static func limit(_ path: String, to length: Int64) throws(StoreError) {
        let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system("open", path) }
        defer { close(descriptor) }
        guard lseek(descriptor, 0, SEEK_END) > length else { return }
        guard ftruncate(descriptor, Int(length)) == 0 else { throw .system("ftruncate", path) }
    }

    /// Creates a file that takes this number of bytes on the disk; none if they are not free.
    static func allocate(_ path: String, _ bytes: Int) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        if posix_fallocate(descriptor, 0, bytes) != 0 { unsafe unlink(path) }
    }

    static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// True for a regular file, also through a symbolic link.
    static func isRegular(_ path: String) -> Bool {
        // Foundation describes a symbolic link itself, not the file behind it.
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let type = (try? FileManager.default.attributesOfItem(atPath: target))?[.type] as? FileAttributeType
        return type == .typeRegular
    }

    static func parent(of path: String) -> String {
        let parent = (path as NSString).deletingLastPathComponent
        return parent.isEmpty ? "." : parent
    }
}
