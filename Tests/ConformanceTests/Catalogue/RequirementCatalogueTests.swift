import Record
import Testing

@testable import ScenarioLanguage
@testable import Conformance

struct RequirementCatalogueTests {
    private static let path = Sample.scenarios + "/catalogue/requirements.yaml"

    @Test func `the catalogue has its 415 requirements in 33 areas`() throws {
        let catalogue = try RequirementCatalogue.read(path: Self.path)
        #expect(catalogue.requirements.count == 415)
        #expect(catalogue.areas.count == 33)
        #expect(catalogue.ids.count == 415)
        #expect(catalogue.areas.reduce(0) { $0 + catalogue.requirements(in: $1).count } == 415)
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
          basis: urlsession
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
        #expect(error?.description.hasPrefix("r.yaml:5:") == true)
    }

    @Test func `a requirement has its area's basis or one of its own`() throws {
        let own = Self.entry.replacing("level: must", with: "level: must, basis: policy")
        #expect(try RequirementCatalogue.read(text: Self.entry).requirements.map(\.basis) == [.urlsession])
        #expect(try RequirementCatalogue.read(text: own).requirements.map(\.basis) == [.policy])
    }

    private static func both() throws -> RequirementCatalogue {
        try RequirementCatalogue.read(folder: Sample.scenarios + "/catalogue")
    }

    @Test func `the catalogue of HTTP requirements has 40 to 90 requirements and shares no id with the other`() throws {
        let catalogue = try RequirementCatalogue.read(path: Sample.scenarios + "/catalogue/http.yaml")
        #expect((40...90).contains(catalogue.requirements.count))
        #expect(catalogue.requirements.allSatisfy { $0.id.hasPrefix("RFC-") })
        #expect(try Self.both().ids.count == 415 + catalogue.requirements.count)
        #expect(try Self.both().requirements.count == 415 + catalogue.requirements.count)
        for requirement in catalogue.requirements {
            for source in requirement.sources {
                let parts = source.split(separator: ": ", maxSplits: 1)
                #expect(Citation.isValid(String(parts[0])), "\(requirement.id): \(source)")
                #expect(
                    parts.count == 2 && (1...25).contains(parts[1].split(separator: " ").count), "\(requirement.id)")
            }
        }
    }

    @Test func `every requirement of the catalogue of HTTP requirements has a scenario`() throws {
        var claimed: Set<String> = []
        for file in try ScenarioFiles.find(in: [Sample.scenarios]) {
            claimed.formUnion(try ScenarioReader.read(path: file).get().proves)
        }
        let catalogue = try RequirementCatalogue.read(path: Sample.scenarios + "/catalogue/http.yaml")
        #expect(catalogue.ids.subtracting(claimed) == [])
        #expect(try claimed.subtracting(Self.both().ids) == [])
    }

    @Test func `a section finds the requirements that cite it`() throws {
        let ids = try Self.both().requirements(citing: "RFC 9110 §15.4").map(\.id)
        #expect(ids.contains("RFC-REDIRECT-01") && !ids.contains { !$0.hasPrefix("RFC-REDIRECT-") })
    }

    @Test func `a duplicate id is refused`() {
        let twice = Self.entry + "\n" + Self.entry.split(separator: "\n").last!
        let error = #expect(throws: ScenarioErrors.self) { try RequirementCatalogue.read(text: twice) }
        #expect(error?.description.contains("twice") == true)
    }
}
