import Foundation
import Lab
import Testing

@testable import Harness

/// `crosswind run --command` and `crosswind exec --scenario` with curl, as users run them.
@Suite(
    .serialized,
    .enabled(if: SessionRun.canRun, "needs a machine that can build a lab (crosswind doctor), python3 and curl"))
struct CommandRunTests {
    private static let curl = "curl -sS -L --fail -o {file} {url}"

    private static let good = """
        scenario: A redirect is followed
        proves: [DATA-01]
        network: { wifi: perfect }
        origin:
          /a: { redirect: /b, status: 302 }
          /b: { text: "hello" }
        steps:
          - data: /a
            as: first
        expect:
          - completes: { task: first, error: none }
          - body: { task: first, text: "hello" }
          - requests: { count: 2 }
          - request: { number: 2, method: GET, path: /b }
        """

    private func with(_ body: (BuiltProgram) throws -> Void) throws {
        let program = try BuiltProgram()
        defer { program.remove() }
        try body(program)
    }

    private func run(_ program: BuiltProgram, _ scenario: String, _ options: [String]) throws -> BuiltProgram.Ended {
        let name = UUID().uuidString
        let file = try program.write("\(name).yaml", scenario)
        return try program.run(["run", file, "--out", "out-\(name)", "--baseline", "/dev/null"] + options)
    }

    @Test func `curl passes by what it delivers and by the wire`() throws {
        try with { program in
            let ended = try run(program, Self.good, ["--command", Self.curl])
            #expect(ended.status == 0, "\(ended.output)\(ended.errors)")
            #expect(ended.output.contains("1 passed") && !ended.output.contains("not judged"), "\(ended.output)")
        }
    }

    @Test func `a wrong request fails although the command succeeds`() throws {
        try with { program in
            let wrong = Self.good.replacing("path: /b }", with: "path: /c }")
            let ended = try run(program, wrong, ["--command", Self.curl])
            #expect(ended.status == 1, "\(ended.output)\(ended.errors)")
            #expect(ended.output.contains("request 2: path /c") || ended.output.contains("/c"), "\(ended.output)")
        }
    }

    @Test func `a body that the command does not write fails`() throws {
        try with { program in
            let ended = try run(program, Self.good, ["--command", "curl -sS -L --fail -o /dev/null {url}"])
            #expect(ended.status == 1 && ended.output.contains("body ("), "\(ended.output)\(ended.errors)")
        }
    }

    @Test func `a redirect is not asked of a command that does not follow it`() throws {
        try with { program in
            let ended = try run(program, Self.good, ["--command", "curl -sS --fail -o {file} {url}"])
            #expect(ended.status == 0, "\(ended.output)\(ended.errors)")
            #expect(ended.output.contains("unsupported") && ended.output.contains("followRedirects"))
        }
    }

    @Test func `a check of a callback is not judged and the others are`() throws {
        try with { program in
            let more = Self.good + "\n  - count: { event: first.didReceiveResponse, equals: 1 }"
            let ended = try run(program, more, ["--command", Self.curl, "--verbose"])
            #expect(ended.status == 0, "\(ended.output)\(ended.errors)")
            #expect(ended.output.contains("(1 not judged)") && ended.output.contains("didReceiveResponse"))
        }
    }

    @Test func `the body of a POST reaches the origin and the lab's authority is trusted`() throws {
        try with { program in
            let post = """
                scenario: A POST over TLS
                proves: [DATA-01]
                network: { wifi: perfect }
                origin:
                  tls: {}
                  /echo: { echo: true }
                steps:
                  - data: https://api.test/echo
                    as: first
                    method: POST
                    body: "a=1"
                    headers: { X-Mine: "1 2" }
                expect:
                  - completes: { task: first, error: none }
                  - request: { number: 1, method: POST, bodyBytes: 3, headers: { X-Mine: "1 2" } }
                """
            let full = "curl -sS --fail -o {file} {headers:-H} {method:-X} {body:--data-binary @} {url}"
            let ended = try run(program, post, ["--command", full])
            #expect(ended.status == 0 && ended.output.contains("1 passed"), "\(ended.output)\(ended.errors)")
            let plain = try run(program, post, ["--command", Self.curl])
            #expect(plain.status == 0 && plain.output.contains("1 unsupported"), "\(plain.output)\(plain.errors)")
        }
    }

    @Test(
        arguments: [
            (["--command", "curl -sS"], 2, "{url}"), (["--command", "curl {uri}"], 2, "{uri}"),
            (["--command", "nosuchclient {url}"], 2, "not installed"),
            (["--command", "curl {url}", "--adapter", "python"], 2, "give one of"),
            (["--command-offers", "cancel"], 2, "--command"),
            (["--command", "curl {url}", "--command-classes", "6=gone"], 2, "gone"),
            (["--command", "curl {url}", "--command-offers", "fly"], 2, "fly"),
        ] as [([String], Int32, String)])
    func `a command that cannot be used gives one sentence and its status`(
        _ options: [String], _ status: Int32, _ word: String
    ) throws {
        try with { program in
            let ended = try run(program, Self.good, options)
            #expect(ended.status == status, "\(ended.output)\(ended.errors)")
            #expect(ended.errors.contains(word), "\(ended.errors)")
        }
    }

    // MARK: - exec

