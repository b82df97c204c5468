import AdapterProtocol
import Foundation
import Testing

@testable import Harness

/// An interactive lab leaves nothing behind, however it ends, and input on its socket cannot disturb it.
@Suite(
    .serialized,
    .enabled(if: SessionRun.canRun, "needs a machine that can build a lab (crosswind doctor), python3 and curl"))
struct SessionRobustnessTests {
    private static func processes(naming text: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).filter { name in
            guard Int(name) != nil, let bytes = FileManager.default.contents(atPath: "/proc/\(name)/cmdline") else {
                return false
            }
            return String(decoding: bytes, as: UTF8.self).contains(text)
        }
    }

    /// Starts a program whose argument zero is unique, so that it can be found among all processes.
    private func start(_ run: SessionRun) throws -> (process: Process, breakpoint: String) {
        let breakpoint = "mark-\(UUID().uuidString)"
        let process = try run.start([
            "exec", "--network", "perfect", "--", "sh", "-c", "touch ready; while :; do sleep 0.1; done", breakpoint,
        ])
        #expect(run.waitForFile("ready"), "\(run.errors)")
        #expect(Self.processes(naming: breakpoint).count >= 2)
        return (process, breakpoint)
    }

    @Test func `after kill -9 the program is gone, and the next command removes its socket`() throws {
        let run = try SessionRun()
        defer { run.end() }
        let (process, breakpoint) = try start(run)
        let id = "\(process.processIdentifier)"
        #expect(run.sockets == ["\(id).socket"])
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(run.wait { Self.processes(naming: breakpoint).isEmpty })
        #expect(run.sockets == ["\(id).socket"])
        let list = try run.command(["watch", "--list"])
        #expect(!list.output.contains(id))
        #expect(run.sockets == [])
        #expect(try run.command(["set", "--lab", id, "wifi", "down"]).status == 3)
    }

    @Test func `the next lab removes the socket that a killed one left, and keeps those of running labs`() throws {
        let run = try SessionRun()
        defer { run.end() }
        let (killed, _) = try start(run)
        kill(killed.processIdentifier, SIGKILL)
        killed.waitUntilExit()
        #expect(run.sockets == ["\(killed.processIdentifier).socket"])
        let sleep = ["exec", "--network", "perfect", "--", "sh", "-c"]
        let first = try run.start(sleep + ["touch one; while :; do sleep 0.1; done"])
        #expect(run.waitForFile("one"), "\(run.errors)")
        #expect(run.sockets == ["\(first.processIdentifier).socket"])
        let second = try run.start(sleep + ["touch two; while :; do sleep 0.1; done"])
        #expect(run.waitForFile("two"), "\(run.errors)")
        #expect(Set(run.sockets) == ["\(first.processIdentifier).socket", "\(second.processIdentifier).socket"])
        #expect(try run.command(["set", "--lab", "\(first.processIdentifier)", "wifi", "down"]).status == 0)
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a signal ends the lab cleanly`(_ number: Int32) throws {
        let run = try SessionRun()
        defer { run.end() }
        let (process, breakpoint) = try start(run)
        kill(process.processIdentifier, number)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 130)
        #expect(run.sockets == [])
        #expect(Self.processes(naming: breakpoint).isEmpty)
    }

    @Test func `a second Ctrl-C ends a lab whose program ignores the first, and removes its socket`() throws {
        let run = try SessionRun()
        defer { run.end() }
        let ignoring = "trap '' INT TERM HUP; touch ready; while :; do sleep 0.1; done"
        let process = try run.start(["exec", "--network", "perfect", "--", "sh", "-c", ignoring])
        #expect(run.waitForFile("ready"), "\(run.errors)")
        kill(process.processIdentifier, SIGINT)
        #expect(run.wait { run.errors.contains("press Ctrl-C again") })
        kill(process.processIdentifier, SIGINT)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 130)
        #expect(run.sockets == [])
    }

    /// Runs crosswind in the foreground of a pseudo terminal, presses Ctrl-C when the program has printed `ready`, and again at
    /// each message of the lab. Prints the exit status, the seconds since the first Ctrl-C and the output.
    private static let terminal = """
        import os, pty, select, signal, sys, time
        presses = int(sys.argv[1])
        child, terminal = pty.fork()
        if child == 0: os.execv(sys.argv[2], sys.argv[2:])
        output, pressed, first, limit = b'', 0, None, time.monotonic() + 45
        while time.monotonic() < limit:
            if select.select([terminal], [], [], 0.1)[0]:
                try: got = os.read(terminal, 65536)
                except OSError: break
                if not got: break
                output += got
            awaited = b'ready' if pressed == 0 else b'press Ctrl-C again'
            if pressed < presses and awaited in output:
                first = first or time.monotonic()
                pressed += 1
                os.write(terminal, b'\\x03')
        else: os.kill(child, signal.SIGKILL)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        print(status, time.monotonic() - (first or limit))
        print(output.decode(errors='replace'))
        """

    /// Returns the exit status, the seconds from the first Ctrl-C to the end, and the output of both.
    private func interrupt(_ run: SessionRun, presses: Int, _ arguments: [String], environment: [String: String] = [:])
        throws -> (
            status: Int, seconds: Double, output: String
        )
    {
        let script = try run.program.write("terminal.py", Self.terminal)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["python3", script, "\(presses)", "\(run.program.layout.programFolder)/crosswind"] + arguments
        process.currentDirectoryURL = URL(fileURLWithPath: run.program.folder)
        let own = ["XDG_RUNTIME_DIR": run.program.folder + "/run"].merging(environment) { $1 }
        process.environment = ProcessInfo.processInfo.environment.merging(own) { $1 }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let words = text.split(separator: "\n").first?.split(separator: " ") ?? []
        return (
            try #require(words.first.flatMap { Int($0) }, "\(text)"),
            try #require(words.last.flatMap { Double($0) }, "\(text)"), text
        )
    }

    /// The terminal sends SIGINT to the program's group only, so the lab must be notified of it. One Ctrl-C ends it after 5 s;
    /// the second comes after the message, 0.5 s after the first one, and the rest is the time to remove the lab.
    @Test(arguments: [("exec", 1), ("exec", 2), ("record", 1)])
    func `Ctrl-C at a terminal ends a lab whose program ignores it`(_ command: String, _ presses: Int) throws {
        let run = try SessionRun()
        defer { run.end() }
        let mark = "mark-\(UUID().uuidString)"
        let ignoring = "trap '' INT TERM HUP; echo ready; while :; do sleep 0.1; done"
        let ended = try interrupt(
            run, presses: presses, [command, "--network", "perfect", "--", "sh", "-c", ignoring, mark])
        #expect(ended.status == 130, "\(ended.output)")
        #expect(ended.output.contains("stopping; press Ctrl-C again to stop immediately"))
        #expect(presses == 1 ? ended.seconds >= 5 && ended.seconds < 15 : ended.seconds < 4.5, "\(ended.seconds)")
        #expect(Self.processes(naming: mark).isEmpty)
        #expect(run.sockets == [])
    }

    /// `kill 0` signals the group, which has the listener of Ctrl-C in it; it must neither end the lab nor count as Ctrl-C.
    @Test func `a program that handles Ctrl-C itself keeps its status`() throws {
        let run = try SessionRun()
        defer { run.end() }
        let handling = "trap '' TERM; kill 0; trap 'exit 7' INT; echo ready; while :; do sleep 0.1; done"
        let ended = try interrupt(run, presses: 1, ["exec", "--network", "perfect", "--", "sh", "-c", handling])
        #expect(ended.status == 7, "\(ended.output)")
        #expect(!ended.output.contains("press Ctrl-C again"), "\(ended.output)")
        #expect(ended.seconds < 4.5)
    }

    /// Ctrl-C is for the programs of a shell: 8 s later, longer than the time of `exec`, the shell still runs.
    @Test func `Ctrl-C at the prompt of a shell does not end its lab`() throws {
        let run = try SessionRun()
        defer { run.end() }
        let shell = try run.program.write(
            "shell",
            "#!/bin/sh\ntrap : INT\necho ready\nend=$(($(date +%s) + 8))\n"
                + "while [ $(date +%s) -lt $end ]; do sleep 0.1; done\nexit 9\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: shell)
        let ended = try interrupt(
            run, presses: 1, ["shell", "--network", "perfect"], environment: ["SHELL": shell])
        #expect(ended.status == 9 && !ended.output.contains("press Ctrl-C again"), "\(ended.output)")
    }

    @Test func `the socket is accessible to its owner only`() throws {
        let run = try SessionRun()
        defer { run.end() }
        let (process, _) = try start(run)
        let folder = run.program.folder + "/run/crosswind"
        func mode(_ path: String) throws -> Int {
            try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)
                .intValue & 0o777
        }
        #expect(try mode(folder) == 0o700)
        #expect(try mode("\(folder)/\(process.processIdentifier).socket") == 0o600)
    }

    /// Garbage, endless lines, more connections than permitted, thousands of requests at once, and clients that
    /// disconnect.
    @Test func `a flood on the socket does not disturb the lab`() throws {
        let run = try SessionRun()
        defer { run.end() }
        let (process, _) = try start(run)
        let id = "\(process.processIdentifier)"
        let script = try run.program.write(
            "flood.py",
            """
            import os, random, socket, sys
            random.seed(1)
            path = sys.argv[1]
            def connect():
                s = socket.socket(socket.AF_UNIX); s.connect(path); s.settimeout(10); return s
            def send(s, data):
                try: s.sendall(data)
                except OSError: pass
            def read(s):
                try: return s.recv(65536)
                except OSError: return b''
            s = connect(); send(s, b'GET / HTTP/1.1\\r\\n\\r\\n'); assert b'refused' in read(s), 'garbage'; assert read(s) == b''
            s = connect(); send(s, b'x' * 1000000); assert b'longer' in read(s), 'long'
            s = connect(); send(s, b'{"v":1,"do":"describe"}\\n' * 5000)
            assert b'refused' in read(s) or True
            s = connect(); send(s, b'[' * 60000 + b'\\n'); assert b'refused' in read(s), 'deep'
            s = connect(); send(s, b'{"v":1,"do":"set","change":' + b'{"wifi":' * 200 + b'1' + b'}' * 200 + b'}\\n'); assert b'refused' in read(s)
            for _ in range(300):
                s = connect(); send(s, os.urandom(random.randrange(2000)) + b'\\n'); s.close()
            for _ in range(50):
                s = connect(); send(s, b'{"v":1,"do":"watch"}\\n'); s.close()
            held = []
            for _ in range(100):
                try: held.append(connect())
                except OSError: pass
            for s in held: s.close()
            """)
        let flood = Process()
        flood.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        flood.arguments = ["python3", script, "\(run.program.folder)/run/crosswind/\(id).socket"]
        try flood.run()
        flood.waitUntilExit()
        #expect(flood.terminationStatus == 0)
        #expect(process.isRunning)
        var after = BuiltProgram.Ended(status: -1, output: "", errors: "")
        // The last of the flood's connections may still be closing.
        #expect(
            run.wait {
                (try? run.command(["watch", "--once", "--lab", id])).map {
                    after = $0
                    return $0.status == 0
                } ?? false
            })
        #expect(after.output.contains("wifi"))
        #expect(try run.command(["set", "--lab", id, "wifi", "lte"]).status == 0)
    }

    @Test func `two labs are distinguished by their ids`() throws {
        let (one, two) = (try SessionRun(), try SessionRun())
        defer {
            one.end()
            two.end()
        }
        let (first, _) = try start(one)
        // In the same folder of sockets.
        let second = try one.start([
            "exec", "--network", "lte", "--", "sh", "-c", "touch also; while :; do sleep 0.1; done",
        ])
        #expect(one.waitForFile("also"))
        let list = try one.command(["watch", "--list"]).output
        #expect(list.contains("\(first.processIdentifier)  ") && list.contains("\(second.processIdentifier)  "))
        let unclear = try one.command(["watch", "--once"])
        #expect(unclear.status == 2 && unclear.errors.contains("--lab \(first.processIdentifier)"))
        #expect(try one.command(["set", "--lab", "\(second.processIdentifier)", "wifi", "down"]).status == 0)
        #expect(
            try one.command(["watch", "--once", "--lab", "\(first.processIdentifier)"]).output.contains("wifi       up")
        )
        #expect(
            try one.command(["watch", "--once", "--lab", "\(second.processIdentifier)"]).output.contains(
                "wifi       down"))
    }
}
