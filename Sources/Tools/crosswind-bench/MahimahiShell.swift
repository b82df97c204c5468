import Foundation
import InternetAddresses
import LabKernel
import NetworkMonitor
import Synchronization

/// One of Mahimahi's shells: a namespace with a TUN interface, another outside, and two processes that carry the packets
/// between them. The shell is set-uid root and refuses to be started by root, so it is started as another user.
struct MahimahiShell {
    let name: String
    let program: String
    let arguments: [String]

    /// In milliseconds, of `delaying`.
    static let delay = 20
    static let delaying = MahimahiShell(name: "mm-delay \(delay)", program: "mm-delay", arguments: ["\(delay)"])

    /// Those that are measured for their speed.
    static let all: [MahimahiShell] = {
        // 1,000 opportunities of 1,500 bytes in the first millisecond, repeated: 12 Gbit/s.
        let trace = FileManager.default.temporaryDirectory.appendingPathComponent("crosswind-bench-12gbit.trace").path
        try? String(repeating: "1\n", count: 1_000).write(toFile: trace, atomically: true, encoding: .utf8)
        return [
            MahimahiShell(name: "mm-delay 0", program: "mm-delay", arguments: ["0"]),
            MahimahiShell(name: "mm-loss uplink 0", program: "mm-loss", arguments: ["uplink", "0"]),
            // It looks for its own options in the whole command line.
            MahimahiShell(name: "mm-link at 12 Gbit/s", program: "mm-link", arguments: [trace, trace, "--"]),
        ]
    }()

    var refusal: String? {
        guard ProgramSearch.installed(program) != nil else {
            return "\(program) is not in PATH; Mahimahi builds from source and its shells are set-uid root"
        }
        guard getuid() == 0, !Rootless.hasReentered else {
            return "\(program) needs to become root, which a user namespace does not permit"
        }
        guard ProgramSearch.installed("setpriv") != nil else { return "\(program) refuses root: setpriv is missing" }
        return nil
    }

    /// Starts the shell in a namespace of its own, so that its interfaces and its rules for iptables end with it.
    func start() throws -> Running { try Running(self) }

    /// A shell that runs until `stop`.
    final class Running {
        let inside: NetworkNamespace
        let outside: NetworkNamespace
        let near: IPAddress
        let far: IPAddress
        let nearName: String
        let farName: String
        // Not a SpawnedProcess: that leads a session of its own, which the kernel gives as much processor time as this
        // whole process (sched(7), autogroup).
        private let process = Process()
        private let input = Pipe()

        fileprivate init(_ shell: MahimahiShell) throws {
            let outside = try NetworkNamespace.make()
            self.outside = outside
            // The shell checks it.
            try outside.setSysctl("net/ipv4/ip_forward", "1")
            let output = Pipe()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments =
                ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", shell.program] + shell.arguments
                + ["sh", "-c", "echo $$ \"$MAHIMAHI_BASE\"; exec cat"]
            process.standardInput = input
            process.standardOutput = output
            try outside.perform { [process] in try process.run() }
            let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            let words = line.split { $0 == " " || $0 == "\n" }
            guard words.count == 2, let identifier = Int(words[0]) else {
                throw Failure(name: shell.name, reason: "it did not start")
            }
            far = try IPAddress.required(String(words[1]))
            inside = try Self.namespace(at: "/proc/\(identifier)/ns/net")
            (_, farName) = try Self.interface(in: outside)
            (near, nearName) = try Self.interface(in: inside)
        }

        /// Ends the program inside, and the shell with it.
        func stop() {
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }

        /// Returns the only interface besides loopback, and its IPv4 address.
        private static func interface(in namespace: NetworkNamespace) throws -> (IPAddress, String) {
            let netlink = try NetlinkSocket(in: namespace)
            for link in try netlink.links() where link.name != "lo" {
                for address in try netlink.addresses(of: link.index) where !address.prefix.address.isV6 {
                    return (address.prefix.address, link.name)
                }
            }
            throw Failure(name: "Mahimahi", reason: "no interface")
        }

        /// Returns the namespace in the file at `path`.
        private static func namespace(at path: String) throws -> NetworkNamespace {
            let found = Mutex<Result<NetworkNamespace, any Error>?>(nil)
            do {
                // A thread of its own, because it stays in that namespace.
                let thread = try DedicatedThread(name: "bench-enter") {
                    let result = Result {
                        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
                        guard enter(file.fileDescriptor, 0) == 0 else {
                            throw SystemCallError(call: "setns", errno: errno, context: path)
                        }
                        return try NetworkNamespace.current()
                    }
                    found.withLock { $0 = result }
                }
                // Its release waits for its end.
                withExtendedLifetime(thread) {}
            }
            guard let result = found.withLock({ $0 }) else { throw Failure(name: path, reason: "not entered") }
            return try result.get()
        }
    }

    private struct Failure: Error, CustomStringConvertible {
        let name: String
        let reason: String
        var description: String { "\(name): \(reason)" }
    }
}

/// setns(2), which Glibc's module hides from Swift. The kernel knows the kind of namespace by its descriptor.
@_silgen_name("setns") private func enter(_ namespace: CInt, _ kind: CInt) -> CInt
