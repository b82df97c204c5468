/// Reads a YAML file, checks it against its shape and converts it into one value; every error includes its position.
package enum ShapedFile {
    package static func text(path: String) throws(ScenarioErrors) -> String {
        do {
            return try ScenarioReader.text(ofFile: path)
        } catch {
            throw ScenarioErrors([error])
        }
    }

    /// Reads `text` as `shape`. `what` is the name of the file in errors.
    package static func read<Made>(
        file: String, text: String, as shape: Shape, what: String, _ make: (Value, inout Findings) -> Made
    ) throws(ScenarioErrors) -> Made {
        let document: Document
        do {
            document = try Document(file: file, text: text)
        } catch {
            throw ScenarioErrors([error])
        }
        var reader = ShapeReader()
        let tree = reader.read(document.root, as: shape, what: what)
        var findings = Findings()
        findings.add(reader.errors)
        let made = make(tree, &findings)
        guard findings.errors.isEmpty else { throw ScenarioErrors(findings.errors) }
        return made
    }
}
