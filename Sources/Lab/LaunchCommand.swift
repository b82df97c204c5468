import Foundation
import Glibc
package import LabKernel
package import LinkEngines
package import NetworkMonitor
import ScenarioLanguage

/// The command in the program's private folder that a background transfer service runs to launch the app: it reports its
/// arguments to the harness through a FIFO.
package struct LaunchCommand: ~Copyable {
    /// The environment variable with the path of the command.
    package static let variable = "CROSSWIND_LAUNCH_COMMAND"
    static let name = ".crosswind/launch"
    static let path = "\(ClientEnvironment.folder)/\(name)"
    private static let pipe = "\(ClientEnvironment.folder)/.crosswind/launches"

    /// One line for each launch, with a tab after each argument; at most PIPE_BUF bytes, so that lines do not mix.
    static let script = Array(
        """
        #!/bin/sh
        line=$(printf '%s\\t' "$@")
        printf '%s\\n' "$line" >\(pipe)

        """.utf8)

    private let descriptor: OwnedDescriptor
    private var unread: [UInt8] = []

    /// Makes the command usable in a program's folder.
    package static func install(for process: SpawnedProcess) throws(LabError) -> LaunchCommand {
        let script = process.fileSystemRoot + path
        let pipe = process.fileSystemRoot + pipe
        guard unsafe chmod(script, 0o755) == 0, unsafe mkfifo(pipe, 0o600) == 0 else {
            throw .failed("the launch command cannot be made: \(SystemCallError.text(of: errno))")
        }
        // Also open for writing, so that a writer does not wait and the end of one is not the end of the file.
        let raw = unsafe open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard raw >= 0 else { throw .failed("the launch command cannot be read: \(SystemCallError.text(of: errno))") }
        return LaunchCommand(descriptor: OwnedDescriptor(adopting: raw))
    }

    private init(descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }

    package func register(in poller: borrowing Poller, token: UInt64) throws(SystemCallError) {
        try descriptor.withRaw { raw throws(SystemCallError) in try poller.add(raw, for: .readable, token: token) }
    }

    /// Returns the arguments of each launch since the last call.
    package mutating func read() throws(SystemCallError) -> [[String]] {
        while let bytes = try descriptor.receive(), !bytes.isEmpty { unread += bytes }
        guard let end = unread.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        let lines = String(decoding: unread[..<end], as: UTF8.self)
        unread.removeSubrange(...end)
        return lines.split(separator: "\n", omittingEmptySubsequences: false).map {
            $0.split(separator: "\t").map(String.init)
        }
    }
}

extension ClockPlan {
    /// The environment variable of the clock, in the form that the reference session's transfer daemon reads.
    static let variable = "ADAPTABLE_TRANSFER_CLOCK"

    /// The value of the variable: the scale applies from `now` on, and the file has the present offset.
    func text(now: Date) -> String {
        "scale=\(scale) \(ClockFile.text(offset)) origin=\(Int64(now.timeIntervalSince1970)) file=\(ClockFile.path)"
    }
}
