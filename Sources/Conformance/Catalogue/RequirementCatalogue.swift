package import Record
package import ScenarioLanguage

/// The numbered requirements by area, as in the catalogue files.
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
        requirements.filter { RequirementID.area(of: $0.id) == area.prefix }
    }

    /// Returns the requirements with a source in `section`, such as `RFC 9110 §15.4`, or in a part of it.
    package func requirements(citing section: String) -> [Requirement] {
        requirements.filter { $0.sources.contains { Citation.matches($0, section) } }
    }

    /// Returns the bases of the requirements and sections that a scenario claims.
    package func bases(of scenario: Scenario) -> Set<Basis> {
        Set(scenario.proves.compactMap { self[$0]?.basis } + scenario.cites.map(Citation.basis(of:)))
    }

    // MARK: Reading

    /// The names of the files in the folder of the catalogues: the documented behaviour of URLSession, and the
    /// requirements that hold for every HTTP client.
    package static let files = ["requirements.yaml", "http.yaml"]

    /// Reads both catalogues as one.
    package static func read(folder: String) throws(ScenarioErrors) -> RequirementCatalogue {
        var areas: [Area] = []
        var requirements: [Requirement] = []
        for file in files {
            let part = try read(path: folder + "/" + file)
            areas += part.areas
            requirements += part.requirements
        }
        let indexes = Dictionary(requirements.enumerated().map { ($1.id, $0) }) { first, _ in first }
        return RequirementCatalogue(areas: areas, requirements: requirements, indexes: indexes)
    }

    private init(areas: [Area], requirements: [Requirement], indexes: [String: Int]) {
        self.areas = areas
        self.requirements = requirements
        self.indexes = indexes
    }

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
            let basis = group.text("basis")
            for fields in group.list("requirements") {
                guard let id = fields.text("id"), let requirement = Self.requirement(fields, id: id, area: title, basis)
                else {
                    continue
                }
                if !RequirementID.isValid(id) || RequirementID.area(of: id) != prefix {
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

    private static func requirement(
        _ fields: Fields, id: String, area: String, _ areaBasis: String?
    ) -> Requirement? {
        guard let title = fields.text("title"), let statement = fields.text("statement"),
            let level = fields.text("level").flatMap(Requirement.Level.init(rawValue:)),
            let basis = (fields.text("basis") ?? areaBasis).flatMap(Basis.init(rawValue:))
        else { return nil }
        let testable = fields.fields("testable")
        return Requirement(
            id: id, area: area, title: title, statement: statement, level: level, basis: basis,
            sources: fields.texts("sources"),
            testable: testable?.text("verdict").flatMap(Requirement.Testable.init(rawValue:)) ?? .yes,
            reason: testable?.text("reason") ?? "a scenario shows it")
    }

    private static let shape = Shape.list(
        .object([
            Field("area", .text, required: true, "The prefix of the ids in this part."),
            Field("title", .text, required: true, "The part's title."),
            Field(
                "basis", .word(Basis.allCases.map(\.rawValue)), required: true,
                "The kind of source of its requirements."),
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
                        Field(
                            "basis", .word(Basis.allCases.map(\.rawValue)),
                            "The kind of source, if it is not the area's."),
                        Field("sources", .oneOrMore(.text), required: true, "The document that states it."),
                        Field(
                            "testable",
                            .object([
                                Field(
                                    "verdict", .word(Requirement.Testable.allCases.map(\.rawValue)), required: true,
                                    "yes, partly or no."),
                                Field("reason", .text, required: true, "Why."),
                            ]), "True if this lab on Linux can test it; without it, yes."),
                    ])), required: true, "In order."),
        ]))
}
