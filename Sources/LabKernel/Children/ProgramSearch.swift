import Glibc

/// Finds the file to execute before the fork, while a failure can still be explained.
enum ProgramSearch {
    static func find(_ program: String, path: String?) throws(SpawnError) -> String {
        if program.contains("/") {
            guard isExecutable(program) else { throw .programNotFound(program, searched: []) }
            return absolute(program)
        }
        let directories = (path ?? "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin").split(separator: ":").map(
            String.init)
        for directory in directories where isExecutable("\(directory)/\(program)") {
            return absolute("\(directory)/\(program)")
        }
        throw .programNotFound(program, searched: directories)
    }

    private static func isExecutable(_ path: String) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        return unsafe access(path, X_OK) == 0
    }

    /// Makes a path absolute, because the child changes its directory before it executes.
    private static func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        guard let here = unsafe getcwd(nil, 0) else { return path }
        defer { unsafe free(here) }
        return "\(unsafe String(cString: here))/\(path)"
    }
}
