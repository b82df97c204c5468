import Conformance
import Record

extension MatrixReport {
    /// The value of a cell.
    package enum State: String, CaseIterable, Hashable, Sendable {
        /// Every run passed.
        case right
        /// Every run that was judged failed.
        case wrong
        /// Some scenarios of the behaviour are right, others wrong.
        case partly
        /// The client lacks what the scenario needs.
        case cannot
        /// Repetitions of one scenario ended differently.
        case varies
        /// The run did not take place, or the machine could not judge it.
        case noResult

        package var words: String {
            switch self {
            case .right: "right"
            case .wrong: "wrong"
            case .partly: "partly right"
            case .cannot: "cannot be asked"
            case .varies: "varies"
            case .noResult: "no result"
            }
        }

        /// A sign that differs in shape from the others, so that colour is not the only difference.
        package var sign: String {
            switch self {
            case .right: "✓"
            case .wrong: "✗"
            case .partly: "◐"
            case .cannot: "–"
            case .varies: "≈"
            case .noResult: "?"
            }
        }
    }

    /// One run of a scenario.
    package struct Run: Hashable, Sendable, Decodable {
        /// `pass`, `fail`, `unsupported`, `skipped` or `error`.
        package var outcome: String
        /// The kind of a failure: `wrong`, `crash`, `hang`, `flood` or `violation`.
        package var kind: String?
        /// The page of the run, relative to the folder of the report.
        package var page: String?
        package init(outcome: String, kind: String? = nil, page: String? = nil) {
            self.outcome = outcome
            self.kind = kind
            self.page = page
        }
    }

    /// The result of one client for one scenario.
    package struct Support: Hashable, Sendable, Decodable {
        /// In the order of the repetitions, never empty.
        package var runs: [Run]
        /// The first finding of the first run that did not pass.
        package var found: String?
        /// A person's explanation, from the client's baseline.
        package var note: String?
        /// False if the client's baseline does not list what happened.
        package var asExpected: Bool
        /// The number of the scenario's checks that the client or the profile leaves out; nil for none.
        package var notJudged: Int?
        package init(
            runs: [Run], found: String? = nil, note: String? = nil, asExpected: Bool = true, notJudged: Int? = nil
        ) {
            self.notJudged = notJudged
            self.runs = runs
            self.found = found
            self.note = note
            self.asExpected = asExpected
        }

        /// Summarises the repetitions of one scenario; `page` returns the page of a run, if one was written.
        package init(_ reported: [ReportedRun], page: (ReportedRun) -> String?) {
            let ordered = reported.sorted { $0.result.header.repetition < $1.result.header.repetition }
            runs = ordered.map { run in
                Run(outcome: run.result.outcome.word, kind: run.result.outcome.kindName, page: page(run))
            }
            found = ordered.lazy.compactMap(\.firstFinding).first
            note =
                ordered.lazy.compactMap { run in
                    if case .expected(let reason) = run.baselineStatus { reason } else { nil }
                }.first
            asExpected = ordered.allSatisfy(\.isAsExpected)
            let left = ordered.map(\.result.notJudged.count).max() ?? 0
            notJudged = left > 0 ? left : nil
        }

        /// The value of the cell. An outcome is never made better by a repetition: passes and failures together vary, and
        /// a pass beside a run that could not be judged leaves the scenario without a result.
        package var state: State {
            let judged = Set(runs.map(\.outcome)).intersection(["pass", "fail", "unsupported"])
            if judged.count > 1 { return .varies }
            switch judged.first {
            case "fail": return .wrong
            case "pass" where runs.allSatisfy { $0.outcome == "pass" }: return .right
            case "unsupported" where runs.allSatisfy { $0.outcome == "unsupported" }: return .cannot
            default: return .noResult
            }
        }
    }

    /// The cell of a behaviour: the states of its scenarios together.
    package struct Cell: Hashable, Sendable {
        package var state: State
        /// The number of scenarios that are right.
        package var right: Int
        /// The number of scenarios with a judgement: right, wrong or varying.
        package var asked: Int
        package var total: Int

        /// A failure takes precedence, then a varying result, then a missing one; scenarios that cannot be asked count
        /// only if no other is left.
        package init(_ states: [State]) {
            func count(_ state: State) -> Int { states.count { $0 == state } }
            (right, total) = (count(.right), states.count)
            asked = right + count(.wrong) + count(.partly) + count(.varies)
            if asked > 0, count(.wrong) == asked {
                state = .wrong
            } else if count(.wrong) + count(.partly) > 0 {
                state = .partly
            } else if count(.varies) > 0 {
                state = .varies
            } else if count(.noResult) > 0 || states.isEmpty {
                state = .noResult
            } else {
                state = right > 0 ? .right : .cannot
            }
        }
    }

    /// Returns the state of one scenario for one client.
    package func state(of scenario: Scenario, _ client: String) -> State {
        scenario.support[client]?.state ?? .noResult
    }

    /// Returns the cell of one behaviour for one client.
    package func cell(of behaviour: Behaviour, _ client: String) -> Cell {
        let own = Set(behaviour.scenarios)
        return Cell(scenarios.filter { own.contains($0.id) }.map { state(of: $0, client) })
    }

    /// The number of behaviours in each state for one client.
    package func counts(of client: String) -> [State: Int] {
        behaviours.reduce(into: [:]) { counts, behaviour in counts[cell(of: behaviour, client).state, default: 0] += 1 }
    }

    /// The pages of the runs, relative to the folder of the report.
    package var pages: [String] {
        let paths = scenarios.flatMap { $0.support.values.flatMap { $0.runs.compactMap(\.page) } }
        return paths.filter { path in !path.hasPrefix("/") && !path.split(separator: "/").contains("..") }.sorted()
    }

    /// Returns the day of a time in UTC, such as `2026-11-23`.
    package static func day(_ secondsSince1970: Int64) -> String {
        String(TimeFormat.timestamp(secondsSince1970).prefix(10))
    }

    /// The results that no baseline lists, as `client: scenario`.
    package var unexpected: [String] {
        clients.flatMap { client in
            scenarios.filter { $0.support[client.id]?.asExpected == false }.map { "\(client.id): \($0.id)" }
        }
    }
}

extension ReportedRun {
    /// The reason of an outcome other than a pass in one line.
    fileprivate var firstFinding: String? {
        let text: String
        switch result.outcome {
        case .pass: return nil
        case .fail(let kind, let mismatches):
            text =
                mismatches.first.map { "\($0.check): expected \($0.expected); found \($0.found)" } ?? "\(kind.rawValue)"
        case .unsupported(let reason): text = reason
        case .skipped(let after): text = "not run, because \(after) did not pass"
        case .error(let cause): text = cause
        }
        return TerminalSanitizer.text(text, limit: 240)
    }
}
