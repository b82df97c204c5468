import ArgumentParser
import Foundation
import Harness
import Lab
import LinkEngines

/// Simulates networks and checks what an HTTP session implementation does on them.
@main
struct Crosswind: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "crosswind",
        abstract: "Tests HTTP clients against a simulated network and reports which documented behaviours hold.",
        discussion: """
            Exit status: 0 every outcome was expected, 1 unexpected outcomes, 2 wrong usage or an invalid scenario file, \
            3 this machine cannot run scenarios (crosswind doctor shows why).
            """,
        version: "0.1.0",
        subcommands: [
            RunCommand.self, ValidateCommand.self, ListCommand.self, DoctorCommand.self, ExplainCommand.self,
            ExecCommand.self, RecordCommand.self, FromCaptureCommand.self, ShellCommand.self, SetCommand.self,
            WatchCommand.self,
            ProfilesCommand.self,
            SchemaCommand.self, ReplayCommand.self, ShowCommand.self, ServeCommand.self, MutantsCommand.self,
            SweepCommand.self, ShrinkCommand.self, MergeCommand.self, MatrixCommand.self, ReadmeMatrixCommand.self,
            CommandAdapterCommand.self, NewCommand.self, FormatCommand.self, ReferenceCommand.self,
        ])

    /// Called without a subcommand: prints commands for a new user. They name no file of the source tree and need no other
    /// program, so that they work wherever Crosswind is installed.
    func run() {
        let program = Terminal.program
        Terminal.write(
            """
            Crosswind tests HTTP clients against a simulated network. To begin:

              \(program) run --filter handover/cellular-takes-over
                  one scenario with stock URLSession: Wi-Fi goes, and the next request uses cellular
              \(program) shell --network edge
                  a shell in which every program is on a slow network; `exit` leaves it
              \(program) new
                  three questions, and a scenario of your own to run

            Each command explains itself with --help; \(program) --help lists them all. If this machine lacks
            something, \(program) doctor names it and the command that fixes it.

            """)
    }

    /// Usage errors end with status 2, as documented for CI systems; ArgumentParser's default is 64.
    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            let code = exitCode(for: error)
            if code == .validationFailure {
                Terminal.writeError(fullMessage(for: error))
                Foundation.exit(Status.usage.rawValue)
            }
            exit(withError: error)
        }
    }
}

/// The exit statuses that CI systems read.
enum Status {
    static let unexpected = ExitCode(1)
    static let usage = ExitCode(2)
    static let machine = ExitCode(3)
}

/// Prints one sentence on standard error; the caller throws the returned status.
func stop(_ status: ExitCode, _ message: String, isBare: Bool = false) -> ExitCode {
    Terminal.writeError((isBare ? "" : "crosswind: ") + message)
    return status
}

extension LabError {
    /// 3 when the machine cannot do it, 2 for wrong usage.
    var exitCode: ExitCode {
        switch self {
        case .machine, .cannotWrite, .failed, .origin: Status.machine
        case .cannotExpress, .unusableEvidence, .programWillNotStart: Status.usage
        }
    }
}

extension HarnessError {
    var exitCode: ExitCode {
        switch self {
        case .lab(let error): error.exitCode
        case .interrupted, .clientMissing: Status.machine
        case .unknownAdapter, .unknownClient, .unusableClient, .unusableCommand, .unusableMutants, .adapterWillNotStart:
            Status.usage
        }
    }
}

/// Runs `body` and exits with the matching status when the harness throws.
func stopping<Value>(_ body: () throws -> Value) throws -> Value {
    do {
        return try body()
    } catch let error as LabError {
        throw stop(error.exitCode, error.description)
    } catch let error as HarnessError {
        throw stop(error.exitCode, error.description)
    }
}
