import AdapterProtocol
import FoundationEssentials
import Record

/// Reads scenario files in three stages: YAML, the checked tree, the model. All errors of a file are reported, each
/// with its position.
package enum ScenarioReader {
    /// Reads the first run of one file: the first row, as it is written. `checks` are those that `expect:` can name.
    /// `requirements` holds the catalogues' ids; without them only the form of the ids in `proves` is checked.
    package static func read(path: String, checks: [any WrittenCheck.Type], requirements: Set<String>? = nil)
        -> Result<Scenario, ScenarioErrors>
    {
        do {
            return read(file: path, text: try text(ofFile: path), checks: checks, requirements: requirements)
        } catch {
            return .failure(ScenarioErrors([error]))
        }
    }

    package static func read(
        file: String, text: String, checks: [any WrittenCheck.Type], requirements: Set<String>? = nil
    ) -> Result<Scenario, ScenarioErrors> {
        switch cases(file: file, text: text, checks: checks, requirements: requirements) {
        case .success(let cases): .success(cases.scenarios[0])
        case .failure(let errors): .failure(errors)
        }
    }

    /// Reads one run, whose references have been replaced; nil if there is nothing to read.
    static func read(
        _ node: Document.Node, file: String, checks: [any WrittenCheck.Type], requirements: Set<String>?,
        _ findings: inout Findings
    ) -> Scenario? {
        var reader = ShapeReader()
        let tree = reader.read(node, as: ScenarioShape.root(checks: checks), what: "the scenario")
        findings.add(reader.errors)
        guard case .mapping(let root) = tree else { return nil }
        return build(root, file: file, checks: checks, requirements: requirements, findings: &findings)
    }

    /// Returns the file's text, or throws the reason that it cannot be read.
    package static func text(ofFile path: String) throws(ScenarioError) -> String {
        let start = Place(file: path, line: 1, column: 1)
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let attributes else { throw ScenarioError(at: start, "this file does not exist or cannot be read") }
        // `contents` follows links, so only an entry that is not a link can be judged here.
        let type = attributes[.type] as? FileAttributeType
        guard type == .typeRegular || type == .typeSymbolicLink else {
            throw ScenarioError(at: start, "this is not a file")
        }
        if type == .typeRegular, let size = attributes[.size] as? UInt64, size > UInt64(Document.sizeLimit) {
            throw ScenarioError(at: start, "the file is larger than 1 MiB, too large for a scenario")
        }
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw ScenarioError(at: start, "the file cannot be read")
        }
        return try Self.text(of: Array(bytes), file: path)
    }

    static func text(of bytes: [UInt8], file: String) throws(ScenarioError) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var line = 1
        for part in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if String(validating: part, as: UTF8.self) == nil {
                throw ScenarioError(
                    at: Place(file: file, line: line, column: 1), "this line is not UTF-8; save the file as UTF-8")
            }
            line += 1
        }
        throw ScenarioError(at: Place(file: file, line: 1, column: 1), "the file is not UTF-8; save it as UTF-8")
    }

    // MARK: The model

    private static func build(
        _ root: Fields, file: String, checks: [any WrittenCheck.Type], requirements: Set<String>?,
        findings: inout Findings
    ) -> Scenario {
        var scenario = Scenario(file: file, id: ScenarioFiles.id(of: file), title: root.text("scenario") ?? "")
        if root.text("scenario")?.allSatisfy(\.isWhitespace) == true {
            findings.refuse(root.place(of: "scenario"), "`scenario` is blank; write one sentence")
        }
        scenario.proves = proves(root, requirements, &findings)
        scenario.cites = cites(root, &findings)
        scenario.report = root.text("report")
        if scenario.report?.allSatisfy(\.isWhitespace) == true {
            findings.refuse(root.place(of: "report"), "`report` is blank; write an address or a few words")
        }
        scenario.tags = root.texts("tags")
        scenario.after = root.text("dependsOn")
        if let after = scenario.after, [after, VariantID(after).base].contains(scenario.id) {
            findings.refuse(root.place(of: "dependsOn"), "a scenario cannot depend on itself")
        }
        if let limit = limit(root, &findings) { scenario.limit = limit }
        if let budget = root.integer("requestBudget") { scenario.requestBudget = Int(clamping: budget) }

        var network = NetworkReader()
        scenario.network = network.plan(root)
        findings.add(network.findings.errors)

        scenario.power = NetworkReader.power(root)?.applied(to: PowerState())
        scenario.clock = NetworkReader.clock(root)

        var origin = OriginReader()
        scenario.origin = origin.plan(root)
        findings.add(origin.findings.errors)

        var proxies = ProxyReader()
        scenario.proxies = proxies.plans(root)
        findings.add(proxies.findings.errors)

        var session = SessionReader(proxies: scenario.proxies, isSecure: scenario.origin.tls != nil)
        scenario.sessions = session.sessions(root)
        findings.add(session.findings.errors)

        var script = ScriptReader(
            origin: scenario.origin, network: scenario.network, sessions: scenario.sessions, limit: scenario.limit,
            proxies: scenario.proxies)
        scenario.script = script.steps(root)
        findings.add(script.findings.errors)

        // A profile step after the scenario's timeout must not be reported as a change that never happened.
        let steps = network.steps.filter { entry in
            if case .sinceStart(let after) = entry.trigger.moment { after < scenario.limit } else { true }
        }
        scenario.timeline = steps + timeline(root, scenario, script.knownTasks, &findings)
        scenario.expectations = expectations(
            root, checks, script.knownTasks, scenario.sessions, &findings)
        UsedHosts.addRules(to: &scenario)
        for expectation in scenario.expectations {
            if let problem = expectation.check.problem(in: scenario) {
                findings.refuse(Place(file: file, line: expectation.line, column: 1), problem)
            }
        }
        scenario.namedNeeds = Set(root.texts("needs").compactMap(Capability.init(rawValue:)))
        scenario.needs = scenario.needs(of: .urlsession, reports: nil)
        return scenario
    }

    private static func limit(_ root: Fields, _ findings: inout Findings) -> Duration? {
        guard let limit = root.duration("timeout") else { return nil }
        if limit < .milliseconds(500) {
            findings.refuse(
                root.place(of: "timeout"), "`timeout` is too small: a run starts programs and needs at least 500ms")
        }
        if limit > .seconds(3600) {
            findings.refuse(root.place(of: "timeout"), "`timeout` is longer than one hour, the limit")
        }
        return limit
    }

    private static func proves(_ root: Fields, _ requirements: Set<String>?, _ findings: inout Findings) -> [String] {
        var ids: [String] = []
        for value in root.value("proves")?.elements ?? [] {
            guard let id = value.text else { continue }
            if ids.contains(id) { findings.refuse(value.place, "`\(id.shortened)` is listed twice under `proves`") }
            ids.append(id)
            if let requirements {
                if !requirements.contains(id) {
                    let near =
                        Spelling.nearest(to: id, among: requirements.sorted()).map { "; did you mean `\($0)`?" } ?? ""
                    findings.refuse(value.place, "the catalogue does not have a requirement `\(id.shortened)`\(near)")
                }
            } else if !RequirementID.isValid(id) {
                findings.refuse(value.place, "`\(id.shortened)` is not a requirement id; write one such as DNLD-09")
            }
        }
        return ids
    }

    private static func cites(_ root: Fields, _ findings: inout Findings) -> [String] {
        var sections: [String] = []
        for value in root.value("cites")?.elements ?? [] {
            guard let section = value.text else { continue }
            if sections.contains(section) {
                findings.refuse(value.place, "`\(section.shortened)` is listed twice under `cites`")
            } else if !Citation.isValid(section) {
                findings.refuse(
                    value.place, "`\(section.shortened)` does not name a section; write one such as RFC 9110 §15.4")
            }
            sections.append(section)
        }
        return sections
    }

    private static func timeline(
        _ root: Fields, _ scenario: Scenario, _ tasks: [TaskEntry]?, _ findings: inout Findings
    ) -> [TimelineEntry] {
        var triggers = TriggerReader(
            tasks: tasks, sessions: scenario.sessions, interfaces: scenario.network.interfaces, limit: scenario.limit,
            proxies: scenario.proxies)
        var changes = NetworkReader(proxies: scenario.proxies, origin: scenario.origin)
        let entries = root.list("timeline").compactMap { fields in
            let trigger = triggers.trigger("when", of: fields)
            let changes = changes.changes("set", of: fields, in: scenario.network)
            return trigger.map { TimelineEntry(trigger: $0, changes: changes) }
        }
        findings.add(triggers.findings.errors + changes.findings.errors)
        return entries
    }

    private static func expectations(
        _ root: Fields, _ checks: [any WrittenCheck.Type], _ tasks: [TaskEntry]?, _ sessions: [SessionPlan],
        _ findings: inout Findings
    ) -> [Expectation] {
        var expectations: [Expectation] = []
        for value in root.value("expect")?.elements ?? [] {
            guard value.isWhole, let item = value.fields,
                let entry = item.entries.first(where: { $0.name != ScenarioShape.basis.name }),
                let type = checks.first(where: { $0.key == entry.name })
            else { continue }
            let written = tasks.map { ShortForms.written(out: entry.value, $0) } ?? entry.value
            if let tasks { TaskMentions.check(written, tasks, sessions, &findings) }
            var fields: Fields =
                if case .mapping(let fields) = written, type.shape.isObject(for: fields) { fields } else {
                    Fields(bare: written)
                }
            // With hidden tasks an error has been reported, and the missing name may be one of theirs.
            guard ShortForms.name(&fields, of: type, tasks, &findings) else { continue }
            if let check = findings.attempt({ () throws(ScenarioError) in try type.init(fields) }) {
                let basis = item.text(ScenarioShape.basis.name).flatMap(Basis.init(rawValue:))
                expectations.append(Expectation(check: check, line: entry.place.line, basis: basis))
            }
        }
        return expectations
    }
}
