package import Conformance
import Record
package import ScenarioLanguage

/// The results of many clients for the same scenarios, or of one shard of them, as `matrix.json` holds them. A shard
/// describes the whole matrix and holds the results of its part. scripts/clients/MATRIX.md describes the file.
package struct MatrixReport: Hashable, Sendable, Decodable {
    /// A column of the table.
    package struct Client: Hashable, Sendable, Decodable {
        /// The name of its folder.
        package var id: String
        /// For readers.
        package var name: String
        package var language: String
        /// The version that was run; nil for a client that is not installed.
        package var version: String?
        /// The day of the runs in UTC, such as `2026-11-23`.
        package var date: String?
        /// The reason why it was not run.
        package var missing: String?
        package init(
            id: String, name: String, language: String, version: String? = nil, date: String? = nil,
            missing: String? = nil
        ) {
            self.id = id
            self.name = name
            self.language = language
            self.version = version
            self.date = date
            self.missing = missing
        }
    }

    /// A row of the table: a requirement, or the scenarios of a folder that belong to none.
    package struct Behaviour: Hashable, Sendable, Decodable {
        package var id: String
        package var area: String
        package var title: String
        /// One sentence for readers.
        package var statement: String
        /// `must`, `should` or `may`; nil for the scenarios of a folder.
        package var level: String?
        /// `rfc`, `fetch`, `urlsession` or `policy`; nil for the scenarios of a folder.
        package var basis: String?
        package var sources: [Source]
        /// The ids of its scenarios.
        package var scenarios: [String]
        package init(
            id: String, area: String, title: String, statement: String, level: String? = nil, basis: String? = nil,
            sources: [Source] = [], scenarios: [String]
        ) {
            self.id = id
            self.area = area
            self.title = title
            self.statement = statement
            self.level = level
            self.basis = basis
            self.sources = sources
            self.scenarios = scenarios
        }
    }

    /// A section of a document.
    package struct Source: Hashable, Sendable, Decodable {
        /// Such as `RFC 9110 §15.4`.
        package var text: String
        package var url: String?

        /// Reads a source of the catalogue; a quotation after a colon is left out.
        package init(_ source: String) {
            let cited = source.prefix { $0 != ":" }
            text = String(cited)
            let words = cited.split(separator: " ")
            let section = words.last.flatMap { $0.hasPrefix("§") ? String($0.dropFirst()) : nil }
            if words.count >= 2, words[0] == "RFC", !words[1].isEmpty, words[1].allSatisfy(\.isNumber) {
                // The editor's pages name a section `section-15.4` and an appendix `appendix-A.1`.
                let anchor = section.map { ($0.first?.isNumber == true ? "#section-" : "#appendix-") + $0 }
                url = "https://www.rfc-editor.org/rfc/rfc\(words[1]).html\(anchor ?? "")"
            } else if words.first == "Fetch" {
                url = "https://fetch.spec.whatwg.org/"
            } else if let draft = words.first, draft.hasPrefix("draft-") {
                url = "https://datatracker.ietf.org/doc/html/\(draft)" + (section.map { "#section-" + $0 } ?? "")
            }
        }
    }

    /// A sub-row of the table.
    package struct Scenario: Hashable, Sendable, Decodable {
        package var id: String
        package var title: String
        /// The results by client. A client without one was not asked.
        package var support: [String: Support]
        package init(id: String, title: String, support: [String: Support] = [:]) {
            self.id = id
            self.title = title
            self.support = support
        }
    }

    private enum CodingKeys: String, CodingKey {
        case profile, seed, repetitions, part, of, clients, behaviours, scenarios
        case isComplete = "complete"
    }

    package static let name = "matrix.json"
    package static let page = "matrix.html"
    package static let currentVersion = 1

    package var profile: String
    /// Text, because many readers of JSON keep fewer than 64 bits.
    package var seed: String
    /// The number of runs of a scenario that did not pass at once.
    package var repetitions: Int
    package var part: Int
    package var of: Int
    /// False after Ctrl-C.
    package var isComplete: Bool
    /// In the order of the columns.
    package var clients: [Client]
    /// In the order of the rows.
    package var behaviours: [Behaviour]
    package var scenarios: [Scenario]

    package init(
        profile: String, seed: UInt64, repetitions: Int, part: Int = 1, of: Int = 1, isComplete: Bool = true,
        clients: [Client], behaviours: [Behaviour], scenarios: [Scenario]
    ) {
        self.profile = profile
        self.seed = String(seed)
        self.repetitions = repetitions
        self.part = part
        self.of = of
        self.isComplete = isComplete
        self.clients = clients
        self.behaviours = behaviours
        self.scenarios = scenarios
    }

    /// Returns the rows for these scenarios: the requirements they prove, in the order of the catalogue, then one row for
    /// each folder with scenarios that prove none of them.
    package static func behaviours(
        of scenarios: [ScenarioLanguage.Scenario], in requirements: [Requirement]
    ) -> [Behaviour] {
        var rows = requirements.compactMap { requirement -> Behaviour? in
            let own = scenarios.filter { $0.proves.contains(requirement.id) }.map(\.id)
            guard !own.isEmpty else { return nil }
            var sources: [Source] = []
            for source in requirement.sources.map(Source.init) where !sources.contains(source) {
                sources.append(source)
            }
            return Behaviour(
                id: requirement.id, area: requirement.area, title: requirement.title,
                statement: requirement.statement, level: requirement.level.rawValue,
                basis: requirement.basis.rawValue, sources: sources, scenarios: own)
        }
        let ids = Set(requirements.map(\.id))
        let others = Dictionary(grouping: scenarios.filter { ids.isDisjoint(with: $0.proves) }) { scenario in
            scenario.id.split(separator: "/").dropLast().joined(separator: "/")
        }
        rows += others.sorted { $0.key < $1.key }.map { folder, own in
            Behaviour(
                id: "scenarios/\(folder)", area: "Other scenarios", title: folder.isEmpty ? "scenarios" : folder,
                statement: "Scenarios that belong to none of the requirements above.", scenarios: own.map(\.id))
        }
        return rows
    }

    // MARK: - Shards

    /// Joins the parts of one matrix, given with their files, into the report of the whole.
    package static func merging(_ parts: [(file: String, report: MatrixReport)]) throws(ShardError<MatrixReport>)
        -> MatrixReport
    {
        let first = try Self.whole(parts)
        var whole = first.report
        (whole.part, whole.of) = (1, 1)
        for (file, report) in parts {
            for (index, client) in report.clients.enumerated() {
                let known = whole.clients[index]
                guard client.version == known.version, client.missing == known.missing else {
                    throw .differentClients(
                        first.file, known.version ?? "none", file, client.version ?? "none", client: client.id)
                }
                if let date = client.date { whole.clients[index].date = min(date, known.date ?? date) }
            }
            for (index, scenario) in report.scenarios.enumerated() {
                whole.scenarios[index].support.merge(scenario.support) { first, _ in first }
            }
        }
        return whole
    }

    /// The report without results: shards of one matrix agree in all of it.
    private var plan: MatrixReport {
        var plan = self
        plan.part = 1
        plan.isComplete = true
        for index in plan.clients.indices {
            plan.clients[index].version = nil
            plan.clients[index].date = nil
            plan.clients[index].missing = nil
        }
        for index in plan.scenarios.indices { plan.scenarios[index].support = [:] }
        return plan
    }
}

extension MatrixReport: ShardedReport {
    package static let noun = "matrix"
    package static let agreement = "matrices: clients, scenarios, profile and seed"

    package func belongs(with other: MatrixReport) -> Bool { plan == other.plan }
}

extension MatrixReport {
    /// The numbers of behaviours for each client, for the console.
    package var lines: [String] {
        let states: [State] = [.right, .partly, .wrong, .varies, .cannot, .noResult]
        let rows = clients.map { client in
            let counts = counts(of: client.id)
            return [
                TerminalSanitizer.text(client.name, limit: 40),
                TerminalSanitizer.text(client.version ?? "not installed", limit: 30),
            ]
                + states.map { "\(counts[$0] ?? 0)" }
        }
        return TextTable([["client", "version"] + states.map(\.words)] + rows, rightAligned: Set(2..<2 + states.count))
            .lines
    }
}
