/// A program to start, and the world it is to see.
package struct SpawnRequest: Sendable {
    package enum Streams: Sendable {
        /// Three pipes.
        case pipes
        /// Ours; on a terminal the program gets its foreground, so that Ctrl-C goes to it alone.
        case inherited
    }

    /// A file or directory that only the program sees.
    package enum Overlay: Equatable, Sendable {
        /// Other contents for a file that exists (a symbolic link is followed). One that does not exist is left out.
        case file(path: String, contents: [UInt8])
        /// A directory that holds these files and nothing else. It must exist.
        case directory(path: String, files: [String: [UInt8]])
        /// A directory that looks empty, if it exists at all.
        case hidden(path: String)
    }

    /// A path, or a name to be looked for in the environment's PATH.
    package var program: String
    /// Without the program's own name.
    package var arguments: [String]
    /// All of it: nothing is inherited.
    package var environment: [String: String]
    package var workingDirectory: String?
    /// nil: the calling thread's.
    package var namespace: NetworkNamespace?
    package var overlays: [Overlay]
    package var streams: Streams
    /// How far the program stands back when others want a processor too, 0 to 19.
    package var niceness = 0

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
