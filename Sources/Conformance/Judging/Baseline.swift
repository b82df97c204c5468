package import Record
package import ScenarioLanguage
internal import Yams

/// The known deviations of one adapter, each with its reason.
package struct Baseline: Hashable, Sendable {
    package struct Line: Hashable, Sendable {
        /// Its id; `*` is a race of the client that may crash it in any scenario.
        package var scenario: String
        /// The outcome in one word: fail, unsupported, … `varies` is a failure that a race decides.
        package var outcome: String
        /// wrong, crash, hang, flood or violation; nil allows any kind of failure.
        package var kind: String?
        /// The checks and invariants that may fail; empty allows any.
        package var checks: [String] = []
        /// A part of what a failed check found; nil allows anything.
        package var found: String?
        package var reason: String
        package var line: Int

        fileprivate func allows(_ result: Outcome) -> Bool {
            guard (outcome == "varies" ? "fail" : outcome) == result.word, kind == nil || kind == result.kindName else {
                return false
            }
            guard case .fail(_, let mismatches) = result else { return true }
            return (checks.isEmpty || mismatches.allSatisfy { checks.contains($0.check) })
                && (found.map { part in mismatches.contains { $0.found.contains(part) } } ?? true)
        }

        /// For example `fail (wrong) of completes, response that found "404"`.
        fileprivate var expectation: String {
            outcome + (kind.map { " (\($0))" } ?? "") + (checks.isEmpty ? "" : " of " + checks.joined(separator: ", "))
                + (found.map { " that found \"\($0)\"" } ?? "")
        }
    }

    package var lines: [Line]
    package static let empty = Baseline(lines: [])

    package init(lines: [Line]) { self.lines = lines }

    /// The relation of a result to the baseline.
    package enum BaselineStatus: Hashable, Sendable {
        case unlisted
        case expected(reason: String)
        case unexpectedPass(reason: String)
        /// Listed with a different outcome.
        case otherwise(listed: String)
    }

    package func status(of result: RunResult) -> BaselineStatus {
        if let line = line(allowing: result.outcome, of: result.header.scenario) {
            return .expected(reason: line.reason)
        }
        guard let line = line(of: result.header.scenario) else { return .unlisted }
        if case .pass = result.outcome {
            // A failure need not show on every network, and one that varies not in every run.
            let mustFail = line.outcome != "varies" && line.scenario == result.header.scenario
            return mustFail ? .unexpectedPass(reason: line.reason) : .unlisted
        }
        return .otherwise(listed: line.expectation)
    }

    /// Returns true if a line lists this outcome of the scenario.
    func lists(_ outcome: Outcome, of scenario: String) -> Bool {
        line(allowing: outcome, of: scenario) != nil
    }

    private func line(allowing outcome: Outcome, of scenario: String) -> Line? {
        if let line = line(of: scenario), line.allows(outcome) { return line }
        return lines.first { $0.scenario == Self.anyScenario && $0.allows(outcome) }
    }

    /// Returns the line of this id; without one, the line of the same row on no network, or of the scenario itself.
    private func line(of scenario: String) -> Line? {
        var id = VariantID(scenario)
        var ids = [scenario]
        id.network = nil
        ids.append(id.description)
        ids.append(id.base)
        return ids.lazy.compactMap { id in lines.first { $0.scenario == id } }.first
    }

    /// Returns the lines whose scenario is not one of these. A line of a network on which none of them runs is kept,
    /// unless its scenario does not exist.
    package func stale(among scenarios: Set<String>) -> [Line] {
        let known = scenarios.map { VariantID($0) }
        let networks = Set(known.compactMap(\.network))
        return lines.filter { line in
            let id = VariantID(line.scenario)
            let runs = known.filter { $0.base == id.base && (id.row == nil || $0.row == id.row) }
            if scenarios.contains(line.scenario) || line.scenario == Self.anyScenario { return false }
            return runs.isEmpty || id.network.map(networks.contains) ?? false
        }
    }
}

extension Outcome {
    /// The kind of failure in one word; nil for other outcomes.
    package var kindName: String? {
        if case .fail(let kind, _) = self { kind.rawValue } else { nil }
    }
}

extension Baseline {
    private static let anyScenario = "*"
    private static let keys = ["scenario", "outcome", "kind", "check", "found", "reason"]

    /// Reads a list of `{ scenario, outcome, kind, check, found, reason }`.
    package static func read(file: String, text: String) throws(ScenarioError) -> Baseline {
        func wrong(_ node: Node?, _ message: String) -> ScenarioError {
            ScenarioError(at: Place(file: file, line: node?.mark?.line ?? 1, column: node?.mark?.column ?? 1), message)
        }
        let root: Node?
        do { root = try compose(yaml: text) } catch { throw wrong(nil, "the baseline is not valid YAML: \(error)") }
        guard let root else { return .empty }
        guard let items = root.sequence else {
            throw wrong(root, "a baseline is a list of { \(keys.joined(separator: ", ")) }")
        }
        var lines: [Line] = []
        for item in items {
            guard let mapping = item.mapping else {
                throw wrong(item, "each entry is { \(keys.joined(separator: ", ")) }")
            }
            for (key, _) in mapping where !keys.contains(key.string ?? "") {
                let allowed = keys.joined(separator: ", ")
                throw wrong(key, "`\(key.string ?? "?")` is not allowed; allowed are \(allowed)")
            }
            guard let scenario = mapping["scenario"]?.string else { throw wrong(item, "`scenario` is missing") }
            let outcomes = ["fail", "varies", "unsupported", "skipped"]
            guard let outcome = mapping["outcome"]?.string, outcomes.contains(outcome) else {
                throw wrong(mapping["outcome"] ?? item, "`outcome` must be fail, varies, unsupported or skipped")
            }
            let kind = mapping["kind"]?.string
            if let kind, Outcome.FailureKind(rawValue: kind) == nil || !["fail", "varies"].contains(outcome) {
                throw wrong(
                    mapping["kind"],
                    "`kind` is allowed beside fail and varies only, and is one of wrong, crash, hang, flood, violation")
            }
            for key in ["check", "found"] where mapping[key] != nil && !["fail", "varies"].contains(outcome) {
                throw wrong(mapping[key], "`\(key)` is allowed beside fail and varies only")
            }
            let checks = mapping["check"].map { node in node.sequence.map(Array.init) ?? [node] } ?? []
            guard checks.allSatisfy({ $0.string?.isEmpty == false }), mapping["check"] == nil || !checks.isEmpty else {
                throw wrong(mapping["check"], "`check` is the name of a check, or a list of names")
            }
            let found = mapping["found"]?.string
            if mapping["found"] != nil, found?.isEmpty != false {
                throw wrong(mapping["found"], "`found` is a part of what the check found, as text")
            }
            if scenario == anyScenario, outcome != "varies" || kind != "crash" || found == nil {
                throw wrong(
                    mapping["scenario"],
                    "`scenario: \"*\"` is allowed with `outcome: varies`, `kind: crash` and `found` only: a crash that a race of the client decides"
                )
            }
            guard let reason = mapping["reason"]?.string, !reason.allSatisfy(\.isWhitespace) else {
                throw wrong(item, "every entry needs a `reason`")
            }
            if lines.contains(where: { $0.scenario == scenario && (scenario != anyScenario || $0.found == found) }) {
                throw wrong(item, "\(scenario) is listed twice")
            }
            lines.append(
                Line(
                    scenario: scenario, outcome: outcome, kind: kind, checks: checks.compactMap(\.string), found: found,
                    reason: reason, line: item.mark?.line ?? 1))
        }
        return Baseline(lines: lines)
    }
}
