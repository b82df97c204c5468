import Foundation
import Glibc
import NetworkMonitor
import Testing

@testable import LabKernel

/// A confined program tries each way out. Every attempt succeeds without confinement when the tests run as root, which the last test
/// shows, so that a probe that cannot fail is noticed.
extension KernelTests {
    @Suite(.enabled(if: Machine.spawns, "needs CAP_SYS_ADMIN: run as root or through Rootless.reenterIfNeeded"))
    struct ConfinementTests {
        private static let environment = ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C"]

        /// Runs a Python program with `libc`, and returns its output.
        private func probe(
            _ script: String, confined: Bool = true, overlays: [SpawnRequest.Overlay] = [], directory: String? = nil,
            in namespace: NetworkNamespace? = nil
        ) throws -> String {
            let prelude = """
                import ctypes, os, socket, sys
                libc = ctypes.CDLL(None, use_errno=True)
                def attempt(call):
                    try:
                        result = call()
                    except OSError as error:
                        return error.strerror
                    return os.strerror(ctypes.get_errno()) if isinstance(result, int) and result < 0 else 'allowed'

                """
            var request = SpawnRequest(
                "python3", ["-c", prelude + script], environment: Self.environment, workingDirectory: directory,
                namespace: namespace, overlays: overlays)
            request.confinement = confined ? SpawnRequest.Confinement() : nil
            let process = try SpawnedProcess.start(request)
            let output = text(process.releaseStandardOutput())
            let errors = text(process.releaseStandardError())
            #expect(errors == "")
            return output
        }

        /// 0x2400 is CAP_NET_BIND_SERVICE and CAP_NET_RAW.
        @Test func `it has two capabilities in three sets, none in the others, and cannot gain any`() throws {
            let own = try probe(
                "print(''.join(l for l in open('/proc/self/status') if l.startswith(('Cap', 'NoNew'))), end='')")
            #expect(
                own == """
                    CapInh:\t0000000000000000
                    CapPrm:\t0000000000002400
                    CapEff:\t0000000000002400
                    CapBnd:\t0000000000002400
                    CapAmb:\t0000000000000000
                    NoNewPrivs:\t1

                    """)
        }

        @Test func `it cannot reveal the outer proc or reach another namespace`() throws {
            let seen = try probe(
                """
                print(attempt(lambda: libc.umount2(b'/proc', 2)))
                print(attempt(lambda: libc.mount(b'proc', b'/mnt', b'proc', 0, None)))
                print(attempt(lambda: os.listdir('/proc/1/root')))
                print(attempt(lambda: os.readlink('/proc/1/cwd')))
                print(attempt(lambda: os.open('/proc/1/ns/net', os.O_RDONLY)))
                print(attempt(lambda: open('/proc/1/mem', 'r+b')))
                print(attempt(lambda: libc.ptrace(16, 1, None, None)))
                print(attempt(lambda: libc.setns(os.open('/proc/self/ns/net', os.O_RDONLY), 0)))
                print(attempt(lambda: libc.unshare(0x20000)))
                print(sorted(p for p in os.listdir('/proc') if p.isdigit()))
                """)
            let lines = seen.split(separator: "\n").map(String.init)
            try #require(lines.count == 10)
            #expect(lines[..<9].allSatisfy { $0 == "Permission denied" || $0 == "Operation not permitted" }, "\(lines)")
            #expect(lines[9] == "['1', '2']")
        }

