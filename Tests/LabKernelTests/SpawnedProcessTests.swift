import Foundation
import Glibc
import LabKernel
import NetworkMonitor
import Testing

extension KernelTests {
    @Suite(.enabled(if: Machine.spawns, "needs CAP_SYS_ADMIN: run as root or through Rootless.reenterIfNeeded"))
    struct SpawnedProcessTests {
        private static let environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C"]

        private func shell(
            _ script: String, in namespace: NetworkNamespace? = nil, overlays: [SpawnRequest.Overlay] = []
        ) throws -> SpawnedProcess {
            try SpawnedProcess.start(
                SpawnRequest(
                    "sh", ["-c", script], environment: Self.environment, namespace: namespace, overlays: overlays))
        }

        private func end(_ process: SpawnedProcess) throws -> LabKernel.ExitStatus? {
            try process.wait(until: MonotonicClock.deadline(after: milliseconds(10_000)))
        }

        /// The daemon writes when it is in a session of its own, where the signal to the program does not reach it.
        @Test func `a restartable program starts again among the processes that it left`() throws {
            var request = SpawnRequest(
                "sh", ["-c", "setsid -f sh -c 'echo run; exec sleep 60 </dev/null >/dev/null 2>&1'; exec sleep 60"],
                environment: Self.environment)
            request.isRestartable = true
            let process = try SpawnedProcess.start(request)
            let exit = try process.makeExitDescriptor()
            for turn in 1...3 {
                let output = try taken(process.releaseStandardOutput())
                let isReady = try output.withRaw { raw throws(SystemCallError) in
                    try !Poller.wait(
                        for: raw, .readable, until: MonotonicClock.deadline(after: milliseconds(10_000))
                    ).isEmpty
                }
                #expect(isReady, "turn \(turn)")
                process.signal(turn == 2 ? SIGTERM : SIGKILL)
                let hasEnded = try exit.withRaw { raw throws(SystemCallError) in
                    try !Poller.wait(
                        for: raw, .readable, until: MonotonicClock.deadline(after: milliseconds(10_000))
                    ).isEmpty
                }
                #expect(hasEnded)
                #expect(process.receiveEnd() == .signalled(turn == 2 ? SIGTERM : SIGKILL, coreDumped: false))
                #expect(process.program == nil)
                #expect(process.processes(ofProgram: false).count == turn)
                // Another start would leave a fourth, sooner or later.
                if turn == 3 { break }
                try process.startAgain()
                #expect(process.program != nil)
            }
            #expect(process.signalOthers(SIGKILL) == 3)
            process.kill()
            #expect(try end(process) != nil)
        }

        @Test func `a suspended program stays suspended until it is resumed`() throws {
            let process = try shell("exec sleep 60")
            func state() throws -> Character? {
                let program = try #require(process.program)
                let text = try String(contentsOfFile: "/proc/\(program)/stat", encoding: .utf8)
                return text.split(separator: ")").last?.first { $0.isLetter }
            }
            /// Waits for the kernel, which handles the signal a little later.
            func reaches(_ expected: Set<Character>) throws -> Bool {
                let deadline = MonotonicClock.deadline(after: milliseconds(5_000))
                while MonotonicClock.now() < deadline {
                    if let found = try state(), expected.contains(found) { return true }
                    usleep(1_000)
                }
                return false
            }
            process.suspend()
            #expect(try reaches(["T"]))
            usleep(50_000)
            #expect(try state() == "T")
            process.resume()
            #expect(try reaches(["S", "R"]))
            process.kill()
            _ = try end(process)
        }

        @Test(arguments: [0, 1, 42, 255])
        func `an exit code is reported`(code: CInt) throws {
            let process = try shell("exit \(code)")
            #expect(try end(process) == .exited(code))
            #expect(try end(process) == .exited(code))
        }

        @Test(arguments: [SIGKILL, SIGSEGV, SIGTERM, SIGPIPE])
        func `a death by signal is reported with its number`(number: CInt) throws {
            let process = try shell("ulimit -c 0; kill -\(number) $$; sleep 60")
            #expect(try end(process) == .signalled(number, coreDumped: false))
        }

        @Test func `standard input, output and error are connected`() throws {
            let process = try shell("cat; echo problem >&2")
            do {
                let input = try taken(process.releaseStandardInput())
                let written = input.withRaw { unsafe write($0, Array("hello".utf8), 5) }
                #expect(written == 5)
            }
            #expect(text(process.releaseStandardOutput()) == "hello")
            #expect(text(process.releaseStandardError()) == "problem\n")
            #expect(try end(process) == .exited(0))
            let isTaken = process.releaseStandardInput() == nil
            #expect(isTaken)
        }

