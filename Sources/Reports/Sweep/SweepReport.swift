import FoundationEssentials

/// The results of a sweep, or of one shard of it, as `sweep.json` holds them.
package struct SweepReport: Codable, Hashable, Sendable {
    /// The options of a sweep; shards of one sweep agree in all of them.
    package struct Plan: Codable, Hashable, Sendable {
        package struct Source: Codable, Hashable, Sendable {
            package var scenario: String
            /// The checksum of the file, in hexadecimal digits.
            package var checksum: String
            package init(scenario: String, checksum: String) {
                self.scenario = scenario
                self.checksum = checksum
            }
        }
        package var scenarios: [Source]
        package var adapter: String
        package var faults: [String]
        /// nil: every phase.
        package var phases: [String]?
        package var everyByte: Bool
        package var limit: Int?
        package var random: Int?
        /// Text, because many readers of JSON keep fewer than 64 bits.
        package var seed: String
        package init(
            scenarios: [Source], adapter: String, faults: [String], phases: [String]?, everyByte: Bool, limit: Int?,
            random: Int?, seed: UInt64
        ) {
            self.scenarios = scenarios
            self.adapter = adapter
            self.faults = faults
            self.phases = phases
            self.everyByte = everyByte
            self.limit = limit
            self.random = random
            self.seed = String(seed)
        }
    }

    package enum Verdict: String, Codable, CaseIterable, Hashable, Sendable { case pass, fail, missed, error }

    package struct Case: Codable, Hashable, Sendable {
        package var id: String
        package var scenario: String
        /// One fault, with the phase and the point of each; several for a random case.
        package var faults: [String]
        package var phases: [String]
        package var points: [String]
        package var verdict: Verdict
        /// The kind of a failure, which groups failures of one cause; the reason of an error.
        package var kind: String?
        package var expected: String?
        package var found: String?
        /// The scenario file that repeats a failure, relative to the folder of the report; in the report of joined shards,
        /// as the shards were given.
        package var file: String?
        package init(
            id: String, scenario: String, faults: [String], phases: [String], points: [String], verdict: Verdict
        ) {
            self.id = id
            self.scenario = scenario
            self.faults = faults
            self.phases = phases
            self.points = points
            self.verdict = verdict
        }
    }

    package static let name = "sweep.json"
    package static let currentVersion = 1

    package var version = SweepReport.currentVersion
    package var plan: Plan
    package var part: Int
    package var of: Int
    /// False after Ctrl-C.
    package var isComplete: Bool
    package var seconds: Double
    /// Scenarios that could not be swept, with the reason.
    package var leftOut: [String]
    /// In the order of their ids.
    package var cases: [Case]

    package init(
        plan: Plan, part: Int = 1, of: Int = 1, isComplete: Bool = true, seconds: Double = 0, leftOut: [String] = [],
        cases: [Case]
    ) {
        self.plan = plan
        self.part = part
        self.of = of
        self.isComplete = isComplete
        self.seconds = seconds
        self.leftOut = leftOut
        self.cases = cases.sorted { $0.id < $1.id }
    }

    package func count(_ verdict: Verdict) -> Int { cases.count { $0.verdict == verdict } }

    // MARK: - The file

    package var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(self) else { preconditionFailure("plain values are always JSON") }
        return String(decoding: data, as: UTF8.self) + "\n"
    }

    package static func read(_ bytes: [UInt8], file: String) throws(ShardError<SweepReport>) -> SweepReport {
        struct Versioned: Decodable { var version: Int }
        let decoder = JSONDecoder()
        guard let found = try? decoder.decode(Versioned.self, from: Data(bytes)) else { throw .unreadable(file) }
        guard found.version == currentVersion else { throw .wrongVersion(file, found: found.version) }
        guard let report = try? decoder.decode(SweepReport.self, from: Data(bytes)) else { throw .unreadable(file) }
        return report
    }

    // MARK: - Shards

    /// Joins the parts of one sweep, given with their files, into the report of the whole.
    package static func merging(_ parts: [(file: String, report: SweepReport)]) throws(ShardError<SweepReport>)
        -> SweepReport
    {
        let first = try whole(parts)
        var leftOut: [String] = []
        for (_, report) in parts { for line in report.leftOut where !leftOut.contains(line) { leftOut.append(line) } }
        return SweepReport(
            plan: first.report.plan, seconds: parts.reduce(0) { $0 + $1.report.seconds }, leftOut: leftOut,
            cases: parts.flatMap { part in
                let folder = part.file.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
                    separator: "/")
                return part.report.cases.map { item in
                    var moved = item
                    if let file = item.file, !file.hasPrefix("/"), !folder.isEmpty { moved.file = "\(folder)/\(file)" }
                    return moved
                }
            })
    }

    // MARK: - Failures

    /// The failures of one kind, with the smallest case among them.
    package struct FailureGroup: Hashable, Sendable {
        package var kind: String
        package var count: Int
        package var smallest: Case
    }

    /// The kinds of failure, the most frequent first.
    package var failures: [FailureGroup] {
        let failed = cases.filter { $0.verdict == .fail }
        return Dictionary(grouping: failed) { $0.kind ?? "" }.compactMap { kind, cases in
            // The fewest faults, then the shortest description: an early byte, request or packet.
            let smallest = cases.min {
                ($0.faults.count, $0.points.joined().count, $0.id) < ($1.faults.count, $1.points.joined().count, $1.id)
            }
            return smallest.map { FailureGroup(kind: kind, count: cases.count, smallest: $0) }
        }.sorted { $0.count != $1.count ? $0.count > $1.count : $0.kind < $1.kind }
    }

    // MARK: - The table

    package struct Cell: Hashable, Sendable {
        package var passed = 0
        package var failed = 0
        package var missed = 0
        package var errors = 0
        package var total: Int { passed + failed + missed + errors }
    }

    /// The faults and phases that occur, in the order of the program's lists.
    package var rows: [String] { plan.faults.filter { fault in cases.contains { $0.faults.contains(fault) } } }

    package func columns(_ order: [String]) -> [String] {
        order.filter { phase in cases.contains { $0.phases.contains(phase) } }
    }

    /// Returns the counts of the cases with this fault in this phase; a random case counts in each cell of its faults.
    package func cell(_ fault: String, _ phase: String) -> Cell {
        var cell = Cell()
        for item in cases where zip(item.faults, item.phases).contains(where: { $0 == (fault, phase) }) {
            switch item.verdict {
            case .pass: cell.passed += 1
            case .fail: cell.failed += 1
            case .missed: cell.missed += 1
            case .error: cell.errors += 1
            }
        }
        return cell
    }
}

extension SweepReport: ShardedReport {
    package static let noun = "sweep"
    package static let agreement = "sweeps: scenarios, options and seed"

    package func belongs(with other: SweepReport) -> Bool { plan == other.plan && of == other.of }
}
