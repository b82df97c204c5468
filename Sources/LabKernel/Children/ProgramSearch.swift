import Glibc

/// The search for a program in the folders of PATH, as a shell does it.
package enum ProgramSearch {
    private static let usual = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"

    /// Returns the absolute path of a program. Called before a fork, while a failure can still be explained.
    ///
    /// - Parameters:
    ///   - program: A name, or a path if it contains a slash.
    ///   - path: The value of PATH; nil means the usual folders.
    /// - Throws: `programNotFound` with the folders that were searched.
    package static func find(_ program: String, path: String?) throws(SpawnError) -> String {
        if program.contains("/") {
            guard isExecutable(program) else { throw .programNotFound(program, searched: []) }
            return absolute(program)
        }
        let directories = (path ?? usual).split(separator: ":").map(String.init)
        for directory in directories where isExecutable("\(directory)/\(program)") {
            return absolute("\(directory)/\(program)")
        }
        throw .programNotFound(program, searched: directories)
    }

    /// Returns the path of a program in this process's PATH; nil if it is not installed.
    package static func installed(_ program: String) -> String? {
        let path = unsafe getenv("PATH").map { unsafe String(cString: $0) }
        return try? find(program, path: path)
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
