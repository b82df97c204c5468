import Testing

@testable import ScenarioLanguage
@testable import Conformance

struct RequirementCatalogueTests {
    private static let path = Sample.scenarios + "/catalogue/requirements.yaml"

    @Test func `the catalogue has its 398 requirements in 32 areas`() throws {
        let catalogue = try RequirementCatalogue.read(path: Self.path)
        #expect(catalogue.requirements.count == 398)
        #expect(catalogue.areas.count == 32)
        #expect(catalogue.ids.count == 398)
        #expect(catalogue.areas.reduce(0) { $0 + catalogue.requirements(in: $1).count } == 398)
        for requirement in catalogue.requirements {
            #expect(
                !requirement.statement.isEmpty && !requirement.sources.isEmpty && !requirement.reason.isEmpty,
                "\(requirement.id)")
        }
    }

    @Test func `a requirement is found by its id`() throws {
        let catalogue = try RequirementCatalogue.read(path: Self.path)
        let copied = catalogue["CONF-01"]
        #expect(copied?.title == "Configuration is copied when a session is created")
        #expect(copied?.level == .must)
        #expect(copied?.area == "Session configuration objects and factories")
        #expect(copied?.testable == .yes)
        #expect(catalogue["CONF-99"] == nil)
    }

    private static let entry = """
        - area: CONN
          title: Connectivity
          requirements:
            - { id: CONN-01, title: t, statement: s, level: must, sources: [a], testable: { verdict: yes, reason: r } }
        """

    @Test func `quotes around yes are not needed`() throws {
        #expect(try RequirementCatalogue.read(text: Self.entry).requirements.map(\.testable) == [.yes])
    }

    @Test(arguments: [
        ("level: must", "level: most", "did you mean `must`?"),
        ("id: CONN-01", "id: CON-01", "not an id of the area CONN"),
        ("sources: [a], ", "", "no `sources`"), ("title: t", "titel: t", "did you mean `title`?"),
    ])
    func `a mistake in the catalogue is reported with its position`(old: String, new: String, message: String) {
        let error = #expect(throws: ScenarioErrors.self) {
            try RequirementCatalogue.read(file: "r.yaml", text: Self.entry.replacing(old, with: new))
        }
        #expect(error?.description.contains(message) == true)
        #expect(error?.description.hasPrefix("r.yaml:4:") == true)
    }

    @Test func `a duplicate id is refused`() {
        let twice = Self.entry + "\n" + Self.entry.split(separator: "\n").last!
        let error = #expect(throws: ScenarioErrors.self) { try RequirementCatalogue.read(text: twice) }
        #expect(error?.description.contains("twice") == true)
    }
}
