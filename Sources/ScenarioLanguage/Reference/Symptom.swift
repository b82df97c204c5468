/// A symptom that users report, with a scenario that shows it. Each is a file of `Scenarios/symptoms` whose first
/// comment lines are `# Symptom:`, `# Words:` and an explanation.
package struct Symptom: Hashable, Sendable {
    /// The file's name without suffix.
    package var name: String
    package var title: String
    /// The words that people use for it.
    package var words: [String]
    package var explanation: String
    /// The scenario without these comments.
    package var scenario: String

    /// Reads a file of symptoms; nil without the two marked lines.
    package init?(name: String, text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let comments = lines.prefix { $0.hasPrefix("# ") }.map { String($0.dropFirst(2)) }
        guard comments.count >= 2, let title = Self.rest(of: comments[0], after: "Symptom: "),
            let words = Self.rest(of: comments[1], after: "Words: ")
        else { return nil }
        self.name = name
        self.title = title
        self.words = words.split(separator: ",").map { String($0.drop { $0 == " " }) }
        explanation = comments.dropFirst(2).joined(separator: " ")
        scenario = lines.dropFirst(comments.count).joined(separator: "\n")
    }

    private static func rest(of line: String, after mark: String) -> String? {
        line.hasPrefix(mark) ? String(line.dropFirst(mark.count)) : nil
    }

    /// Returns the symptoms of a folder, in the order of their names.
    package static func all(in folder: String) throws(ScenarioErrors) -> [Symptom] {
        do throws(ScenarioError) {
            var symptoms: [Symptom] = []
            for file in try ScenarioFiles.find(in: [folder]) {
                let name = ScenarioFiles.id(of: file).split(separator: "/").last.map(String.init) ?? file
                guard let symptom = Symptom(name: name, text: try ScenarioReader.text(ofFile: file)) else {
                    throw ScenarioError(
                        at: Place(file: file, line: 1, column: 1),
                        "a symptom begins with the lines `# Symptom: TITLE` and `# Words: WORD, WORD`")
                }
                symptoms.append(symptom)
            }
            return symptoms
        } catch {
            throw ScenarioErrors([error])
        }
    }

    private static let articles: Set<Substring> = ["a", "an", "the", "my"]

    /// Returns true if a user could mean this symptom with these words.
    package func matches(_ query: String) -> Bool {
        let query = query.lowercased().replacing("-", with: " ")
        let own = ([name, title] + words).map { $0.lowercased().replacing("-", with: " ") }
        if own.contains(query) { return true }
        let parts = query.split(separator: " ").filter { !Self.articles.contains($0) }
        let known = Set(own.flatMap { $0.split(separator: " ") })
        // One short word such as `is` would match many titles.
        return parts.allSatisfy { known.contains($0) } && parts.joined(separator: " ").count > 3
    }

    /// Returns the page of all symptoms, as Markdown.
    package static func page(_ symptoms: [Symptom]) -> String {
        var lines = [
            "# From a symptom to a scenario", "",
            "Each part has words that people use, the cause to look for, and a scenario that runs as it is. `crosswind explain WORD`",
            "prints the same, and `crosswind new --symptom NAME --out FILE` copies a scenario to start from. This page is printed by",
            "`crosswind reference --symptoms` from the files in [symptoms](symptoms); edit those.",
        ]
        for symptom in symptoms {
            lines += [
                "", "## \(symptom.title)", "", "Words: \(symptom.words.joined(separator: ", ")).", "",
                symptom.explanation, "", "[symptoms/\(symptom.name).yaml](symptoms/\(symptom.name).yaml):", "",
                "```yaml", symptom.scenario + "```",
            ]
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
