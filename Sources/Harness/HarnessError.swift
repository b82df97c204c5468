package import CommandAdapter
import Lab
package import LinkEngines

/// The reason why a run could not be made; each case names the cause and the fix.
package enum HarnessError: Error, Hashable, CustomStringConvertible {
    /// The lab failed, or the run lacks something of the machine that a lab needs too.
    case lab(LabError)
    case unknownAdapter(String, known: [String])
    case adapterWillNotStart(command: String, reason: String)
    case unusableCommand(CommandError)
    case unknownClient(String, known: [String])
    /// The file of a client is wrong; the text has its place.
    case unusableClient(String)
    /// A client is not installed on this machine.
    case clientMissing(String, reason: String, install: String)
    /// An adapter's mutants cannot be listed or run.
    case unusableMutants(String, String)
    /// Stopped with Ctrl-C.
    case interrupted

    package var description: String {
        switch self {
        case .lab(let error): error.description
        case .unknownAdapter(let name, let known):
            "unknown adapter \(name): choose one of \(known.joined(separator: ", ")), or give a command such as 'python3 my-adapter.py'"
        case .adapterWillNotStart(let command, let reason): "the adapter \(command) does not start: \(reason)"
        case .unusableCommand(let error): error.description
        case .unknownClient(let name, let known):
            known.isEmpty
                ? "unknown client \(name): scripts/clients has none"
                : "unknown client \(name): choose some of \(known.joined(separator: ", ")), or all"
        case .unusableClient(let errors): errors
        case .clientMissing(let name, let reason, let install):
            "\(name) is not installed: \(reason). Install it with: \(install)"
        case .unusableMutants(let adapter, let reason): "cannot use the mutants of the adapter \(adapter): \(reason)"
        case .interrupted: "the run was interrupted"
        }
    }
}

// The errors of a lab that the run itself throws.
extension HarnessError {
    static func cannotWrite(path: String, reason: String, option: String = "--out") -> HarnessError {
        .lab(.cannotWrite(path: path, reason: reason, option: option))
    }
    static func machine(_ cause: String, fix: String) -> HarnessError { .lab(.machine(cause, fix: fix)) }
    static func unusableEvidence(path: String, reason: String) -> HarnessError {
        .lab(.unusableEvidence(path: path, reason: reason))
    }
    static func origin(_ cause: String) -> HarnessError { .lab(.origin(cause)) }
}
