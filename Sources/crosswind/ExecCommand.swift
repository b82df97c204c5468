import ArgumentParser
import Conformance
import Foundation
import Harness
import Lab
import Record
import Reports
import ScenarioLanguage

struct ExecCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exec", abstract: "Run any program inside a lab with the origin up.",
        discussion: """
            Every host name resolves to the origin, which serves these paths on http and https: /hello, /big (1 MiB, ranges, ETag), \
            /slow (64 KiB at 64 kbit/s), /echo, /redirect and /private (Basic, user ann, password pw); the lab's certificate \
            authority is trusted. From another terminal, `crosswind set` changes the network and `crosswind watch` shows it. The \
            exit status is the program's. Ctrl-C reaches the program; the lab ends 5 s later if the program still runs, or at the \
            next Ctrl-C (use `crosswind shell` for a program that uses Ctrl-C itself). A test suite changes its own network through the socket in $CROSSWIND_CONTROL; there are \
            libraries for Swift (CrosswindControl), Python, Node and Go.

            With --scenario, the program gets that scenario's network, names, servers, proxies and timeline in place of its \
            steps, and the checks of what happened on the wire are judged; checks of callbacks are not. The exit status is then \
            0 if they hold and 1 if not, whatever the program's is.

            Example: crosswind exec --network flaky-wifi -- curl -sv http://api.test/big -o /dev/null
            """)

    @OptionGroup var lab: LabOptions

    @Option(
        help: "Run the program with this scenario's network, servers and timeline, and judge the wire.",
        completion: .file())
    var scenario: String?

    @Option(
        help: ArgumentHelp(
            "End the program and the processes that it started after this time, such as 30s; the exit status is then 124.",
            valueName: "duration"))
    var timeout: String?

    @Option(
        help: "With --scenario: folder for the record and the capture (default: a new one under .crosswind).",
        completion: .directory)
    var out: String?

    @Option(help: "With --scenario: write JUnit XML to this file.", completion: .file())
    var junit: String?

    @Option(help: "With --scenario: write a web page with the timeline of the run to this file.", completion: .file())
    var html: String?

    @Argument(parsing: .postTerminator, help: "The program and its arguments, after --.")
    var command: [String]

    func validate() throws {
        if command.isEmpty {
            throw ValidationError(
                "give a program after --, as in: crosswind exec --network lte -- curl http://api.test/hello")
        }
        if let timeout, Duration(written: timeout) == nil {
            throw ValidationError("--timeout \(timeout) is not a duration; write it as in 30s, 1.5s or 2min")
        }
        if scenario != nil { try lab.validateBesideScenario() }
        if scenario != nil, lab.capture != nil {
            throw ValidationError(
                "--scenario writes a capture to its folder; leave --capture out, and name the folder by --out")
        }
        if scenario == nil,
            let option = [("--out", out), ("--junit", junit), ("--html", html)].first(where: { $0.1 != nil })
        {
            throw ValidationError("\(option.0) is for the verdict of a scenario; add --scenario FILE")
        }
    }

    func run() throws {
        let limit = timeout.flatMap { Duration(written: $0) }
        if let scenario { try judge(scenario, limit) }
        try lab.perform(
            { _ in InteractiveLabProgram(command: command) }, timeout: limit, reportingMeasurements: true)
    }

    private func judge(_ file: String, _ limit: Duration?) throws -> Never {
        let home = try stopping { try InstallLayout.find() }
        let catalogue = try home.requirements()
        let scenario = try read(file, catalogue)
        let (host, forwards) = try lab.enter()
        let folder = try stopping { try ArtifactDirectory.make(out) }
        let stopSignal = StopSignal()
        let interrupt = Interrupt { stopSignal.raise() }
        let started = Date()
        let run = try stopping {
            try ProgramRun.perform(
                scenario,
                ProgramRun.Settings(
                    command: command, engine: lab.engine, seed: lab.seed, forwards: forwards, host: host,
                    out: folder.path, timeout: limit, isolation: lab.isolation.isolation),
                stop: stopSignal, log: { LabOptions.log($0, withMeasurements: false) })
        }
        let reported = ReportedRun(run.result, record: run.record)
        let report = SuiteReport(
            runs: [reported],
            requirementTitles: Dictionary(uniqueKeysWithValues: catalogue.requirements.map { ($0.id, $0.title) }),
            startedAt: Int64(started.timeIntervalSince1970), elapsed: .seconds(Date().timeIntervalSince(started)),
            artifactDirectory: folder.path)
        // Standard output belongs to the program.
        LabOptions.log("the program ended with status \(run.end.status)")
        let console = ConsoleReport(colour: false, nameWidth: scenario.id.count, isVerbose: true)
        Terminal.writeError("\(console.finished(reported))\nRecord: \(run.result.recordFile ?? folder.path)")
        try stopping {
            try folder.write(SummaryFile.json(report), to: "\(folder.path)/\(SummaryFile.name)")
            if let junit { try folder.write(JUnitReport.xml(report), to: junit, option: "--junit") }
            if let html { try folder.write(RunPage.html(reported, record: run.record), to: html, option: "--html") }
        }
        if interrupt.happened || run.end.isInterrupted { throw ExitCode(130) }
        if run.end.isTimedOut { throw lab.timedOut(limit) }
        switch run.result.outcome {
        case .pass, .unsupported, .skipped: throw ExitCode.success
        case .fail: throw Status.unexpected
        case .error: throw Status.machine
        }
    }

    private func read(_ file: String, _ catalogue: RequirementCatalogue) throws -> Scenario {
        switch ScenarioReader.read(path: file, requirements: catalogue.ids) {
        case .success(var scenario):
            scenario.bases = catalogue.bases(of: scenario)
            guard ProgramRun.canJudge(scenario) else {
                throw stop(
                    Status.usage,
                    "\(file): every check needs callbacks of a client, which a program does not report; add a check of the wire, such as `requests`"
                )
            }
            return scenario
        case .failure(let found):
            for error in found.errors { Terminal.writeError("\(error)") }
            throw Status.usage
        }
    }
}
