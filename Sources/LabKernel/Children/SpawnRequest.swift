/// A program to start, and its environment.
package struct SpawnRequest: Sendable {
    package enum Streams: Sendable {
        /// Three pipes.
        case pipes
        /// The caller's streams. On a terminal the program becomes the foreground group, so that Ctrl-C reaches it
        /// and not this process (see `reportsInterrupts`).
        case inherited
    }

    /// A file or directory that only the program sees.
    package enum Overlay: Equatable, Sendable {
        /// Replaces the contents of an existing file (symbolic links are followed). If the file does not exist, the
        /// overlay is skipped.
        case file(path: String, contents: [UInt8])
        /// A directory with exactly these files. It must exist. `size` is its limit in the form of tmpfs(5); nil: a quarter
        /// of the machine's memory.
        case directory(path: String, files: [String: [UInt8]], size: String? = nil)
        /// A file or socket of this machine that appears at `path`, in a directory of the overlays.
        case bound(path: String, source: String)
        /// Makes a directory appear empty, if it exists.
        case hidden(path: String)
        /// A symbolic link in a directory that another overlay replaces.
        case link(path: String, to: String)
        /// A directory that stays as it is below one that is hidden or read-only. Without one it does nothing.
        case kept(path: String)
        /// Makes a directory read-only, if it exists, without the mounts and kept directories below it.
        case readOnly(path: String)
        /// A directory of /sys with exactly these files, if it exists.
        case device(path: String, files: [String: [UInt8]])
    }

    /// The isolation of a program that is not trusted with the machine: it keeps CAP_NET_RAW and CAP_NET_BIND_SERVICE and cannot gain
    /// others, has a /dev of its own, and cannot change the machine through /proc and /sys.
    package struct Confinement: Equatable, Sendable {
        package var limits: ResourceLimits

        package init(limits: ResourceLimits = ResourceLimits()) { self.limits = limits }

        /// The bits of CAP_NET_BIND_SERVICE (10) and CAP_NET_RAW (13), for servers on ports below 1024, ping, packet captures and
        /// SO_BINDTODEVICE.
        static let capabilities: UInt64 = 1 << 10 | 1 << 13
    }

    /// A path, or a name to search in the environment's PATH.
    package var program: String
    /// The arguments without the program name.
    package var arguments: [String]
    /// The complete environment: nothing is inherited.
    package var environment: [String: String]
    package var workingDirectory: String?
    /// The network namespace; nil means the calling thread's.
    package var namespace: NetworkNamespace?
    package var overlays: [Overlay]
    package var streams: Streams
    /// The nice value of the program, 0 to 19.
    package var niceness = 0
    /// nil for a program that may do everything that this one may.
    package var confinement: Confinement?
    /// True: the first process stays when the program ends, with the files and the other processes, and can start the
    /// program again (`SpawnedProcess.startAgain`).
    package var isRestartable = false
    /// True: each Ctrl-C that reaches a program in the foreground of a terminal is also reported
    /// (`SpawnedProcess.takeInterrupt`).
    package var reportsInterrupts = false

    package init(
        _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
        workingDirectory: String? = nil, namespace: NetworkNamespace? = nil, overlays: [Overlay] = [],
        streams: Streams = .pipes
    ) {
        self.program = program
        self.arguments = arguments
        self.environment = environment
        self.workingDirectory = workingDirectory
        self.namespace = namespace
        self.overlays = overlays
        self.streams = streams
    }
}