        @Test func `it cannot change the machine through proc and sys, or make and open devices`() throws {
            let cable = try Cable()
            let seen = try probe(
                """
                print(attempt(lambda: open('/proc/sys/kernel/core_pattern', 'w')))
                print(attempt(lambda: open('/sys/kernel/mm/transparent_hugepage/enabled', 'w')
                    if os.path.exists('/sys/kernel/mm/transparent_hugepage/enabled') else libc.umount2(b'/sys', 2)))
                print(attempt(lambda: libc.umount2(b'/proc/sys', 2)))
                print(attempt(lambda: os.mknod('/dev/shm/disk', 0o60600, os.makedev(8, 0))))
                print(attempt(lambda: socket.sethostname('elsewhere')))
                print(sorted(os.listdir('/dev')))
                print(sorted(os.listdir('/dev/pts')))
                """, in: cable.near)
            let lines = seen.split(separator: "\n").map(String.init)
            try #require(lines.count == 7)
            let refusals = ["Permission denied", "Operation not permitted", "Read-only file system"]
            #expect(lines[..<5].allSatisfy(refusals.contains), "\(lines)")
            #expect(
                lines[5] == "['fd', 'full', 'null', 'ptmx', 'pts', 'random', 'shm', 'stderr', 'stdin', 'stdout', 'tty',"
                    + " 'urandom', 'zero']")
            #expect(lines[6] == "['ptmx']")
        }

        @Test func `hostname and System V messages are its own, also for programs that are not confined`() throws {
            let before = (host: link("/proc/self/ns/uts"), messages: link("/proc/self/ns/ipc"))
            let seen = try probe("print(os.readlink('/proc/self/ns/uts')); print(os.readlink('/proc/self/ns/ipc'))")
            let lines = seen.split(separator: "\n").map(String.init)
            try #require(lines.count == 2)
            #expect(lines[0] != before.host && lines[0].hasPrefix("uts:"))
            #expect(lines[1] != before.messages && lines[1].hasPrefix("ipc:"))
        }

        /// The needs of clients and of the tools in a shell.
        @Test func `raw sockets, low ports, binding to an interface, and new terminals work`() throws {
            let cable = try Cable()
            let seen = try probe(
                """
                print(attempt(lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)))
                print(attempt(lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)))
                low = socket.socket()
                print(attempt(lambda: low.bind(('127.0.0.1', 80))))
                bound = socket.socket()
                bound.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, b'lo')
                print(attempt(lambda: bound.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, b'wlan0')))
                print(attempt(lambda: os.openpty()))
                print(attempt(lambda: open('/dev/shm/x', 'w')))
                print(open('/dev/urandom', 'rb').read(4) != b'')
                """, in: cable.near)
            #expect(seen == String(repeating: "allowed\n", count: 6) + "True\n")
        }

        @Test func `a directory that is read-only cannot be changed, but a kept one in it can`() throws {
            let folder = "/tmp/crosswind-sealed-\(getpid())"
            try FileManager.default.createDirectory(atPath: folder + "/kept", withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let script =
                "print(attempt(lambda: open('\(folder)/a', 'w'))); print(attempt(lambda: open('\(folder)/kept/b', 'w')))"
            let overlays: [SpawnRequest.Overlay] = [.readOnly(path: folder), .kept(path: folder + "/kept")]
            #expect(try probe(script, overlays: overlays) == "Read-only file system\nallowed\n")
            #expect(FileManager.default.fileExists(atPath: folder + "/kept/b"))
        }

        @Test
        func `a hidden directory stays hidden for a program that starts in it, and a kept one below it is visible`()
            throws
        {
            let folder = "/tmp/crosswind-hidden-\(getpid())"
            try FileManager.default.createDirectory(atPath: folder + "/kept", withIntermediateDirectories: true)
            try Data("x".utf8).write(to: URL(fileURLWithPath: folder + "/secret"))
            try Data("x".utf8).write(to: URL(fileURLWithPath: folder + "/kept/file"))
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let script = "print(os.listdir('.'), os.listdir('kept'))"
            let overlays: [SpawnRequest.Overlay] = [.hidden(path: folder), .kept(path: folder + "/kept")]
            #expect(try probe(script, overlays: overlays, directory: folder) == "['kept'] ['file']\n")
        }

        /// Two processes besides the shell exceed a limit of two tasks. A control group refuses to start them, otherwise the caller sees
        /// them.
        @Test func `the memory and the processes of everything that it started are counted`() throws {
            var request = SpawnRequest(
                "python3",
                [
                    "-c",
                    "import os\nx = b'x' * (64 << 20)\nif os.fork() == 0: os.fork()\nprint(1, flush=True)\ninput()",
                ],
                environment: Self.environment)
            request.confinement = SpawnRequest.Confinement()
            let process = try SpawnedProcess.start(request)
            let output = try taken(process.releaseStandardOutput())
            var lines = 0
            while lines < 3, let part = try output.receive(), !part.isEmpty { lines += part.count(where: { $0 == 10 }) }
            let usage = try #require(process.watchedUsage)
            #expect(usage.tasks == 3)
            #expect(usage.memory > 64 << 20 && usage.memory < 512 << 20)
            #expect(usage.excess(over: ResourceLimits(memory: 1 << 30, processes: 3)) == nil)
            #expect(
                usage.excess(over: ResourceLimits(processes: 2))
                    == "the program had 3 processes and threads; the lab's limit is 2")
            #expect(usage.excess(over: ResourceLimits(memory: 1 << 20))?.hasSuffix("the lab's limit is 1 MiB") == true)
            process.kill()
            #expect(try process.wait(until: MonotonicClock.deadline(after: 5_000_000_000)) != nil)
        }

        /// A stopped first process does not read requests, so a request to kill the program would wait without end.
        @Test func `a program whose first process is stopped can be killed`() throws {
            let process = try SpawnedProcess.start(SpawnRequest("sleep", ["1000"], environment: Self.environment))
            #expect(!process.isInitStopped)
            #expect(kill(process.firstProcess, SIGSTOP) == 0)
            #expect(eventually { process.isInitStopped })
            process.kill()
            let status = try process.wait(until: MonotonicClock.deadline(after: 5_000_000_000))
            #expect(status == .signalled(SIGKILL, coreDumped: false))
        }

        @Test(.enabled(if: getuid() == 0 && !Rootless.hasReentered, "needs root"))
        func `without confinement the probes find their ways`() throws {
            let seen = try probe(
                """
                print(attempt(lambda: socket.sethostname('elsewhere')))
                print(attempt(lambda: open('/proc/sys/kernel/core_pattern', 'a')))
                print(attempt(lambda: libc.umount2(b'/proc', 2)))
                """, confined: false)
            #expect(seen == "allowed\nallowed\nallowed\n")
        }
    }

    /// The place of a control group follows from the files of the process's own group.
    struct ControlGroupTests {
        private func place(_ own: String, enabled: [String: String]) -> String? {
            ControlGroup.place(for: ResourceLimits(memory: 1, processes: 1), own: own) { enabled[$0] }
        }

        @Test func `it is in the own group if that may have children with controllers, otherwise beside it`() {
            let root = "/sys/fs/cgroup"
            let both = "cpu memory pids\n"
            #expect(place("0::/a/b\n", enabled: ["\(root)/a/b/cgroup.subtree_control": both]) == "\(root)/a/b")
            #expect(place("0::/a/b\n", enabled: ["\(root)/a/cgroup.subtree_control": both]) == "\(root)/a")
            #expect(place("0::/\n", enabled: ["\(root)/cgroup.subtree_control": both]) == root)
            #expect(place("0::/a/b\n", enabled: ["\(root)/a/cgroup.subtree_control": "memory\n"]) == nil)
            #expect(place("4:memory:/a\n", enabled: ["\(root)/a/cgroup.subtree_control": both]) == nil)
        }

        @Test func `the status of a process counts its own memory and its threads`() {
            var usage = ResourceUsage()
            usage.add(status: "VmRSS:\t 900 kB\nRssAnon:\t 100 kB\nRssFile:\t 790 kB\nRssShmem:\t 10 kB\nThreads:\t7\n")
            #expect(usage.memory == 110 * 1024)
            #expect(usage.tasks == 7)
        }
    }
}
