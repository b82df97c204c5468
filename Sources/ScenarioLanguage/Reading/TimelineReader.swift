/// Reads a timeline from a separate file that is applied to a program without steps.
package enum TimelineReader {
    private static let when = Field(
        "when", .either([.text, TriggerReader.shape]), required: true,
        "The moment: an event such as first.didReceiveData, or an object.")

    static let entry = Shape.object([
        when,
        Field("set", NetworkShape.change, required: true, "The changes."),
    ])

    static let shape = Shape.object([
        Field(
            "timeline", .list(entry), required: true, "Changes of the network, each with its moment.")
    ])

    package static func read(path: String, in plan: NetworkPlan) -> Result<[TimelineEntry], ScenarioErrors> {
        do {
            return read(file: path, text: try ScenarioReader.text(ofFile: path), in: plan)
        } catch {
            return .failure(ScenarioErrors([error]))
        }
    }

    package static func read(file: String, text: String, in plan: NetworkPlan) -> Result<
        [TimelineEntry], ScenarioErrors
    > {
        let document: Document
        do {
            document = try Document(file: file, text: text)
        } catch {
            return .failure(ScenarioErrors([error]))
        }
        var shapes = ShapeReader()
        let tree = shapes.read(document.root, as: shape, what: "the file")
        var findings = Findings()
        findings.add(shapes.errors)
        guard case .mapping(let root) = tree else { return .failure(ScenarioErrors(findings.errors)) }
        let entries = entries(root, in: plan, &findings)
        return findings.errors.isEmpty ? .success(entries) : .failure(ScenarioErrors(findings.errors))
    }

    /// Reads one moment, the value of `when:` as YAML or JSON.
    package static func moment(_ text: String, from source: String, in plan: NetworkPlan) -> Result<
        Trigger, ScenarioErrors
    > {
        let document: Document
        do {
            document = try Document(file: source, text: "{\"when\": \(text)}")
        } catch {
            return .failure(ScenarioErrors([error]))
        }
        var shapes = ShapeReader()
        let tree = shapes.read(document.root, as: Shape.object([when]), what: "the moment")
        var findings = Findings()
        findings.add(shapes.errors)
        guard case .mapping(let root) = tree else { return .failure(ScenarioErrors(findings.errors)) }
        let trigger = trigger(root, in: plan, &findings)
        guard let trigger, findings.errors.isEmpty else { return .failure(ScenarioErrors(findings.errors)) }
        return .success(trigger)
    }

    /// Reads the changes of a network that any program or scenario uses.
    static func entries(_ root: Fields, in plan: NetworkPlan, _ findings: inout Findings) -> [TimelineEntry] {
        var changes = NetworkReader()
        let entries = root.list("timeline").compactMap { fields -> TimelineEntry? in
            guard let trigger = trigger(fields, in: plan, &findings) else { return nil }
            return TimelineEntry(trigger: trigger, changes: changes.changes("set", of: fields, in: plan))
        }
        findings.add(changes.findings.errors)
        return entries
    }

    private static func trigger(_ fields: Fields, in plan: NetworkPlan, _ findings: inout Findings) -> Trigger? {
        if let (place, what) = unseen(in: fields) {
            findings.refuse(
                place,
                "\(what) cannot be observed in a lab with any program; use sinceStart, request, responseSent, acknowledged, server, connection, query or packet"
            )
            return nil
        }
        // Without a timeout, no moment can come too late.
        var triggers = TriggerReader(
            tasks: nil, sessions: [], interfaces: plan.interfaces,
            limit: .nanoseconds(UnitParser.longest) + .nanoseconds(1))
        defer { findings.add(triggers.findings.errors) }
        return triggers.trigger("when", of: fields)
    }

    /// Returns the position and a description of a moment that only a run with steps can reach; nil for other moments.
    private static func unseen(in entry: Fields) -> (Place, String)? {
        guard let moment = entry.value("when") else { return nil }
        let events = "events of tasks and sessions"
        if moment.text != nil { return (moment.place, events) }
        guard let fields = moment.fields else { return nil }
        if fields.has("event") { return (fields.place(of: "event"), events) }
        if fields.has("proxy") { return (fields.place(of: "proxy"), "the actions of proxies") }
        return fields.has("wireBytes") ? (fields.place(of: "wireBytes"), "the bytes of a flow") : nil
    }
}
