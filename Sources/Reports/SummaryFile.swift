import Conformance
import AdapterProtocol
import Record

/// `summary.json`: a whole run for programs. `version` changes when the meaning of a member changes; new members may
/// appear.
package enum SummaryFile {
    package static let name = "summary.json"

    package static func json(_ suite: SuiteReport) -> String {
        let requirements = RequirementReport(suite).lines.map { line in
            OrderedJSON.object([
                ("id", .string(line.id)), ("title", .text(line.title)), ("status", .string(line.status.rawValue)),
                (
                    "scenarios",
                    .array(
                        line.evidence.map {
                            .object([
                                ("scenario", .string($0.scenario)), ("repetition", .count($0.repetition)),
                                ("outcome", .string($0.outcome)),
                            ])
                        })
                ),
            ])
        }
        let summary = OrderedJSON.object([
            ("crosswind", .string("summary")), ("version", .count(1)), ("asExpected", .bool(suite.isAsExpected)),
            ("started", .string(TimeFormat.timestamp(suite.startedAt) + "Z")),
            ("seconds", .number(TimeFormat.seconds(suite.elapsed))),
            ("evidence", .text(suite.artifactDirectory)), ("counts", counts(suite.counts)),
            (
                "baseline",
                .object([
                    ("expectedFailures", .strings(suite.expectedFailures.map(\.result.header.scenario))),
                    ("unexpectedPasses", .strings(suite.unexpectedPasses.map(\.result.header.scenario))),
                    ("staleLines", .strings(suite.staleBaselineLines)),
                ])
            ),
            (
                "areas",
                .array(
                    suite.areas.map {
                        .object([("area", .string($0.name)), ("counts", counts(OutcomeCounts($0.runs)))])
                    })
            ),
            (
                "bases",
                .array(
                    suite.bases.map {
                        .object([("basis", .string($0.basis.rawValue)), ("counts", counts(OutcomeCounts($0.runs)))])
                    })
            ),
            ("requirements", .array(requirements)), ("runs", .array(suite.runs.map(run))),
        ])
        return summary.written() + "\n"
    }

    private static func counts(_ counts: OutcomeCounts) -> OrderedJSON {
        .object([
            ("total", .count(counts.total)), ("pass", .count(counts.passed)), ("fail", .count(counts.failed)),
            ("unsupported", .count(counts.unsupported)), ("skipped", .count(counts.skipped)),
            ("error", .count(counts.errors)),
        ])
    }

    private static func run(_ run: ReportedRun) -> OrderedJSON {
        let header = run.result.header
        var members: [(String, OrderedJSON)] = [
            ("scenario", .string(header.scenario)), ("file", .string(header.file)), ("title", .string(header.title)),
            ("area", .string(run.area)), ("proves", .strings(header.proves)), ("tags", .strings(run.result.tags)),
            ("adapter", .string(header.adapter)), ("engine", .string(header.engine)),
            // 64 bits, written as text: a reader that parses numbers as doubles would change the value.
            ("seed", .string(String(header.seed))), ("repetition", .count(header.repetition)),
            ("seconds", .number(TimeFormat.seconds(run.result.duration))),
            ("outcome", .string(run.result.outcome.word)),
            ("asExpected", .bool(run.isAsExpected)),
        ]
        if !header.cites.isEmpty { members.append(("cites", .strings(header.cites))) }
        if let report = header.report { members.append(("report", .string(report))) }
        if let basis = header.basis { members.append(("basis", .string(basis.rawValue))) }
        if header.profile != .urlsession { members.append(("profile", .string(header.profile.rawValue))) }
        switch run.baselineStatus {
        case .unlisted: break
        case .otherwise(let listed): members.append(("baselineExpects", .string(listed)))
        case .expected(let reason), .unexpectedPass(let reason):
            members.append(("baselineReason", .string(reason)))
        }
        switch run.result.outcome {
        case .pass: break
        case .fail(let kind, let mismatches):
            members.append(("kind", .string(kind.rawValue)))
            members.append(("mismatches", .array(mismatches.map(mismatch))))
        case .unsupported(let what): members.append(("reason", .string(what)))
        case .skipped(let after): members.append(("dependsOn", .string(after)))
        case .error(let cause): members.append(("reason", .string(cause)))
        }
        if !run.result.notJudged.isEmpty {
            members.append(("notJudged", .array(run.result.notJudged.map(leftOut))))
        }
        members.append(("conditions", .array(run.conditions.map(\.json))))
        members += [("record", .text(run.result.recordFile)), ("capture", .text(run.result.captureFile))]
        return .object(members)
    }

    private static func leftOut(_ check: NotJudged) -> OrderedJSON {
        .object([
            ("check", .string(check.check)), ("line", .count(check.line)), ("reason", .string(check.summary)),
        ])
    }

    private static func mismatch(_ mismatch: Mismatch) -> OrderedJSON {
        .object([
            ("check", .string(mismatch.check)), ("line", mismatch.line.map { .count($0) } ?? .null),
            ("expected", .string(mismatch.expected)), ("found", .string(mismatch.found)),
            ("evidence", .array(mismatch.evidence.map { .count($0) })),
        ])
    }
}
