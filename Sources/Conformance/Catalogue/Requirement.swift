package import Record

/// One numbered behaviour with its sources.
package struct Requirement: Hashable, Sendable {
    package enum Level: String, CaseIterable, Hashable, Sendable {
        /// Stated as behaviour.
        case must
        /// Advised, typical or derived.
        case should
        /// A permitted variation.
        case may
        /// No verdict.
        case info
    }
    package enum Testable: String, CaseIterable, Hashable, Sendable { case yes, partly, no }

    /// `CONN-06`
    package var id: String
    /// The part of the catalogue that contains it, such as `Connectivity and waiting`.
    package var area: String
    package var title: String
    package var statement: String
    package var level: Level
    package var basis: Basis
    /// The documents that state it, as text.
    package var sources: [String]
    /// The possibility of testing it on Linux with this lab.
    package var testable: Testable
    package var reason: String
}
