import Foundation
import Testing

@testable import Harness

/// The built program isolates what it runs: each line of the table in SECURITY.md, tried from inside a lab.
@Suite(
    .serialized,
    .enabled(if: SessionRun.canRun, "needs a machine that can build a lab (crosswind doctor), python3 and curl"))
struct IsolationProgramTests {
    private func exec(_ options: [String] = [], _ script: String, _ run: SessionRun) throws -> BuiltProgram.Ended {
        let process = try run.start(["exec", "--network", "perfect"] + options + ["--", "sh", "-c", script])
        process.waitUntilExit()
        return BuiltProgram.Ended(
            status: process.terminationStatus, output: try run.program.text("output"), errors: run.errors)
    }

    private func with(_ body: (SessionRun) throws -> Void) throws {
        let run = try SessionRun()
        defer { run.end() }
        try body(run)
    }

    @Test func `exec takes the capabilities, the services and the sockets of labs away`() throws {
        try with { run in
            let ended = try exec(
                [],
                """
                grep -E '^(CapEff|CapBnd|NoNewPrivs)' /proc/self/status
                find /run -mindepth 1 ! -type l | wc -l
                ls -A '\(run.program.folder)/run/crosswind' | wc -l
                ls /dev
                env | grep -cE '^(XDG_RUNTIME_DIR|DBUS_SESSION_BUS_ADDRESS)='
                umount /proc 2>/dev/null && echo umounted
                echo x > written && cat written
                """, run)
            let lines = ended.output.split(separator: "\n").map(String.init)
            #expect(lines.prefix(3) == ["CapEff:\t0000000000002400", "CapBnd:\t0000000000002400", "NoNewPrivs:\t1"])
            try #require(lines.count > 6, "\(ended)")
            #expect(lines[3] == "0" && lines[4] == "0", "\(lines)")
            #expect(
                lines.contains("null") && !lines.contains { $0.hasPrefix("vd") || $0.hasPrefix("sd") || $0 == "mem" })
            #expect(lines.suffix(2) == ["0", "x"])
        }
    }

    @Test(.enabled(if: getuid() == 0, "needs root"))
    func `as root the system's folders are read-only, and the current folder is not`() throws {
        try with { run in
            let ended = try exec(
                [],
                """
                for folder in /etc /usr /var; do touch $folder/crosswind-test 2>&1; done
                touch /var/tmp/crosswind-test-$$ && rm /var/tmp/crosswind-test-$$ && echo temporary
                touch here && echo here
                """, run)
            let lines = ended.output.split(separator: "\n")
            #expect(lines.count == 5 && lines.prefix(3).allSatisfy { $0.contains("Read-only file system") }, "\(lines)")
            #expect(lines.suffix(2) == ["temporary", "here"])
        }
    }

    @Test func `a clean environment has only the listed variables and the lab's`() throws {
        try with { run in
            unsafe setenv("CROSSWIND_TEST_TOKEN", "secret", 1)
            defer { unsafe unsetenv("CROSSWIND_TEST_TOKEN") }
            let script = "echo ${CROSSWIND_TEST_TOKEN-none} ${SSL_CERT_FILE-none}"
            let usual = try exec([], script, run)
            #expect(usual.output == "secret /etc/ssl/certs/ca-certificates.crt\n")
            let clean = try exec(["--clean-env"], script, run)
            #expect(clean.output == "none /etc/ssl/certs/ca-certificates.crt\n")
        }
    }

    @Test func `a program that exceeds its memory or its processes is ended, and the reason is shown`() throws {
        try with { run in
            let memory = try exec(
                ["--memory-limit", "64MiB"], "exec python3 -c 'import time; x = b\"x\" * (256 << 20); time.sleep(60)'",
                run)
            #expect(memory.status == 137)
            #expect(memory.errors.contains("64 MiB"), "\(memory.errors)")
            let processes = try exec(
                ["--process-limit", "20"], "for i in $(seq 40); do sleep 60 & done 2>/dev/null; wait", run)
            #expect(processes.status != 0)
            #expect(processes.errors.contains("limit"), "\(processes.errors)")
        }
    }

    @Test func `options that cannot apply are refused in one sentence`() throws {
        try with { run in
            for (options, reason) in [
                (["--share", "relative"], "from /"), (["--share", "/run/"], "below it"),
                (["--share", "/no/such/folder"], "does not exist"),
                (["--process-limit", "0"], "between 1 and"), (["--memory-limit", "lots"], "--memory-limit"),
            ] {
                let ended = try run.command(["exec"] + options + ["--", "true"])
                #expect(ended.status == 2)
                #expect(ended.errors.contains(reason), "\(ended.errors)")
            }
        }
    }

    /// The first process of the lab is the child of the program that runs the lab. Without the bound, `exec` never ends.
    @Test func `a stopped first process does not hang exec`() throws {
        try with { run in
            let process = try run.start(["exec", "--network", "perfect", "--", "sh", "-c", "touch ready; sleep 1"])
            #expect(run.waitForFile("ready"), "\(run.errors)")
            let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.processIdentifier)/task")
            let children = threads.compactMap {
                try? String(contentsOfFile: "/proc/\(process.processIdentifier)/task/\($0)/children", encoding: .utf8)
            }.joined(separator: " ").split(separator: " ").compactMap { Int32($0) }
            let first = children.first { child in
                (try? String(contentsOfFile: "/proc/\(child)/comm", encoding: .utf8)) == "crosswind-init\n"
            }
            let stopped = try #require(first)
            #expect(kill(stopped, SIGSTOP) == 0)
            #expect(run.wait { !process.isRunning }, "exec still waits for a stopped process")
            #expect(process.terminationStatus == 137)
            #expect(run.errors.contains("stopped from outside"))
        }
    }

    @Test func `a socket that a killed lab left is removed by the next run`() throws {
        try with { run in
            let process = try run.start(["exec", "--network", "perfect", "--", "sh", "-c", "touch ready; sleep 60"])
            #expect(run.waitForFile("ready"), "\(run.errors)")
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            #expect(run.sockets.count == 1)
            _ = try run.command([
                "run", run.program.layout.folder + "/Scenarios/order/data-task.yaml", "--adapter", "python",
            ])
            #expect(run.sockets == [])
        }
    }

    /// The name of a file reaches the terminal through the error of the reader.
    @Test func `escape sequences in names and files do not reach a terminal`() throws {
        try with { run in
            let file = try run.program.write("a\u{1B}[2J.yaml", "scenario: \"x\\e[2J\"\nexpect\u{9B}: []\n")
            for arguments in [["validate", file], ["run", file], ["exec", "--network", "\u{1B}[2J", "--", "true"]] {
                let ended = try run.command(arguments)
                #expect(ended.status == 2)
                let text = ended.output + ended.errors
                #expect(!text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{9B}" }, "\(arguments)")
                #expect(!text.isEmpty)
            }
        }
    }

    /// 60 MB; without the bound the record holds all of it.
    @Test func `a flood on an adapter's standard error is cut, and its evidence is private`() throws {
        try with { run in
            let flood = try run.program.write(
                "flood.py",
                "import sys\nfor i in range(60000): sys.stderr.write('x' * 1000 + '\\n')\nsys.stderr.write('the last line\\n')\n"
            )
            let out = run.program.folder + "/out"
            let ended = try run.command([
                "run", run.program.layout.folder + "/Scenarios/order/data-task.yaml", "--adapter", "python3 \(flood)",
                "--baseline", "/dev/null", "--out", out,
            ])
            #expect(ended.status == 1)
            let record = out + "/order/data-task/record.jsonl"
            let text = try String(contentsOfFile: record, encoding: .utf8)
            #expect(text.utf8.count < 4 << 20)
            #expect(text.contains("are left out here") && text.contains("the last line"))
            for (path, mode) in [
                (out, 0o700), (out + "/order/data-task", 0o700), (record, 0o600), (out + "/summary.json", 0o600),
            ] {
                let found = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                #expect(found == mode, "\(path)")
            }
        }
    }
}
