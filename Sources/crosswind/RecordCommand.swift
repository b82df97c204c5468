import ArgumentParser
import Conformance
import Foundation
import Harness
import Lab
import LinkEngines
import ScenarioLanguage
import Synchronization

struct RecordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record", abstract: "Run a program inside a lab and write a scenario from what happened.",
        discussion: """
            The program runs as with `crosswind exec`. At its end a scenario file is written: the program's requests to the lab's own \
            server become steps, and each change that was made meanwhile, with `crosswind set`, with a key of `crosswind watch` or by \
            the program itself, becomes an entry of the timeline at the progress at which it was made: a byte of a response, a \
            packet, a request, or a time. Run the file with any client. Requests to servers behind --forward are not recorded. The exit \
            status is the program's.

            Example: crosswind record --network lte --out lost.yaml -- curl -sS http://api.test/big -o /dev/null
            """)

    @OptionGroup var lab: LabOptions

    @Option(help: "The scenario file; default: recorded.yaml. An existing file is kept.", completion: .file())
    var out = "recorded.yaml"

    @Option(
        help: ArgumentHelp(
            "End the program and the processes that it started after this time, such as 30s; the exit status is then 124.",
            valueName: "duration"))
    var timeout: String?

    @Argument(parsing: .postTerminator, help: "The program and its arguments, after --.")
    var command: [String]

    func validate() throws {
        if command.isEmpty {
            throw ValidationError(
                "give a program after --, as in: crosswind record --network lte -- curl http://api.test/hello")
        }
        if let timeout, Duration(written: timeout) == nil {
            throw ValidationError("--timeout \(timeout) is not a duration; write it as in 30s, 1.5s or 2min")
        }
        try lab.validateRecording()
    }

    func run() throws {
        try lab.perform(
            { _ in InteractiveLabProgram(command: command) }, timeout: timeout.flatMap { Duration(written: $0) },
            reportingMeasurements: true, recording: try RecordingFile(path: out, option: "--out", program: command))
    }
}

extension LabOptions {
    /// Refuses the options that a recording cannot contain.
    func validateRecording() throws {
        if timeline != nil {
            throw ValidationError(
                "a recording contains the changes that are made while the program runs; leave --timeline out, and copy its entries into the file"
            )
        }
    }
}

/// The scenario file that a recording becomes.
final class RecordingFile: Sendable {
    private let path: String
    private let option: String
    private let program: [String]
    private let recording = Mutex<ScenarioRecording?>(nil)

    init(path: String, option: String, program: [String]) throws {
        self.path = path
        self.option = option
        self.program = program
        // Before the lab is built: the work at the terminal should not be lost.
        if FileManager.default.fileExists(atPath: path) { throw exists }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        if !FileManager.default.isWritableFile(atPath: folder) {
            throw stop(Status.usage, "\(option) \(path): the folder \(folder) does not exist or is not writable")
        }
    }

    private var exists: ExitCode {
        stop(Status.usage, "\(path) exists already; choose another name with \(option)")
    }

    func start(_ plan: InteractiveLabPlan) {
        let interfaces = plan.network.interfaces.map { (kind: $0.kind, profile: $0.link.name) }
        let forwards = plan.forwards.entries.map {
            "\($0.forward.name):\($0.forward.port)=\($0.forward.host):\($0.forward.hostPort)"
        }
        recording.withLock {
            $0 = ScenarioRecording(
                program: program, interfaces: interfaces, forwards: forwards, network: plan.named)
        }
    }

    func record(_ observation: LabObservation, at time: Int64) {
        recording.withLock { $0?.record(observation, at: time) }
    }

    /// Writes the file, if the reader of scenarios accepts it.
    func write() throws {
        guard let recording = recording.withLock({ $0 }) else { return }
        let home = try stopping { try InstallLayout.find() }
        let text = recording.text(schema: NewCommand.schema(for: path, home))
        if case .failure(let found) = ScenarioReader.read(file: path, text: text) {
            Terminal.writeError(text)
            throw stop(
                Status.machine, "the recording, printed above, is not a valid scenario and was not written:\n\(found)")
        }
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
        } catch {
            if FileManager.default.fileExists(atPath: path) { throw exists }
            Terminal.writeError(text)
            throw stop(Status.machine, "cannot write \(path), printed above: \(reasonText(error))")
        }
        let (requests, changes) = (recording.requestCount, recording.changeCount)
        LabOptions.log(
            "wrote \(path): \(requests) request\(requests == 1 ? "" : "s"), \(changes) change\(changes == 1 ? "" : "s")\nnext: crosswind run \(path) --adapter python"
        )
    }
}
