/// A file of the catalogue: read, checked against its shape, and made into one value; every error is told with its place.
enum CatalogueFile {
    static func text(path: String) throws(ScenarioErrors) -> String {
        do {
            return try ScenarioReader.text(ofFile: path)
        } catch {
            throw ScenarioErrors([error])
        }
    }

    /// `what`: the file's name in errors.
    static func read<Made>(
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
