import AdapterProtocol
import Conformance
import Record

/// The earlier runs that wrote to the same folder of pages, oldest first: one line of JSON for each in `history.jsonl`.
package struct RunHistory: Hashable, Sendable {
    package struct Suite: Hashable, Sendable {
        package var startedAt: Int64
        package var milliseconds: Int64
        package var adapters: [String]
        package var isAsExpected: Bool
        /// The scenarios by the word of their outcome. A scenario whose repetitions differ is listed under each.
        package var outcomes: [String: [String]]
    }

    package static let file = "history.jsonl"
    fileprivate static let version: Int64 = 1
    /// Maximum number of runs that are kept.
    package static let most = 20

    package private(set) var suites: [Suite]

    package init(_ suites: [Suite] = []) { self.suites = suites.suffix(RunHistory.most) }

    /// Reads the lines of a history file. Lines of other versions and damaged ones are left out, because a history must
    /// not prevent a report.
    package init(text: String) {
        self.init(text.split(separator: "\n").compactMap { Suite(line: Array($0.utf8)) })
    }

    package var text: String { suites.map { $0.line + "\n" }.joined() }

    /// Returns the history with this run at its end.
    package func adding(_ suite: SuiteReport) -> RunHistory { RunHistory(suites + [Suite(suite)]) }

    /// A letter for each run, oldest first, by scenario: it passed (p), failed (f), was unsupported (u), skipped (s), an
    /// error (e), or did not run (-).
    var letters: [String: String] {
        var letters: [String: String] = [:]
        for (number, suite) in suites.enumerated() {
            // The worst outcome of a scenario's repetitions comes first and counts.
            for word in RunHistory.words {
                for scenario in suite.outcomes[word] ?? [] {
                    let known = letters[scenario] ?? ""
                    guard known.count <= number, let letter = word.first else { continue }
                    letters[scenario] = known + String(repeating: "-", count: number - known.count) + String(letter)
                }
            }
        }
        return letters.mapValues { $0 + String(repeating: "-", count: suites.count - $0.count) }
    }

    fileprivate static let words = ["error", "fail", "skipped", "unsupported", "pass"]
}

extension RunHistory.Suite {
    init(_ suite: SuiteReport) {
        startedAt = suite.startedAt
        let (seconds, attoseconds) = suite.elapsed.components
        milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        adapters = Set(suite.runs.map(\.result.header.adapter)).sorted()
        isAsExpected = suite.isAsExpected
        outcomes = Dictionary(grouping: suite.runs, by: \.result.outcome.word).mapValues { runs in
            Set(runs.map(\.result.header.scenario)).sorted()
        }
    }

    fileprivate init?(line: [UInt8]) {
        guard let fields = JSONValue.parse(line)?.object, fields["v"]?.integer == RunHistory.version,
            let startedAt = fields["started"]?.integer, let milliseconds = fields["milliseconds"]?.integer,
            let isAsExpected = fields["asExpected"]?.boolean
        else { return nil }
        self.startedAt = startedAt
        self.milliseconds = milliseconds
        self.isAsExpected = isAsExpected
        adapters = fields["adapters"]?.list?.compactMap(\.text) ?? []
        outcomes = [:]
        for word in RunHistory.words {
            if let names = fields[word]?.list?.compactMap(\.text), !names.isEmpty { outcomes[word] = names }
        }
    }

    fileprivate var line: String {
        var object = JSONObject().with("v", RunHistory.version).with("started", startedAt).with(
            "milliseconds", milliseconds
        )
        .with("adapters", adapters).with("asExpected", isAsExpected)
        for (word, names) in outcomes { object = object.with(word, names) }
        return object.line
    }

    func count(_ word: String) -> Int { outcomes[word]?.count ?? 0 }
}
