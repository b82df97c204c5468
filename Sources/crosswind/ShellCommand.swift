import Lab
import ScenarioLanguage
import ArgumentParser
import Foundation

struct ShellCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shell", abstract: "Open a shell inside a lab to reproduce a problem by hand.",
        discussion: """
            Runs $SHELL (or /bin/sh) with a marked prompt; `exit` leaves it and removes the lab. Programs started in \
            it see only the lab: its interfaces, DNS and certificate authority, and the servers that --forward makes reachable. From \
            another terminal, `crosswind set` changes the network and `crosswind watch` shows it.

            With --scenario, the shell gets that scenario's network, names, servers, proxies and timeline. Its steps are not \
            played and nothing is judged; `crosswind exec --scenario` judges one program.

            Example: crosswind shell --network flaky-wifi --forward api.test:443=localhost:8443
            """)

    @OptionGroup var lab: LabOptions

    @Option(
        help: "Open the shell with this scenario's network, servers and timeline.", completion: .file())
    var scenario: String?

    @Option(
        help:
            "Write the requests and the changes of the network as a scenario to this new file (see crosswind record).",
        completion: .file())
    var record: String?

    func validate() throws {
        if record != nil { try lab.validateRecording() }
        guard scenario != nil else { return }
        try lab.validateBesideScenario()
        if record != nil {
            throw ValidationError("a recording has the lab's own server, not that of a scenario; leave --record out")
        }
    }

    func run() throws {
        let scenario = try scenario.map(LabOptions.read)
        let environment = ProcessInfo.processInfo.environment
        let shell =
            environment["SHELL"].flatMap { FileManager.default.isExecutableFile(atPath: $0) ? $0 : nil } ?? "/bin/sh"
        let isInteractive = isatty(FileHandle.standardInput.fileDescriptor) == 1
        try lab.perform(
            { plan in
                LabOptions.log(
                    "a shell on \(plan.description); `exit` leaves it, `crosswind set` and `watch` work from another terminal"
                )
                return .shell(shell, breakpoint: "crosswind \(lab.mark(plan))", isInteractive: isInteractive)
            }, in: scenario, reportingMeasurements: false,
            recording: try record.map { try RecordingFile(path: $0, option: "--record", program: [shell]) })
    }
}

extension LabOptions {
    /// Short enough for a prompt.
    fileprivate func mark(_ plan: InteractiveLabPlan) -> String {
        // It becomes a part of the shell's start file, and a scenario file may have any name.
        if let name = plan.name {
            return String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./".contains($0)) ? $0 : "_" })
        }
        let names = plan.network.interfaces.map { $0.link.name }
        return Set(names).count == 1 ? names[0] : names.joined(separator: "+")
    }
}
