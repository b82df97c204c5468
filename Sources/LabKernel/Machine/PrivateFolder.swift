import Glibc
import NetworkMonitor

/// A directory that no other user can read, created in a directory where every user may create one.
package enum PrivateFolder {
    /// Creates the directory. Returns nil on success, otherwise the problem with it.
    package static func make(_ path: String) -> String? {
        if unsafe mkdir(path, 0o700) < 0, errno != EEXIST { return SystemCallError.text(of: errno) }
        return problem(path)
    }

    package static func isOurs(_ path: String) -> Bool { problem(path) == nil }

    /// Checks the directory. A user who created it first could have placed a link there, or could read it.
    private static func problem(_ path: String) -> String? {
        var status = stat()
        if unsafe lstat(path, &status) < 0 { return SystemCallError.text(of: errno) }
        if status.st_mode & S_IFMT != S_IFDIR { return "this is not a directory" }
        if status.st_uid != getuid() { return "it belongs to another user" }
        if status.st_mode & 0o077 != 0 { return "other users can access it; to fix it, chmod 700" }
        return nil
    }

    /// Makes a file or socket in it accessible only to this user.
    package static func close(_ path: String) -> String? {
        unsafe chmod(path, 0o600) < 0 ? SystemCallError.text(of: errno) : nil
    }

    /// Renames a socket atomically, replacing an earlier one with that name.
    package static func rename(_ path: String, to new: String) -> String? {
        unsafe Glibc.rename(path, new) < 0 ? SystemCallError.text(of: errno) : nil
    }
}

/// The user who runs the program, as other users of this machine see it.
package enum UserIdentity {
    /// The uid outside. Inside the program's own user namespace the uid is always 0; the namespace's map contains the
    /// uid outside.
    package static var outside: UInt32 {
        let inside = getuid()
        guard Rootless.hasReentered, let map = UserNamespaceFix.read("/proc/self/uid_map") else {
            return inside
        }
        let numbers = map.split(separator: " ").compactMap { UInt32($0) }
        guard numbers.count == 3, inside >= numbers[0], inside - numbers[0] < numbers[2] else { return inside }
        return numbers[1] + (inside - numbers[0])
    }
}
