/// The reason why a sweep, a shrinking or a merge cannot be done.
package enum SweepError: Error, Hashable, CustomStringConvertible {
    /// The scenario cannot be swept or shrunk, for this reason.
    case unusable(String)
    /// None of the scenarios can be swept; the reasons by scenario.
    case nothingToInject([String])
    case unknownFault(String, known: [String])
    case unknownPhase(String, known: [String])
    /// The shard is not one.
    case shard(String)
    /// The scenario to shrink does not fail, or differently each time.
    case doesNotFail(String)

    package var description: String {
        switch self {
        case .unusable(let reason): reason
        case .nothingToInject(let reasons):
            "there is nothing to inject a fault into: " + reasons.joined(separator: "; ")
        case .unknownFault(let name, let known): "unknown fault `\(name)`; choose from \(known.joined(separator: ", "))"
        case .unknownPhase(let name, let known): "unknown phase `\(name)`; choose from \(known.joined(separator: ", "))"
        case .shard(let reason): reason
        case .doesNotFail(let outcome): "there is nothing to shrink: the scenario \(outcome)"
        }
    }
}
