import Foundation

/// The reason why a lab cannot be built or changed; each case names the cause and the fix.
package enum LabError: Error, Hashable, CustomStringConvertible {
    case cannotWrite(path: String, reason: String)
    /// The machine lacks something; the second value is the fix, one command or sentence.
    case machine(String, fix: String)
    case cannotExpress(condition: String, engine: String, reason: String)
    /// A program to run inside a lab does not start.
    case programWillNotStart(String)
    /// The files of an earlier run cannot be used.
    case unusableEvidence(path: String, reason: String)
    case failed(String)
    case origin(String)

    package var description: String {
        switch self {
        case .cannotWrite(let path, let reason): "cannot write \(path): \(reason); choose another folder with --out"
        case .machine(let cause, let fix): "\(cause); \(fix)"
        case .cannotExpress(let condition, let engine, let reason):
            "the \(engine) engine does not support \(condition): \(reason)"
        case .programWillNotStart(let reason): reason
        case .unusableEvidence(let path, let reason): "\(path): \(reason)"
        case .failed(let cause): "the lab failed: \(cause)"
        case .origin(let cause): "the origin could not be started: \(cause)"
        }
    }
}

/// Returns Foundation's description of a file error.
package func reasonText(_ error: any Error) -> String { (error as? CocoaError)?.localizedDescription ?? "\(error)" }
