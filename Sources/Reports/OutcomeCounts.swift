import Conformance
package import Record

/// The number of runs for each outcome.
package struct OutcomeCounts: Hashable, Sendable {
    package private(set) var passed = 0
    package private(set) var failed = 0
    package private(set) var unsupported = 0
    package private(set) var skipped = 0
    package private(set) var errors = 0
    package init() {}
    package init(_ runs: some Sequence<ReportedRun>) {
        for run in runs { add(run.result.outcome) }
    }

    package var total: Int { passed + failed + unsupported + skipped + errors }

    package mutating func add(_ outcome: Outcome) {
        switch outcome {
        case .pass: passed += 1
        case .fail: failed += 1
        case .unsupported: unsupported += 1
        case .skipped: skipped += 1
        case .error: errors += 1
        }
    }
}
