/// The runs of one scenario file: one for each row of its parameters and each network.
package struct ScenarioCases: Sendable {
    /// A run that was not made.
    package struct LeftOut: Hashable, Sendable {
        package enum Reason: Hashable, Sendable, CustomStringConvertible {
            /// The scenario fixes its network.
            case own(OwnNetwork)
            /// The scenario excludes the network for this reason.
            case excluded(String)

            package var description: String {
                switch self {
                case .own(let own): "the scenario has a network of its own (\(own))"
                case .excluded(let reason): "the scenario excludes the network: \(reason)"
                }
            }
        }
        package var id: VariantID
        package var reason: Reason
    }

    package var scenarios: [Scenario] = []
    package var leftOut: [LeftOut] = []
    package init() {}
}

/// The keys of a scenario that choose its networks.
struct ChosenNetworks {
    static let fields = [
        Field("networks", .oneOrMore(.text), "Networks that it always runs on, each as ID@NETWORK."),
        Field(
            "excludes",
            .oneOrMore(
                .object([
                    Field("network", .oneOrMore(.text), required: true, "Networks that it does not run on."),
                    Field("because", .text, required: true, "The reason that an expectation does not hold there."),
                ])), "Networks on which the scenario is not meaningful."),
    ]

    /// The networks of `networks:`, in the order of the file.
    private(set) var always: [NamedNetwork] = []
    private(set) var reasons: [String: String] = [:]

    init(_ root: Document.Node, own: OwnNetwork?, in catalogue: NetworkCatalogue, _ findings: inout Findings) {
        var reader = ShapeReader()
        for field in Self.fields {
            guard let node = root[field.name] else { continue }
            if let own {
                findings.refuse(
                    node.place, "the scenario has a network of its own (\(own)); leave `\(field.name)` out")
            }
            let value = reader.read(node, as: field.shape, what: field.name)
            for element in value.elements {
                if let fields = element.fields {
                    exclude(fields, in: catalogue, &findings)
                } else if let network = network(element, in: catalogue, &findings) {
                    if always.contains(where: { $0.name == network.name }) {
                        findings.refuse(element.place, "`\(network.name)` is listed twice under `networks`")
                    }
                    always.append(network)
                }
            }
        }
        findings.add(reader.errors)
        for network in always where reasons[network.name] != nil {
            findings.refuse(
                root["excludes"]?.place ?? root.place, "`\(network.name)` stands under `networks` as well; remove one")
        }
    }

    private mutating func exclude(_ fields: Fields, in catalogue: NetworkCatalogue, _ findings: inout Findings) {
        let reason = fields.text("because") ?? ""
        if reason.allSatisfy(\.isWhitespace), fields.isComplete {
            findings.refuse(fields.place(of: "because"), "`because` is blank; give the reason in one sentence")
        }
        for value in fields.value("network")?.elements ?? [] {
            if let network = network(value, in: catalogue, &findings) { reasons[network.name] = reason }
        }
    }

    private func network(_ value: Value, in catalogue: NetworkCatalogue, _ findings: inout Findings) -> NamedNetwork? {
        guard let name = value.text else { return nil }
        if let network = catalogue.named(name) { return network }
        findings.refuse(value.place, catalogue.unknown(name))
        return nil
    }
}

extension ScenarioReader {
    /// Reads one file and returns its runs: each row of `parameters` on each network of `networks:` and of `selection`,
    /// and as written if the selection asks for that and the file lists no networks.
    package static func cases(
        file: String, text: String, checks: [any WrittenCheck.Type], requirements: Set<String>? = nil,
        on selection: NetworkSelection = .asWritten
    ) -> Result<ScenarioCases, ScenarioErrors> {
        let document: Document
        do { document = try Document(file: file, text: text) } catch { return .failure(ScenarioErrors([error])) }
        var findings = Findings()
        var cases = ScenarioCases()
        let table = ParameterTable(document.root, &findings)
        for (row, root) in table.expand(document.root, &findings) {
            let id = VariantID(base: ScenarioFiles.id(of: file), row: row)
            let own = OwnNetwork.find(in: root)
            let chosen = ChosenNetworks(root, own: own, in: selection.catalogue, &findings)
            func add(_ root: Document.Node, _ id: VariantID, _ network: NamedNetwork?) {
                guard
                    var scenario = read(root, file: file, checks: checks, requirements: requirements, &findings)
                else { return }
                scenario.variant = id
                scenario.networkFile = network?.file
                scenario.ownNetwork = own
                scenario.excludedNetworks = chosen.reasons
                if network != nil { scenario.limit += RoundTripBound.allowance(for: scenario) }
                cases.scenarios.append(scenario)
            }
            if chosen.always.isEmpty, selection.includesOwn {
                add(root, id, nil)
            } else if let own {
                cases.leftOut.append(.init(id: id, reason: .own(own)))
            }
            guard own == nil else { continue }
            let limit = limit(of: root)
            let others = selection.networks.filter { other in !chosen.always.contains { $0.name == other.name } }
            for network in chosen.always + others {
                var id = id
                id.network = network.name
                if let reason = chosen.reasons[network.name] {
                    cases.leftOut.append(.init(id: id, reason: .excluded(reason)))
                } else {
                    add(network.applied(to: root, limit: limit), id, network)
                }
            }
        }
        return findings.errors.isEmpty ? .success(cases) : .failure(ScenarioErrors(findings.errors))
    }

    /// Reads the runs of one file.
    package static func cases(
        path: String, checks: [any WrittenCheck.Type], requirements: Set<String>? = nil,
        on selection: NetworkSelection = .asWritten
    ) -> Result<ScenarioCases, ScenarioErrors> {
        do {
            return cases(
                file: path, text: try text(ofFile: path), checks: checks, requirements: requirements, on: selection)
        } catch {
            return .failure(ScenarioErrors([error]))
        }
    }

    /// Returns one run of a file as a scenario file of its own, with the values of its row and the keys of its network in
    /// place; the text as it is for a run without either.
    package static func text(
        of variant: VariantID, in text: String, file: String, networks: NetworkCatalogue
    ) throws(ScenarioErrors) -> String {
        if variant.row == nil, variant.network == nil { return text }
        let document: Document
        do { document = try Document(file: file, text: text) } catch { throw ScenarioErrors([error]) }
        var findings = Findings()
        let rows = ParameterTable(document.root, &findings).expand(document.root, &findings)
        let network = variant.network.flatMap { networks.named($0) }
        guard let row = rows.first(where: { $0.row == variant.row }), network?.name == variant.network else {
            throw ScenarioErrors([
                ScenarioError(at: document.root.place, "the file does not have the run `\(variant)` (any more)")
            ])
        }
        let kept = Document.Node.mapping(
            row.root.pairs.filter { pair in !ChosenNetworks.fields.contains { $0.name == pair.key.text } },
            row.root.place)
        return (network?.applied(to: kept, limit: limit(of: kept)) ?? kept).block
    }

    /// Returns the scenario's timeout, or the default one.
    private static func limit(of root: Document.Node) -> Duration {
        root["timeout"]?.text.flatMap { try? UnitParser.duration($0) } ?? Scenario.defaultLimit
    }
}
