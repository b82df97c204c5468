import Foundation
import TransferDaemon

/// A daemon with one deliberate defect: one policy value differs from the correct daemon's. The suite must detect it
/// with a scenario that proves the broken requirement.
struct DaemonMutant: Sendable {
    var name: String
    /// The ids of the broken requirements.
    var breaks: [String]
    /// The defect, as a phrase.
    var what: String
    var change: @Sendable (inout DaemonPolicies) -> Void

    init(_ name: String, breaks: [String], _ what: String, change: @escaping @Sendable (inout DaemonPolicies) -> Void) {
        self.name = "daemon-\(name)"
        self.breaks = breaks
        self.what = what
        self.change = change
    }

    static let all = scheduling + retrying + launching + delivering + accepting

    /// The mutant as one JSON object, as `crosswind mutants` reads it.
    var line: String {
        get throws {
            struct Line: Encodable {
                var name: String
                var breaks: [String]
                var what: String
            }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let line = try encoder.encode(Line(name: name, breaks: breaks, what: what))
            return String(decoding: line, as: UTF8.self)
        }
    }
}
