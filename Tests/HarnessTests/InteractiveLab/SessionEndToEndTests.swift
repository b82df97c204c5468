import AdapterProtocol
import Foundation
import Lab
import LinkEmulator
import Testing

@testable import Harness

/// The walk-through of the README with two terminals.
@Suite(
    .serialized,
    .enabled(if: SessionRun.canRun, "needs a machine that can build a lab (crosswind doctor), python3 and curl"))
struct SessionEndToEndTests {
    private func with(_ body: (SessionRun) throws -> Void) throws {
        let run = try SessionRun()
        defer { run.end() }
        try body(run)
    }

    @Test func `a server on the host responds inside the lab, plain and with the lab's own TLS`() throws {
        try with { run in
            let port = try run.startHostServer()
            let process = try run.start([
                "exec", "--network", "perfect", "--forward", "plain.test:80=localhost:\(port)", "--forward",
                "api.test:443=localhost:\(port),tls=terminate", "--", "sh", "-c",
                """
                curl -sS -m 10 http://plain.test/1; echo; curl -sS -m 10 https://api.test/2; echo
                curl -sS -m 20 https://api.test/large | wc -c; curl -sS -m 10 http://else.test/hello
                curl -s -m 10 http://plain.test:81/; echo "other port $?"
                """,
            ])
            process.waitUntilExit()
            #expect(process.terminationStatus == 0, "\(run.errors)")
            #expect(
                try run.program.text("output") == """
                    from the host /1
                    from the host /2
                    2000000
                    hello
                    other port 7

                    """)
            #expect(run.sockets == [])
        }
    }

    @Test func `a host server that is down is reported, and the program gets a reset`() throws {
        try with { run in
            let process = try run.start([
                "exec", "--network", "perfect", "--forward", "api.test:80=127.0.0.1:9", "--", "sh", "-c",
                "curl -s -m 10 http://api.test/; echo $?",
            ])
            process.waitUntilExit()
            // curl: 56, failure when receiving.
            #expect(try run.program.text("output") == "56\n")
            #expect(
                try run.program.text("errors").contains(
                    "cannot connect to 127.0.0.1:9 on this machine: Connection refused"))
        }
    }

    /// A second process sets the interface down and up while curl sends requests repeatedly; the program itself prints
    /// the results.
    @Test func `a second terminal changes and watches the lab`() throws {
        try with { run in
            let port = try run.startHostServer()
            let process = try run.start([
                "exec", "--network", "perfect", "--forward", "api.test:80=localhost:\(port)", "--", "sh", "-c",
                """
                ask() { curl -s -m 2 -o /dev/null http://api.test/; }
                ask && touch works
                while ask; do :; done; touch lost
                until ask; do :; done; touch back
                until [ -e enough ]; do curl -s -o /dev/null http://api.test/large; done
                """,
            ])
            let lab = ["--lab", "\(process.processIdentifier)"]
            #expect(run.waitForFile("works"), "\(run.errors)")
            #expect(try run.command(["watch", "--list"]).output.contains("\(process.processIdentifier)  sh -c"))
            #expect(try run.command(["set"] + lab + ["wifi", "down"]).output == "wifi down\n")
            #expect(run.waitForFile("lost"))
            #expect(try run.command(["watch", "--once"] + lab).output.contains("wifi       down   perfect"))
            #expect(try run.command(["set"] + lab + ["wifi", "up", "rate=8Mbit/s", "delay=30ms"]).status == 0)
            #expect(run.waitForFile("back"))
            var view: LabView?
            // Figures of a window need traffic in it.
            let hasTraffic = run.wait {
                guard let line = try? run.command(["watch", "--once", "--json"] + lab).output,
                    case .view(let found)? = try? ControlReply(line: Array(line.utf8))
                else { return false }
                view = found
                return (found.links.first?.downlink.bitsPerSecond ?? 0) > 4_000_000
                    && found.connections.contains { $0.state == "established" }
            }
            #expect(hasTraffic, "\(String(describing: view))")
            let down = try #require(view?.links.first?.downlink)
            #expect(down.bitsPerSecond < 9_500_000)
            #expect(down.requested.contains("8.0Mbit/s") && down.requested.contains("delay 30"))
            #expect(try #require(down.delay) >= 29_500_000)
            #expect(
                try #require(view?.connections.first { $0.state == "established" }).remote.contains("203.0.113.65:80")
                    || view?.connections.contains { $0.remote.contains("[2001:db8:113::f:1]:80") } == true)
            _ = try run.program.write("enough", "")
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            #expect(run.sockets == [])
        }
    }

    @Test func `names change while the lab runs, and invalid words are refused with status 2`() throws {
        try with { run in
            let process = try run.start([
                "exec", "--network", "perfect", "--", "sh", "-c",
                "touch ready; until [ -e go ]; do sleep 0.05; done; curl -s http://gone.test/hello; echo $?",
            ])
            let lab = ["--lab", "\(process.processIdentifier)"]
            #expect(run.waitForFile("ready"))
            #expect(
                try run.command(["set"] + lab + ["dns", "gone.test=nxdomain"]).output == "name gone.test → nxdomain\n")
            let wrong = try run.command(["set"] + lab + ["wifi", "dwon"])
            #expect(wrong.status == 2 && wrong.errors.contains("did you mean `down`"))
            let absent = try run.command(["set"] + lab + ["cellular", "up"])
            #expect(absent.status == 2 && absent.errors.contains("--interface cellular"))
            _ = try run.program.write("go", "")
            process.waitUntilExit()
            // curl: 6, could not resolve host.
            #expect(try run.program.text("output") == "6\n")
        }
    }

    @Test func `a timeline plays from the program's start, by progress and by time`() throws {
        try with { run in
            let file = try run.program.write(
                "t.yaml",
                """
                timeline:
                  - when: { query: cut.test }
                    set: { dns: { next.test: nxdomain } }
                  - when: { request: 2 }
                    set: { wifi: down }
                  - when: { sinceStart: 1h }
                    set: { wifi: up }
                """)
            let process = try run.start([
                "exec", "--network", "perfect", "--timeline", file, "--", "sh", "-c",
                "curl -s -m 5 http://cut.test/hello; curl -s -m 5 http://next.test/; echo $?; curl -s -m 2 http://a.test/slow; echo $?",
            ])
            process.waitUntilExit()
            let lines = try run.program.text("output").split(separator: "\n")
            #expect(lines.first == "hello" && lines.dropFirst().first == "6")
            #expect(lines.last != "0")
            let errors = try run.program.text("errors")
            #expect(errors.contains("request 2: wifi down"))
            #expect(errors.contains("never reached: 3600.0 seconds after the start"))
        }
    }

    /// 192.0.2.2 is the client's address on a Wi-Fi with IPv4; behind NAT64 the client has IPv6 only.
    @Test func `a network of the catalogue and one of a file bring their addresses, names and changes`() throws {
        try with { run in
            let addresses = "grep -q -w 192.0.2.2 /proc/net/fib_trie && echo v4"
            let profile = try run.command(["exec", "--network", "perfect", "--", "sh", "-c", addresses])
            #expect(profile.output == "v4\n", "\(profile.errors)")
            let nat64 = try run.command([
                "exec", "--network", "nat64", "--", "sh", "-c", "\(addresses); curl -sS http://api.test/hello",
            ])
            #expect(nat64.output == "hello\n", "\(nat64.output)\(nat64.errors)")
            let file = try run.program.write(
                "office.yaml",
                """
                summary: Wi-Fi of an office.
                network: { wifi: perfect }
                dns: { gone.test: nxdomain }
                timeline:
                  - when: { request: 1 }
                    set: { dns: { later.test: nxdomain } }
                """)
            let both =
                "curl -s http://gone.test/; echo $?; curl -sS http://api.test/hello; curl -s http://later.test/; echo $?"
            let office = try run.command(["exec", "--network", file, "--", "sh", "-c", both])
            // curl: 6, could not resolve host.
            #expect(office.output == "6\nhello\n6\n", "\(office.errors)")
            let train = try run.command(["exec", "--network", "train", "--", "sleep", "1"])
            #expect(train.status == 0 && train.errors.contains("cellular 3g"), "\(train.errors)")
            let hint = try run.command([
                "exec", "--network", file, "--", "python3", "-c", Self.asksForCellular,
            ])
            #expect(hint.output.contains("under `network:` in \(file)"), "\(hint.output)\(hint.errors)")
        }
    }

    /// Sends a change of an interface that the lab does not have to the socket of the lab, and prints the reply.
    private static let asksForCellular = """
        import os, socket
        s = socket.socket(socket.AF_UNIX)
        s.connect(os.environ['CROSSWIND_CONTROL'])
        s.sendall(b'{"v":1,"do":"set","change":{"cellular":"up"}}\\n')
        print(s.recv(65536).decode())
        """

    /// The proxy is of a session, so that no variable of the environment names it.
    @Test func `a shell has the network, names, server, proxies and timeline of a scenario`() throws {
        try with { run in
            let file = try run.program.write(
                "scenario.yaml",
                """
                scenario: A download through a proxy
                network: { cellular: perfect }
                dns: { gone.test: nxdomain }
                proxies:
                  corporate: { type: http }
                session: { proxy: corporate }
                origin:
                  /a: { text: "of the scenario" }
                timeline:
                  - when: { request: 1 }
                    set: { dns: { later.test: nxdomain } }
                steps:
                  - data: /a
                    as: first
                expect:
                  - completes: { task: first, error: none }
                """)
            let shell = try run.program.write(
                "shell",
                """
                #!/bin/sh
                curl -s http://gone.test/; echo $?
                curl -sS -x http://proxy.test:3128 http://api.test/a; echo
                curl -s http://later.test/; echo $?
                python3 ask.py
                """)
            _ = try run.program.write("ask.py", Self.asksForCellular.replacing("cellular", with: "wifi"))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: shell)
            let ended = try run.program.run(["shell", "--scenario", file], environment: ["SHELL": shell])
            #expect(ended.status == 0, "\(ended.errors)")
            let lines = ended.output.split(separator: "\n")
            #expect(lines.prefix(3) == ["6", "of the scenario", "6"], "\(ended.output)\(ended.errors)")
            #expect(lines.last?.contains("under `network:` in \(file)") == true, "\(ended.output)")
            #expect(ended.errors.contains("proxy corporate: http://proxy.test:3128"), "\(ended.errors)")
        }
    }

    @Test func `usage errors and a missing lab have their statuses`() throws {
        try with { run in
            let none = try run.command(["watch", "--lab", "1"])
            #expect(none.status == 3 && none.errors.contains("no lab 1 is running"))
            #expect(try run.command(["set", "--lab", "1", "wifi", "down"]).status == 3)
            for wrong in [
                ["exec", "--forward", "nonsense", "--", "true"],
                ["exec", "--interface", "wifi", "--interface", "wifi", "--", "true"],
                ["shell", "--network", "nosuch"], ["shell", "--network", "all"], ["shell", "--network", "nosuch.yaml"],
                ["exec", "--network", "nat64", "--interface", "wifi", "--", "true"],
                ["shell", "--scenario", "nosuch.yaml"], ["shell", "--scenario", "nosuch.yaml", "--network", "lte"],
                ["shell", "--scenario", "nosuch.yaml", "--record", "new.yaml"], ["set", "wify", "down"],
                ["exec", "--interface", "modem", "--", "true"],
                ["exec", "--forward", "a.test:80=nosuch.invalid:80", "--", "true"],
            ] {
                let ended = try run.command(wrong)
                #expect(ended.status == 2, "\(wrong): \(ended.errors)")
                #expect(!ended.errors.isEmpty)
            }
            let renamed = try run.command(["exec", "--condition", "lte", "--", "true"])
            #expect(renamed.status == 2 && renamed.errors.contains("--network lte"), "\(renamed.errors)")
            let file = try run.program.write(
                "t.yaml", "timeline:\n  - when: first.didComplete\n    set: { wifi: down }\n")
            let ended = try run.command(["exec", "--timeline", file, "--", "true"])
            #expect(ended.status == 2 && ended.errors.hasPrefix("\(file):2:11: "))
        }
    }

    /// A shell without a terminal reads its commands from standard input.
    @Test func `a shell shows the lab in its prompt, runs commands and returns its status`() throws {
        try with { run in
            let process = Process()
            process.executableURL = URL(fileURLWithPath: run.program.layout.programFolder + "/crosswind")
            process.arguments = ["shell", "--interface", "cellular=lte", "--interface", "wifi=perfect"]
            process.currentDirectoryURL = URL(fileURLWithPath: run.program.folder)
            process.environment = ProcessInfo.processInfo.environment.merging(["SHELL": "/bin/sh"]) { $1 }
            let (input, output, errors) = (Pipe(), Pipe(), Pipe())
            process.standardInput = input
            process.standardOutput = output
            process.standardError = errors
            try process.run()
            input.fileHandleForWriting.write(Data("echo \"$PS1\"; cat /proc/net/dev; exit 5\n".utf8))
            try input.fileHandleForWriting.close()
            let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            let reported = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationStatus == 5)
            #expect(said.hasPrefix("(crosswind lte+perfect) $ "))
            #expect(said.contains("wlan0") && said.contains("wwan0"))
            #expect(reported.contains("a shell on cellular lte, wifi perfect; `exit` leaves it"))
        }
    }
}