        @Test(arguments: [0, 5, 10, 19])
        func `niceness also applies to the session's scheduling group`(niceness: Int) throws {
            var request = SpawnRequest(
                "sh", ["-c", "nice; cat /proc/self/autogroup 2>/dev/null || echo nice \(niceness)"],
                environment: Self.environment)
            request.niceness = niceness
            let process = try SpawnedProcess.start(request)
            let lines = text(process.releaseStandardOutput()).split(separator: "\n")
            #expect(try end(process) == .exited(0))
            try #require(lines.count == 2)
            #expect(lines[0] == "\(niceness)")
            #expect(lines[1].hasSuffix("nice \(niceness)"))
        }

        @Test func `a missing program is reported before the fork`() throws {
            let error = #expect(throws: SpawnError.self) {
                _ = try SpawnedProcess.start(SpawnRequest("no-such-program", environment: Self.environment))
            }
            #expect(error == .programNotFound("no-such-program", searched: ["/usr/bin", "/bin"]))
            #expect(throws: SpawnError.programNotFound("/usr/bin", searched: [])) {
                _ = try SpawnedProcess.start(SpawnRequest("/usr/bin"))
            }
        }

        @Test func `a file that the kernel cannot execute is a distinct error and leaks nothing`() throws {
            _ = try end(try shell("exit 0"))
            let before = openDescriptors()
            let path = "/tmp/crosswind-test-\(getpid())"
            let raw = unsafe open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o755)
            _ = unsafe write(raw, [0x7F, 0x45, 0x4C, 0x46, 0, 0] as [UInt8], 6)
            close(raw)
            defer { unsafe unlink(path) }
            #expect(throws: SpawnError.execution(SystemCallError(call: "execve", errno: ENOEXEC, context: path))) {
                _ = try SpawnedProcess.start(SpawnRequest(path))
            }
            #expect(
                throws: SpawnError.workingDirectory(SystemCallError(call: "chdir", errno: ENOENT, context: "/nowhere"))
            ) {
                _ = try SpawnedProcess.start(
                    SpawnRequest("true", environment: Self.environment, workingDirectory: "/nowhere"))
            }
            #expect(openDescriptors() == before)
        }

        @Test func `arguments, environment and directory are exactly those of the request`() throws {
            let process = try SpawnedProcess.start(
                SpawnRequest(
                    "sh", ["-c", "printf '%s|' \"$@\" \"$A\"; env | wc -l; pwd", "name", "one two", ""],
                    environment: ["PATH": "/usr/bin:/bin", "A": "b=c"], workingDirectory: "/usr"))
            #expect(text(process.releaseStandardOutput()) == "one two||b=c|3\n/usr\n")  // the shell adds PWD
        }

        /// The request passes through a socket to the process that forks, in many parts.
        @Test func `files and arguments far larger than a socket's buffer arrive whole`() throws {
            let bytes = (0..<3_000_001).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
            let word = String(repeating: "ü", count: 50_000)
            let process = try SpawnedProcess.start(
                SpawnRequest(
                    "sh",
                    [
                        "-c", "sha256sum </etc/ssl/data; sha256sum </etc/ssl/empty; printf %s \"$1\" | wc -c", "name",
                        word,
                    ],
                    environment: Self.environment,
                    overlays: [.directory(path: "/etc/ssl", files: ["data": bytes, "empty": []])]))
            let lines = text(process.releaseStandardOutput()).split(separator: "\n").map { $0.prefix { $0 != " " } }
            let file = URL(fileURLWithPath: "/tmp/crosswind-test-\(UUID())")
            try Data(bytes).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let sum = Process()
            let pipe = Pipe()
            sum.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            sum.arguments = ["sha256sum", file.path]
            sum.standardOutput = pipe
            try sum.run()
            let expected = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            #expect(
                lines == [
                    expected.prefix { $0 != " " }, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                    "100000",
                ])
        }

        @Test func `a program without a directory starts where this process is now`() async {
            await #expect(processExitsWith: .exitCode(7)) {
                for directory in ["/usr", "/etc"] {
                    guard unsafe chdir(directory) == 0 else { exit(1) }
                    let process = try SpawnedProcess.start(SpawnRequest("pwd", environment: ["PATH": "/usr/bin:/bin"]))
                    guard text(process.releaseStandardOutput()) == directory + "\n" else { exit(2) }
                }
                exit(7)
            }
        }

        /// The kernel may choose the server when memory is short.
        @Test func `the process that forks is replaced when it was killed`() async {
            await #expect(processExitsWith: .exitCode(7)) {
                func servers() -> [Int32] {
                    listing("/proc").compactMap { Int32($0) }.filter {
                        contents("/proc/\($0)/status").contains("crosswind-spawn")
                            && contents("/proc/\($0)/status").contains("PPid:\t\(getpid())\n")
                    }
                }
                let request = SpawnRequest("sh", ["-c", "echo ready; cat"], environment: ["PATH": "/usr/bin:/bin"])
                let first = try SpawnedProcess.start(request)
                let before = servers()
                guard before.count == 1, kill(before[0], SIGKILL) == 0 else { exit(1) }
                let second = try SpawnedProcess.start(request)
                let after = servers()
                guard after.count == 1, after != before else { exit(2) }
                // The first program is not the child of the server, so it continues.
                for process in [first, second] {
                    let output = try taken(process.releaseStandardOutput())
                    guard try output.receive() == Array("ready\n".utf8) else { exit(4) }
                    do { _ = process.releaseStandardInput() }
                    let deadline = MonotonicClock.deadline(after: milliseconds(10_000))
                    guard try process.wait(until: deadline) == .exited(0) else { exit(3) }
                }
                exit(7)
            }
        }

        @Test func `the program has only its three standard descriptors`() throws {
            let process = try shell("exec ls /proc/self/fd")
            #expect(text(process.releaseStandardOutput()) == "0\n1\n2\n3\n")  // 3 is the listing itself
        }

        @Test func `the program is in the namespace and sees only its processes and interfaces`() throws {
            let cable = try Cable()
            let process = try shell("readlink /proc/self/ns/net; ls /sys/class/net; echo /proc/[0-9]*", in: cable.near)
            let lines = text(process.releaseStandardOutput()).split(separator: "\n").map(String.init)
            #expect(lines.first == "net:[\(cable.near.inode)]")
            #expect(lines.contains("wlan0"))
            #expect(lines.last == "/proc/1 /proc/2")
        }

        @Test func `without a namespace the program runs in the caller's`() throws {
            let process = try shell("readlink /proc/self/ns/net")
            #expect(text(process.releaseStandardOutput()) == link("/proc/thread-self/ns/net") + "\n")
        }

        @Test func `overlays are visible only to the program`() throws {
            let hosts = contents("/etc/hosts")
            let mounts = contents("/proc/self/mounts")
            let process = try shell(
                "cat /etc/hosts; ls /etc/ssl; ls /var/log | wc -l; ls -A /mnt | wc -l; sleep 60",
                overlays: [
                    .file(path: "/etc/hosts", contents: Array("10.0.0.2 origin.test\n".utf8)),
                    .directory(path: "/etc/ssl", files: ["ca.pem": Array("ca".utf8)]),
                    .hidden(path: "/var/log"),
                    .file(path: "/etc/no-such-file", contents: []),
                ])
            let output = try taken(process.releaseStandardOutput())
            var seen = ""
            let expected = "10.0.0.2 origin.test\nca.pem\n0\n\(listing("/mnt").count)\n"
            while seen.utf8.count < expected.utf8.count {
                guard let part = try output.receive(), !part.isEmpty else { break }
                seen += String(decoding: part, as: UTF8.self)
            }
            #expect(seen == expected)  // the last line: the place where the files were made is as it was
            #expect(contents("/etc/hosts") == hosts)
            #expect(contents("/proc/self/mounts") == mounts)
            #expect(process.skippedOverlays == ["/etc/no-such-file"])
            process.kill()
            #expect(try end(process) == .signalled(SIGKILL, coreDumped: false))
            #expect(contents("/proc/self/mounts") == mounts)
        }

        @Test func `grandchildren end with the program, even if they left its session`() throws {
            let process = try shell("setsid sleep 1000 & (setsid sleep 1000 &) ; exit 3")
            let output = try taken(process.releaseStandardOutput())
            #expect(try end(process) == .exited(3))
            // They hold the pipe open: its end shows that none is left.
            let rest = try output.receive()
            #expect(rest == [])
        }

        @Test func `terminate sends SIGTERM first and SIGKILL if it is ignored`() throws {
            let polite = try shell("trap 'exit 7' TERM; echo ready; while :; do sleep 0.01; done")
            _ = try taken(polite.releaseStandardOutput()).receive()
            #expect(try polite.terminate() == .exited(7))
            let stubborn = try shell("trap '' TERM; echo ready; while :; do sleep 0.01; done")
            _ = try taken(stubborn.releaseStandardOutput()).receive()
            #expect(try stubborn.terminate(grace: milliseconds(50)) == .signalled(SIGKILL, coreDumped: false))
        }

        @Test func `a stopped program can still be terminated`() throws {
            let process = try shell("kill -STOP $$")
            #expect(try process.wait(until: MonotonicClock.deadline(after: milliseconds(20))) == nil)
            #expect(try process.terminate() == .signalled(SIGTERM, coreDumped: false))
        }

        @Test func `the exit descriptor becomes readable only at the end`() throws {
            let process = try shell("read line")
            let exit = try process.makeExitDescriptor()
            let early = try exit.withRaw { try Poller.wait(for: $0, .readable, until: 0) }
            #expect(early.isEmpty)
            _ = process.releaseStandardInput()
            let deadline = MonotonicClock.deadline(after: milliseconds(5_000))
            let late = try exit.withRaw { try Poller.wait(for: $0, .readable, until: deadline) }
            #expect(late == .readable)
            #expect(try process.wait(until: 0) == .exited(1))
        }

        @Test func `releasing a running program ends it and leaks nothing`() throws {
            _ = try end(try shell("exit 0"))
            let before = openDescriptors()
            let output: OwnedDescriptor
            do {
                let process = try shell("sleep 1000")
                output = try taken(process.releaseStandardOutput())
            }
            #expect(text(output) == "")
            #expect(openDescriptors() == before)
        }

        /// In a separate process whose SIGPIPE is not yet ignored.
        @Test func `a write to a closed standard input fails without a signal`() async throws {
            await #expect(processExitsWith: .exitCode(7)) {
                let process = try SpawnedProcess.start(
                    SpawnRequest("sh", ["-c", "exec 0<&-; echo closed; sleep 1000"], environment: Self.environment))
                guard let input = process.releaseStandardInput(), let output = process.releaseStandardOutput() else {
                    exit(1)
                }
                _ = try output.receive()
                exit(try input.writeSome(Array("more\n".utf8)[...]) == nil ? 7 : 2)
            }
        }

        /// A program replaces the shell, allocates 64 MiB, and then reports that.
        @Test func `the peak memory of a program is reported`() throws {
            let process = try shell(
                "echo small; read go; exec python3 -c 'x = b\"x\" * (64 << 20); print(1, flush=True); input()'")
            let output = try taken(process.releaseStandardOutput())
            let input = try taken(process.releaseStandardInput())
            _ = try output.receive()
            let small = try #require(process.peakMemory)
            #expect(small > 100 << 10 && small < 32 << 20)
            _ = try input.writeSome(Array("go\n".utf8)[...])
            _ = try output.receive()
            let large = try #require(process.peakMemory)
            #expect(large > 64 << 20 && large < 256 << 20)
        }

        /// Threads that compete for the processors wait for them; a sleeping one waits for nothing.
        @Test(.enabled(if: TaskStatistics() != nil, "needs root and a kernel with taskstats"))
        func `the wait for a processor is reported`() throws {
            let accounts = try #require(TaskStatistics())
            let script = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; echo done; read go"
            let busy = try (0..<ProcessInfo.processInfo.activeProcessorCount + 2).map { _ in try shell(script) }
            let asleep = try shell("echo done; exec sleep 1000")
            for process in busy + [asleep] { _ = try taken(process.releaseStandardOutput()).receive() }
            let waits = (busy + [asleep]).map { $0.program.flatMap { accounts.processorUse(of: $0)?.waited } ?? -1 }
            #expect(waits.allSatisfy { $0 >= 0 })
            #expect(waits.dropLast().reduce(0, +) > 50_000_000, "\(waits)")
        }

        @Test func `killing this process ends the program and its children`() async throws {
            // The FIFO has a fixed name because the two processes share nothing else.
            let path = "/tmp/crosswind-test-orphans"
            unsafe unlink(path)
            try #require(unsafe mkfifo(path, 0o600) == 0)
            defer { unsafe unlink(path) }
            let reading = OwnedDescriptor(adopting: unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC))
            await #expect(processExitsWith: .signal(SIGKILL)) {
                let script = "exec 9>/tmp/crosswind-test-orphans; setsid sleep 1000 & echo ready; sleep 1000"
                let process = try SpawnedProcess.start(
                    SpawnRequest("sh", ["-c", script], environment: ["PATH": "/usr/bin:/bin"]))
                _ = try taken(process.releaseStandardOutput()).receive()
                kill(getpid(), SIGKILL)
            }
            // End of file: every process that had the FIFO open for writing is gone.
            let isOver = eventually { (try? reading.receive()).flatMap { $0 }?.isEmpty == true }
            #expect(isOver)
        }
    }
}
