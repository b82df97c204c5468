package import ScenarioLanguage

/// The numbered requirements by area, as in the catalogue file.
package struct RequirementCatalogue: Sendable {
    package struct Area: Hashable, Sendable {
        /// The prefix of its ids, such as `CONN`.
        package var prefix: String
        package var title: String
    }

    package let areas: [Area]
    /// In the file's order.
    package let requirements: [Requirement]
    private let indexes: [String: Int]

    package var ids: Set<String> { Set(indexes.keys) }

    package subscript(id: String) -> Requirement? { indexes[id].map { requirements[$0] } }

    package func requirements(in area: Area) -> [Requirement] {
        requirements.filter { $0.id.hasPrefix(area.prefix + "-") }
    }

    // MARK: Reading

    package static func read(path: String) throws(ScenarioErrors) -> RequirementCatalogue {
        try read(file: path, text: ShapedFile.text(path: path))
    }

    package static func read(file: String = "requirements.yaml", text: String) throws(ScenarioErrors)
        -> RequirementCatalogue
    {
        try ShapedFile.read(file: file, text: text, as: shape, what: "the catalogue") { tree, findings in
            RequirementCatalogue(tree, findings: &findings)
        }
    }

    private init(_ tree: Value, findings: inout Findings) {
        var areas: [Area] = []
        var requirements: [Requirement] = []
        var indexes: [String: Int] = [:]
        for group in tree.elements.compactMap(\.fields) {
            guard let prefix = group.text("area"), let title = group.text("title") else { continue }
            areas.append(Area(prefix: prefix, title: title))
            for fields in group.list("requirements") {
                guard let id = fields.text("id"), let requirement = Self.requirement(fields, id: id, area: title) else {
                    continue
                }
                if !RequirementID.isValid(id) || !id.hasPrefix(prefix + "-") {
                    findings.refuse(
                        fields.place(of: "id"),
                        "`\(id.shortened)` is not an id of the area \(prefix); write one such as \(prefix)-01")
                }
                if indexes.updateValue(requirements.count, forKey: id) != nil {
                    findings.refuse(fields.place(of: "id"), "the catalogue has `\(id.shortened)` twice")
                }
                requirements.append(requirement)
            }
        }
        self.areas = areas
        self.requirements = requirements
        self.indexes = indexes
    }

    private static func requirement(_ fields: Fields, id: String, area: String) -> Requirement? {
        guard let title = fields.text("title"), let statement = fields.text("statement"),
            let level = fields.text("level").flatMap(Requirement.Level.init(rawValue:)),
            let testable = fields.fields("testable"),
            let verdict = testable.text("verdict").flatMap(Requirement.Testable.init(rawValue:))
        else { return nil }
        return Requirement(
            id: id, area: area, title: title, statement: statement, level: level, sources: fields.texts("sources"),
            testable: verdict, reason: testable.text("reason") ?? "")
    }

    private static let shape = Shape.list(
        .object([
            Field("area", .text, required: true, "The prefix of the ids in this part."),
            Field("title", .text, required: true, "The part's title."),
            Field(
                "requirements",
                .list(
                    .object([
                        Field("id", .text, required: true, "Such as CONN-06."),
                        Field("title", .text, required: true, "A few words."),
                        Field("statement", .text, required: true, "The behaviour in one sentence."),
                        Field(
                            "level", .word(Requirement.Level.allCases.map(\.rawValue)), required: true,
                            "The level of the requirement."),
                        Field("sources", .oneOrMore(.text), required: true, "The document that states it."),
                        Field(
                            "testable",
                            .object([
                                Field(
                                    "verdict", .word(Requirement.Testable.allCases.map(\.rawValue)), required: true,
                                    "yes, partly or no."),
                                Field("reason", .text, required: true, "Why."),
                            ]), required: true, "True if this lab on Linux can test it."),
                    ])), required: true, "In order."),
        ]))
}
