import AdapterProtocol
import FoundationEssentials

extension MatrixReport {
    package static func read(_ bytes: [UInt8], file: String) throws(ShardError<MatrixReport>) -> MatrixReport {
        struct Header: Decodable {
            var crosswind: String
            var version: Int
        }
        let decoder = JSONDecoder()
        guard let header = try? decoder.decode(Header.self, from: Data(bytes)), header.crosswind == "matrix" else {
            throw .unreadable(file)
        }
        guard header.version == currentVersion else { throw .wrongVersion(file, found: header.version) }
        guard let report = try? decoder.decode(MatrixReport.self, from: Data(bytes)) else { throw .unreadable(file) }
        return report
    }

    /// The text of `matrix.json`. States are written for its readers and computed again when it is read.
    package var json: String {
        let text = OrderedJSON.object([
            ("crosswind", .string("matrix")), ("version", .count(MatrixReport.currentVersion)),
            ("profile", .string(profile)), ("seed", .string(seed)), ("repetitions", .count(repetitions)),
            ("part", .count(part)), ("of", .count(of)), ("complete", .bool(isComplete)),
            ("clients", .array(clients.map(json))), ("behaviours", .array(behaviours.map(json))),
            ("scenarios", .array(scenarios.map(json))),
        ])
        return text.written() + "\n"
    }

    private func json(_ client: Client) -> OrderedJSON {
        let counts = counts(of: client.id)
        var members: [(String, OrderedJSON)] = [
            ("id", .string(client.id)), ("name", .string(client.name)), ("language", .string(client.language)),
        ]
        if let version = client.version { members.append(("version", .string(version))) }
        if let date = client.date { members.append(("date", .string(date))) }
        if let missing = client.missing { members.append(("missing", .string(missing))) }
        members.append(("counts", .object(State.allCases.map { ($0.rawValue, .count(counts[$0] ?? 0)) })))
        return .object(members)
    }

    private func json(_ behaviour: Behaviour) -> OrderedJSON {
        var members: [(String, OrderedJSON)] = [
            ("id", .string(behaviour.id)), ("area", .string(behaviour.area)), ("title", .string(behaviour.title)),
            ("statement", .string(behaviour.statement)),
        ]
        if let level = behaviour.level { members.append(("level", .string(level))) }
        if let basis = behaviour.basis { members.append(("basis", .string(basis))) }
        let support = clients.map { client -> (String, OrderedJSON) in
            let cell = cell(of: behaviour, client.id)
            return (
                client.id,
                .object([
                    ("state", .string(cell.state.rawValue)), ("right", .count(cell.right)),
                    ("asked", .count(cell.asked)), ("of", .count(cell.total)),
                ])
            )
        }
        members += [
            (
                "sources",
                .array(
                    behaviour.sources.map { source in
                        .object(
                            [("text", .string(source.text))] + (source.url.map { [("url", .string($0))] } ?? []))
                    })
            ), ("scenarios", .strings(behaviour.scenarios)), ("support", .object(support)),
        ]
        return .object(members)
    }

    private func json(_ scenario: Scenario) -> OrderedJSON {
        let support = clients.compactMap { client in scenario.support[client.id].map { (client.id, json($0)) } }
        return .object([
            ("id", .string(scenario.id)), ("title", .string(scenario.title)), ("support", .object(support)),
        ])
    }

    private func json(_ support: Support) -> OrderedJSON {
        let runs = support.runs.map { run in
            var members = [("outcome", OrderedJSON.string(run.outcome))]
            if let kind = run.kind { members.append(("kind", .string(kind))) }
            if let page = run.page { members.append(("page", .string(page))) }
            return OrderedJSON.object(members)
        }
        var members: [(String, OrderedJSON)] = [
            ("state", .string(support.state.rawValue)), ("asExpected", .bool(support.asExpected)),
            ("runs", .array(runs)),
        ]
        if let notJudged = support.notJudged { members.append(("notJudged", .count(notJudged))) }
        if let found = support.found { members.append(("found", .string(found))) }
        if let note = support.note { members.append(("note", .string(note))) }
        return .object(members)
    }
}
