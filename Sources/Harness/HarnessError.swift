/// Why a run could not be made; each case names the cause and the mend.
package enum HarnessError: Error, Hashable, CustomStringConvertible {
    case cannotWrite(path: String, reason: String)
    /// The machine lacks something; `mend` is one command or sentence.
    case machine(String, mend: String)
    case cannotExpress(condition: String, engine: String, reason: String)
    case unknownAdapter(String, known: [String])
    case adapterWillNotStart(command: String, reason: String)
    case adapterHandshake(String)
    /// A program that somebody asked to run inside a lab.
    case programWillNotStart(String)
    /// What an earlier run left cannot be used.
    case unusableEvidence(path: String, reason: String)
    /// An adapter's mutants cannot be had.
    case unusableMutants(String, String)
    case lab(String)
    case origin(String)
    /// Ctrl-C.
    case interrupted

    package var description: String {
        switch self {
        case .cannotWrite(let path, let reason): "cannot write \(path): \(reason); choose another folder with --out"
        case .machine(let cause, let mend): "\(cause); \(mend)"
        case .cannotExpress(let condition, let engine, let reason):
            "the \(engine) engine cannot do \(condition): \(reason)"
        case .unknownAdapter(let name, let known):
            "no adapter \(name): known are \(known.joined(separator: ", ")), or give a command such as 'python3 my-adapter.py'"
        case .adapterWillNotStart(let command, let reason): "the adapter \(command) does not start: \(reason)"
        case .programWillNotStart(let reason): reason
        case .adapterHandshake(let reason): "the adapter's handshake failed: \(reason)"
        case .unusableEvidence(let path, let reason): "\(path): \(reason)"
        case .unusableMutants(let adapter, let reason): "the adapter \(adapter) has no mutants to run: \(reason)"
        case .lab(let cause): "the lab does not do what was asked: \(cause)"
        case .interrupted: "the run was interrupted"
        case .origin(let cause): "the origin could not be started: \(cause)"
        }
    }
}
