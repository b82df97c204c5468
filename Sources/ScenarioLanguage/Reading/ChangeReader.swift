/// Reads changes of a network that come from outside a scenario, in the language of `set:`.
package enum ChangeReader {
    /// Reads `text`, the mapping under `set:` as YAML or JSON. A link without a profile starts from its condition in
    /// `plan`.
    package static func read(_ text: String, from source: String, in plan: NetworkPlan) -> Result<
        [NetworkChange], ScenarioErrors
    > {
        let document: Document
        do {
            document = try Document(file: source, text: text)
        } catch {
            return .failure(ScenarioErrors([error]))
        }
        var shapes = ShapeReader()
        let tree = shapes.read(document.root, as: NetworkShape.change, what: "set")
        guard shapes.errors.isEmpty else { return .failure(ScenarioErrors(shapes.errors)) }
        let place = Place(file: source, line: 1, column: 1)
        let entry = Fields(place: place, entries: [Fields.Entry(name: "set", place: place, value: tree)])
        var reader = NetworkReader()
        let changes = reader.changes("set", of: entry, in: plan)
        return reader.findings.errors.isEmpty ? .success(changes) : .failure(ScenarioErrors(reader.findings.errors))
    }
}