    private func exec(_ program: BuiltProgram, _ scenario: String, _ options: [String], _ command: [String]) throws
        -> BuiltProgram.Ended
    {
        let file = try program.write("scenario.yaml", scenario)
        return try program.run(["exec", "--scenario", file, "--out", "out"] + options + ["--"] + command)
    }

    @Test func `a program passes by what the origin saw and keeps its output`() throws {
        try with { program in
            let reports = ["--junit", "junit.xml", "--html", "run.html"]
            let ended = try exec(program, Self.good, reports, ["curl", "-sSL", "http://api.test/a"])
            #expect(ended.status == 0, "\(ended.output)\(ended.errors)")
            #expect(ended.output == "hello")
            #expect(ended.errors.contains("pass") && ended.errors.contains("(2 not judged)"), "\(ended.errors)")
            #expect(try program.text("junit.xml").contains("tests=\"1\""))
            #expect(try program.text("run.html").contains("/b"))
            #expect(try program.text("out/summary.json").contains("scenario"))
            #expect(try program.run(["show", "out/scenario"]).output.contains("it reports no events"))
        }
    }

    @Test func `a program that does not follow the redirect fails although its status is 0`() throws {
        try with { program in
            let ended = try exec(program, Self.good, [], ["curl", "-sS", "http://api.test/a"])
            #expect(ended.status == 1, "\(ended.output)\(ended.errors)")
            #expect(
                ended.errors.contains("ended with status 0") && ended.errors.contains("expected:"), "\(ended.errors)")
        }
    }

    /// The second request meets a network that the first one took down.
    @Test func `the timeline of the scenario runs at the requests of the program`() throws {
        try with { program in
            let timeline = """
                scenario: One request
                network: { wifi: perfect }
                origin:
                  /a: { text: "hello" }
                timeline:
                  - when: { request: 1 }
                    set: { dns: { gone.test: nxdomain } }
                steps:
                  - data: /a
                    as: first
                expect:
                  - requests: { count: 1 }
                """
            let both = "curl -sS http://api.test/a; curl -s http://gone.test/a; echo $?"
            let ended = try exec(program, timeline, [], ["sh", "-c", both])
            // curl: 6, could not resolve host.
            #expect(ended.output == "hello6\n", "\(ended.errors)")
            #expect(ended.status == 0, "\(ended.errors)")
        }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/keytool"), "needs a Java runtime"))
    func `Java reads the lab's authority from its trust store`() throws {
        try with { program in
            // Without a password, as for a trust store.
            let list = ["keytool", "-list", "-keystore", "/etc/ssl/certs/crosswind.jks", "-storetype", "JKS"]
            let ended = try program.run(["exec", "--network", "perfect", "--"] + list)
            #expect(ended.output.contains("crosswind") && ended.output.contains("trustedCertEntry"), "\(ended.output)")
            #expect(ended.errors.contains("-Djavax.net.ssl.trustStore=/etc/ssl/certs/crosswind.jks"), "\(ended.errors)")
        }
    }

    @Test func `a program and its children are ended at the timeout`() throws {
        try with { program in
            let started = Date()
            let sleep = ["exec", "--timeout", "500ms", "--", "sh", "-c", "trap '' TERM; sleep 60; sleep 60"]
            let ended = try program.run(sleep)
            #expect(ended.status == 124, "\(ended.errors)")
            #expect(ended.errors.contains("--timeout"), "\(ended.errors)")
            #expect(Date().timeIntervalSince(started) < 30)
            let judged = try exec(program, Self.good, ["--timeout", "500ms"], ["sleep", "60"])
            #expect(judged.status == 124, "\(judged.errors)")
            #expect(judged.errors.contains("expected:"), "\(judged.errors)")
        }
    }

    /// Its wire is right so far, but the rest of it is unknown.
    @Test func `a program that is ended at the timeout does not pass`() throws {
        try with { program in
            let command = ["sh", "-c", "curl -sSL http://api.test/a; sleep 60"]
            let ended = try exec(program, Self.good, ["--timeout", "5s"], command)
            #expect(ended.output == "hello", "\(ended.errors)")
            #expect(ended.status == 124, "\(ended.errors)")
            #expect(ended.errors.contains("the program still ran at --timeout"), "\(ended.errors)")
            let summary = try String(contentsOfFile: program.folder + "/out/summary.json", encoding: .utf8)
            #expect(summary.contains(#""outcome": "fail""#), "\(summary)")
        }
    }

    @Test(arguments: [
        (["--timeout", "soon"], "soon"), (["--timeout", "0s"], "0s"), (["--out", "x"], "--scenario"),
        (["--scenario", "nosuch.yaml"], "nosuch.yaml"),
        (["--scenario", "nosuch.yaml", "--network", "lte"], "--network"),
        (["--scenario", "nosuch.yaml", "--capture", "x"], "--capture"),
    ])
    func `options that exec cannot use give one sentence and status 2`(_ options: [String], _ word: String) throws {
        try with { program in
            let ended = try program.run(["exec"] + options + ["--", "true"])
            #expect(ended.status == 2, "\(ended.errors)")
            #expect(ended.errors.contains(word), "\(ended.errors)")
        }
    }

    @Test func `a scenario whose checks all need callbacks is refused`() throws {
        try with { program in
            let text = Self.good.split(separator: "\n").filter { !$0.contains("request") }.joined(separator: "\n")
            let ended = try exec(program, text, [], ["true"])
            #expect(ended.status == 2 && ended.errors.contains("callbacks"), "\(ended.errors)")
        }
    }
}
