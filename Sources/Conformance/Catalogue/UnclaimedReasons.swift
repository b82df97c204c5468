package import ScenarioLanguage

/// The known reasons that requirements are not claimed by any scenario.
package struct UnclaimedReasons: Sendable {
    private var ofAreas: [String: String] = [:]
    private var ofRequirements: [String: String] = [:]

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
            }
            if places.isEmpty, named.isEmpty {
                findings.refuse(fields.place, "a reason needs `areas` or `requirements`")
            }
        }
    }

    private static let shape = Shape.list(
        .object([
            Field("reason", .text, required: true, "The reason why scenarios cannot claim them."),
            Field("areas", .oneOrMore(.text), "Every requirement of these areas that no scenario claims."),
            Field("requirements", .oneOrMore(.text), "These requirements."),
        ]))
}
