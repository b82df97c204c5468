import Foundation
import Testing

@testable import ScenarioLanguage
@testable import Conformance

struct UnclaimedReasonsTests {
    private static func catalogue() throws -> RequirementCatalogue {
        try RequirementCatalogue.read(folder: Sample.scenarios + "/catalogue")
    }

    private static func reasons() throws -> UnclaimedReasons {
        try UnclaimedReasons.read(path: Sample.scenarios + "/catalogue/unclaimed.yaml", catalogue: catalogue())
    }

    private static func claimed() throws -> Set<String> {
        var ids: Set<String> = []
        for file in try ScenarioFiles.find(in: [Sample.scenarios]) {
            ids.formUnion(try ScenarioReader.read(path: file).get().proves)
        }
        return ids
    }

    /// The areas that apply to a session within one process; their requirements need a scenario or a reason.
    private static let areas = [
        "CONF", "TASK", "DLGT", "DATA", "UPLD", "DNLD", "AUTH", "REDR", "CACH", "COOK", "STOR", "CONN", "TIME", "PROG",
        "POOL", "H2", "TLSV",
        "PRXY", "STRM", "CONV", "PROT", "INVL", "ERRR", "ENCD",
    ]

    @Test func `every must and should without a scenario has a reason`() throws {
        let (reasons, claimed) = (try Self.reasons(), try Self.claimed())
        for requirement in try Self.catalogue().requirements
        where requirement.level == .must || requirement.level == .should {
            guard Self.areas.contains(String(requirement.id.prefix { $0 != "-" })), !claimed.contains(requirement.id)
            else { continue }
            #expect(reasons[requirement.id] != nil, "\(requirement.id)")
        }
    }

    @Test func `a requirement claimed by a scenario must not have an individual reason`() throws {
        #expect(try Self.reasons().named.intersection(Self.claimed()).isEmpty)
    }

    @Test func `an area's reason applies to each of its requirements and an individual reason overrides it`() throws {
        let text = """
            - { reason: all of it, areas: [BKGD] }
            - { reason: this one, requirements: [BKGD-02] }
            """
        let reasons = try UnclaimedReasons.read(text: text, catalogue: Self.catalogue())
        #expect(reasons["BKGD-01"] == "all of it")
        #expect(reasons["BKGD-02"] == "this one")
        #expect(reasons["CONF-01"] == nil)
        #expect(reasons.named == ["BKGD-02"])
    }

    /// The text of the tests is read, because this program does not contain the other modules.
    @Test func `each unit test that proves a requirement exists`() throws {
        let tests = Sample.scenarios + "/../Tests/"
        let proofs = try Self.reasons().tests
        #expect(!proofs.isEmpty)
        for (id, named) in proofs {
            for test in named {
                let files =
                    FileManager.default.enumerator(atPath: tests + test.module)?.compactMap { $0 as? String } ?? []
                let isThere = try files.contains { file in
                    guard file.hasSuffix(".swift") else { return false }
                    let text = try String(contentsOfFile: "\(tests)\(test.module)/\(file)", encoding: .utf8)
                    return text.contains("func `\(test.name)`(")
                }
                #expect(isThere, "\(id): \(test.module) does not have the test “\(test.name)”")
            }
        }
    }

    @Test(arguments: [
        ("- { reason: r, areas: [BKGD], provenBy: [M/t] }", "single requirements"),
        ("- { reason: r, requirements: [BKGD-08], provenBy: [test] }", "MODULE/NAME"),
        ("- { reason: r, areas: [BKDG] }", "did you mean `BKGD`?"),
        ("- { reason: r, requirements: [CONF-99] }", "not have a requirement `CONF-99`"),
        ("- { reason: r }", "`areas` or `requirements`"),
        ("- { reason: r, requirements: [CONF-01, CONF-01] }", "twice"),
        ("- { areas: [BKGD] }", "no `reason`"),
    ])
    func `a mistake in the list is reported with its position`(text: String, message: String) throws {
        let catalogue = try Self.catalogue()
        let error = #expect(throws: ScenarioErrors.self) {
            try UnclaimedReasons.read(file: "u.yaml", text: text, catalogue: catalogue)
        }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
        #expect(error?.description.hasPrefix("u.yaml:1:") == true)
    }
}
