import Foundation
import NetworkMonitor

/// The reason why a lab cannot be built or changed; each case names the cause and the fix.
package enum LabError: Error, Hashable, CustomStringConvertible {
    /// `option` is the option that chooses another place.
    case cannotWrite(path: String, reason: String, option: String = "--out")
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
        case .cannotWrite(let path, let reason, let option):
            "cannot write \(path.isEmpty ? "to a path without a name" : path): \(reason); choose another place with \(option)"
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

/// Returns the system's text for a file error, such as "No space left on device". Foundation's own text is "The operation
/// could not be completed. (NSCocoaErrorDomain error 512.)" for a folder in place of a file.
package func reasonText(_ error: any Error) -> String {
    guard let error = error as? CocoaError else { return "\(error)" }
    if let number = (error.underlying as? POSIXError)?.code.rawValue { return SystemCallError.text(of: number) }
    if let number = (error.underlying as? NSError)?.code { return SystemCallError.text(of: Int32(number)) }
    return error.localizedDescription
}
