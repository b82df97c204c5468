import ArgumentParser
import Foundation
import Harness

/// Simulates networks and checks what an HTTP session implementation does on them.
@main
struct Crosswind: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "crosswind",
        abstract: "Subjects an HTTP session implementation to a simulated internet and says, with evidence, what holds.",
        discussion: """
            Exit status: 0 everything ended as expected, 1 unexpected outcomes, 2 wrong usage or a wrong scenario file, \
            3 this machine cannot (crosswind doctor says why).
            """,
        version: "0.1.0",
        subcommands: [
            RunCommand.self, ValidateCommand.self, ListCommand.self, DoctorCommand.self, ExplainCommand.self,
            ExecCommand.self, ShellCommand.self, SetCommand.self, WatchCommand.self, ProfilesCommand.self,
            SchemaCommand.self, ReplayCommand.self, ShowCommand.self, ServeCommand.self, MutantsCommand.self,
        ])

    /// Usage errors end with 2, as CI systems are told; the library's own choice is 64.
    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            let code = exitCode(for: error)
            if code == .validationFailure {
                FileHandle.standardError.write(Data("\(fullMessage(for: error))\n".utf8))
                Foundation.exit(Status.usage.rawValue)
            }
            exit(withError: error)
        }
    }
}

/// What a CI system reads.
enum Status {
    static let unexpected = ExitCode(1)
    static let usage = ExitCode(2)
    static let machine = ExitCode(3)
}

/// Says one sentence on standard error; the caller throws the status.
func stop(_ status: ExitCode, _ message: String, isBare: Bool = false) -> ExitCode {
    FileHandle.standardError.write(Data("\(isBare ? "" : "crosswind: ")\(message)\n".utf8))
    return status
}

extension HarnessError {
    /// What the machine cannot do is 3; what was asked wrongly is 2.
    var exitCode: ExitCode {
        switch self {
        case .machine, .cannotWrite, .lab, .origin, .interrupted: Status.machine
        case .cannotExpress, .unknownAdapter, .unusableEvidence, .unusableMutants, .adapterWillNotStart, .programWillNotStart, .adapterHandshake:
            Status.usage
        }
    }
}

/// Runs `body`, and ends with the right status when the harness cannot.
func stopping<Value>(_ body: () throws -> Value) throws -> Value {
    do {
        return try body()
    } catch let error as HarnessError {
        throw stop(error.exitCode, error.description)
    }
}
