package import ScenarioLanguage

/// The known reasons that requirements are not claimed by any scenario, and the unit tests that prove some of them.
package struct UnclaimedReasons: Sendable {
    /// A unit test of this project.
    package struct UnitTest: Hashable, Sendable {
        /// The module, which is the name of its folder below `Tests`.
        package var module: String
        /// The sentence that is the test's name.
        package var name: String
    }

    private var ofAreas: [String: String] = [:]
    private var ofRequirements: [String: String] = [:]
    /// The tests that prove a requirement of AdaptableSession, by the requirement's identifier.
    package private(set) var tests: [String: [UnitTest]] = [:]

    /// Returns the reason for a requirement, or nil if none is given.
    package subscript(id: String) -> String? {
        ofRequirements[id] ?? ofAreas[RequirementID.area(of: id)]
    }

    /// The requirements with individual reasons.
    package var named: Set<String> { Set(ofRequirements.keys) }

    package static func read(path: String, catalogue: RequirementCatalogue) throws(ScenarioErrors) -> UnclaimedReasons {
        try read(file: path, text: ShapedFile.text(path: path), catalogue: catalogue)
    }

    package static func read(
        file: String = "unclaimed.yaml", text: String, catalogue: RequirementCatalogue
    ) throws(ScenarioErrors) -> UnclaimedReasons {
        try ShapedFile.read(file: file, text: text, as: shape, what: "the list of reasons") { tree, findings in
            UnclaimedReasons(tree, catalogue, &findings)
        }
    }

    private init(_ tree: Value, _ catalogue: RequirementCatalogue, _ findings: inout Findings) {
        let areas = catalogue.areas.map(\.prefix)
        for fields in tree.elements.compactMap(\.fields) {
            guard let reason = fields.text("reason") else { continue }
            let places = fields.value("areas")?.elements ?? []
            for value in places {
                guard let area = value.text else { continue }
                if !areas.contains(area) {
                    findings.refuse(
                        value.place,
                        "the catalogue does not have an area `\(area.shortened)`\(Spelling.hint(for: area, among: areas))"
                    )
                }
                if ofAreas.updateValue(reason, forKey: area) != nil {
                    findings.refuse(value.place, "the area \(area.shortened) is listed twice")
                }
            }
            let named = fields.value("requirements")?.elements ?? []
            for value in named {
                guard let id = value.text else { continue }
                if catalogue[id] == nil {
                    findings.refuse(value.place, "the catalogue does not have a requirement `\(id.shortened)`")
                }
                if ofRequirements.updateValue(reason, forKey: id) != nil {
                    findings.refuse(value.place, "\(id.shortened) is listed twice")
                }
                tests[id] = Self.tests(fields, &findings)
            }
            if !places.isEmpty, let value = fields.value("provenBy") {
                findings.refuse(
                    value.place, "`provenBy` needs single requirements, because a test does not prove an area")
            }
            if places.isEmpty, named.isEmpty {
                findings.refuse(fields.place, "a reason needs `areas` or `requirements`")
            }
        }
    }

    private static func tests(_ fields: Fields, _ findings: inout Findings) -> [UnitTest]? {
        fields.value("provenBy")?.elements.compactMap { value in
            guard let words = value.text?.split(separator: "/", maxSplits: 1), words.count == 2 else {
                findings.refuse(value.place, "`provenBy` names a test as MODULE/NAME")
                return nil
            }
            return UnitTest(module: String(words[0]), name: String(words[1]))
        }
    }

    private static let shape = Shape.list(
        .object([
            Field("reason", .text, required: true, "The reason why scenarios cannot claim them."),
            Field("areas", .oneOrMore(.text), "Every requirement of these areas that no scenario claims."),
            Field("requirements", .oneOrMore(.text), "These requirements."),
            Field(
                "provenBy", .oneOrMore(.text),
                "The unit tests that prove them for AdaptableSession and its libraries, each as MODULE/NAME."),
        ]))
}
