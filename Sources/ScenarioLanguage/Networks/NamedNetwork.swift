import AdapterProtocol
import FoundationEssentials

/// A network on which every scenario can run that does not fix its own: interfaces, DNS replies and a timeline.
package struct NamedNetwork: Sendable {
    package var name: String
    package var summary: String
    /// The file that a user wrote; nil for a built-in network.
    package var file: String?
    /// The reason that not every transfer survives on it; `all` leaves such networks out.
    package var interrupts: String?
    /// The network as a whole, for descriptions.
    package var plan: NetworkPlan
    /// The changes of `timeline:`.
    package var timeline: [TimelineEntry]
    /// The later steps of the profiles.
    package var steps: [TimelineEntry]
    /// The keys `network`, `dns` and `timeline` that its file would have in a scenario.
    let root: Document.Node

    static let shape = Shape.object([
        Field("summary", .text, required: true, "One sentence: the network."),
        Field(
            "interrupts", .text,
            "The reason that not every transfer survives on it; `--network all` leaves such a network out."),
        Field("network", NetworkShape.network, required: true, "The client's interfaces, as in a scenario."),
        Field("dns", DNSPlanReader.names, "Replies of the DNS servers, unless a scenario lists the same host."),
        Field("timeline", .list(TimelineReader.entry), "Changes of the network, each with its moment."),
    ])

    /// Reads the text of a network's file; `file` is its path, which also gives the name.
    package static func read(file: String, text: String) throws(ScenarioErrors) -> NamedNetwork {
        var network = try read(named: name(ofFile: file), place: file, text: text)
        network.file = file
        guard VariantID.isName(network.name) else {
            throw ScenarioErrors([
                ScenarioError(
                    at: Place(file: file, line: 1, column: 1),
                    "the file's name is the network's: letters, digits, dots and hyphens only; rename the file")
            ])
        }
        return network
    }

    static func read(named name: String, place: String, text: String) throws(ScenarioErrors) -> NamedNetwork {
        let root: Document.Node
        do { root = try Document(file: place, text: text).root } catch { throw ScenarioErrors([error]) }
        var reader = ShapeReader()
        let tree = reader.read(root, as: shape, what: "the network")
        var findings = Findings()
        findings.add(reader.errors)
        guard case .mapping(let fields) = tree else { throw ScenarioErrors(findings.errors) }
        var networks = NetworkReader()
        let plan = networks.plan(fields)
        findings.add(networks.findings.errors)
        let timeline = TimelineReader.entries(fields, in: plan, &findings)
        guard findings.errors.isEmpty else { throw ScenarioErrors(findings.errors) }
        return NamedNetwork(
            name: name, summary: fields.text("summary") ?? "", file: nil, interrupts: fields.text("interrupts"),
            plan: plan, timeline: timeline, steps: networks.steps, root: root)
    }

    /// Returns the last part of the path without its suffix.
    static func name(ofFile path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        for suffix in [".yaml", ".yml"] where name.hasSuffix(suffix) { return String(name.dropLast(suffix.count)) }
        return name
    }
}

extension NamedNetwork {
    /// Returns a scenario's file with the keys of this network. The scenario's own `dns` takes precedence, and changes
    /// after `limit` are left out: a run that is shorter must not be reported as one that missed them.
    func applied(to scenario: Document.Node, limit: Duration) -> Document.Node {
        var pairs = scenario.pairs.filter { !["network", "dns", "timeline"].contains($0.key.text) }
        for (key, value) in root.pairs where key.text == "network" { pairs.append((key: key, value: value)) }
        let written = scenario["dns"]?.pairs ?? []
        let taken = Set(written.compactMap { $0.key.text?.lowercased() })
        let names = (root["dns"]?.pairs ?? []).filter { !taken.contains($0.key.text?.lowercased() ?? "") } + written
        if let place = (scenario["dns"] ?? root["dns"])?.place {
            pairs.append((key: .key("dns", place), value: .mapping(names, place)))
        }
        let changes = changes(within: limit)
        let timeline = (scenario["timeline"]?.elements ?? []) + changes
        if let place = timeline.first?.place {
            pairs.append((key: .key("timeline", place), value: .list(timeline, place)))
        }
        return .mapping(pairs, scenario.place)
    }

    private func changes(within limit: Duration) -> [Document.Node] {
        (root["timeline"]?.elements ?? []).filter { entry in
            guard let time = entry["when"]?["sinceStart"]?.text, let after = try? UnitParser.duration(time) else {
                return true
            }
            return after < limit
        }
    }

    /// Returns the keys `network` and `dns` as lines of a scenario's file.
    package var writtenKeys: [String] {
        ["network", "dns"].compactMap { key in root[key].map { "\(key): \($0.flow)" } }
    }

    /// Returns the changes of `timeline:` within this time, each as YAML for a scenario's file.
    package func writtenChanges(within limit: Duration) -> [String] { changes(within: limit).map(\.flow) }
}
