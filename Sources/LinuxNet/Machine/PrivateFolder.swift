import Glibc

/// A folder that nobody else may look into, made where everybody may make folders.
package enum PrivateFolder {
    /// nil when `path` is such a folder now; else what is wrong with it.
    package static func make(_ path: String) -> String? {
        if unsafe mkdir(path, 0o700) < 0, errno != EEXIST { return SystemCallError.text(of: errno) }
        return problem(path)
    }

    /// Leaves a folder alone that still holds something.
    package static func removeIfEmpty(_ path: String) { _ = unsafe rmdir(path) }

    package static func isOurs(_ path: String) -> Bool { problem(path) == nil }

    /// Whoever made it first could have put a link there, or could look in.
    private static func problem(_ path: String) -> String? {
        var status = stat()
        if unsafe lstat(path, &status) < 0 { return SystemCallError.text(of: errno) }
        if status.st_mode & S_IFMT != S_IFDIR { return "this is no folder" }
        if status.st_uid != getuid() { return "it belongs to another user" }
        if status.st_mode & 0o077 != 0 { return "others may look into it; chmod 700 mends that" }
        return nil
    }

    /// Makes a file or socket in it readable by ourselves alone.
    package static func close(_ path: String) -> String? {
        unsafe chmod(path, 0o600) < 0 ? SystemCallError.text(of: errno) : nil
    }

    /// Gives a socket its name in one step, over whatever had it before.
    package static func rename(_ path: String, to new: String) -> String? {
        unsafe Glibc.rename(path, new) < 0 ? SystemCallError.text(of: errno) : nil
    }
}

/// Who runs the program, as everybody else on this machine sees it.
package enum UserIdentity {
    /// Inside the user namespace that the program makes for itself everybody is root; its map says who that is outside.
    package static var outside: UInt32 {
        let inside = getuid()
        guard unsafe getenv("CROSSWIND_REENTERED") != nil, let map = UserNamespaceMend.read("/proc/self/uid_map") else { return inside }
        let numbers = map.split(separator: " ").compactMap { UInt32($0) }
        guard numbers.count == 3, inside >= numbers[0], inside - numbers[0] < numbers[2] else { return inside }
        return numbers[1] + (inside - numbers[0])
    }
}
