/// Reads faults of an origin that come from outside a scenario, in the language of `faults:`.
package enum OriginFaultsReader {
    private static let shape = Shape.object([
        Field("faults", .list(FaultReader.shape), required: true, "The points at which the server misbehaves.")
    ])

    /// Reads `text`, a list as YAML or JSON, for the origin of `plan`.
    package static func read(_ text: String, from source: String, in plan: OriginPlan) -> Result<
        [Fault], ScenarioErrors
    > {
        let document: Document
        do {
            document = try Document(file: source, text: "{\"faults\": \(text)}")
        } catch {
            return .failure(ScenarioErrors([error]))
        }
        var shapes = ShapeReader()
        let tree = shapes.read(document.root, as: shape, what: "the faults")
        guard shapes.errors.isEmpty, case .mapping(let root) = tree else {
            return .failure(ScenarioErrors(shapes.errors))
        }
        var reader = FaultReader()
        let faults = root.list("faults").compactMap { reader.fault($0, in: plan) }
        return reader.findings.errors.isEmpty ? .success(faults) : .failure(ScenarioErrors(reader.findings.errors))
    }
}
