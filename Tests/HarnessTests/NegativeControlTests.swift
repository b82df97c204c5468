import Conformance
import Foundation
import ScenarioLanguage
import Testing

@testable import Harness

/// Every claimed *must* needs a session that breaks it: a mutant that names it, or a known client whose baseline lists one of
/// its scenarios as a failure. Without one, nothing shows that its scenarios can fail.
@Suite struct NegativeControlTests {
    private let layout: InstallLayout
    private let catalogue: RequirementCatalogue

    init() throws {
        layout = try InstallLayout.find()
        catalogue = try RequirementCatalogue.read(folder: layout.file("Scenarios/catalogue"))
    }

    /// The scenarios that prove each requirement.
    private func proofs() throws -> [String: Set<String>] {
        var proofs: [String: Set<String>] = [:]
        for file in try ScenarioFiles.find(in: [layout.file("Scenarios")]) {
            let scenario = try ScenarioReader.read(path: file).get()
            for id in scenario.proves { proofs[id, default: []].insert(VariantID(scenario.id).base) }
        }
        return proofs
    }

    private func brokenByMutants() throws -> Set<String> {
        let command = [try layout.program("adaptable-adapter")]
        return Set(try MutantList.load(AdapterChoice(name: "adaptable", command: command)).flatMap(\.breaks))
    }

    /// The failures in the baselines of all known clients.
    private func baselineFailures() throws -> [(file: String, line: Baseline.Line)] {
        let clients = try layout.file("scripts/clients")
        let own = try FileManager.default.contentsOfDirectory(atPath: clients).flatMap { client in
            let folder = "\(clients)/\(client)"
            return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
                .filter { $0.hasPrefix("baseline") && $0.hasSuffix(".yaml") }.map { "\(folder)/\($0)" }
        }
        let shared = try layout.file("Scenarios/baseline")
        let files = own + (try FileManager.default.contentsOfDirectory(atPath: shared).map { "\(shared)/\($0)" })
        #expect(files.count >= 3, "\(files)")
        return try files.flatMap { file in
            try Baseline.read(file: file, text: String(contentsOfFile: file, encoding: .utf8)).lines
                .filter { ["fail", "varies"].contains($0.outcome) }.map { (file, $0) }
        }
    }

    /// Without them any other failure would be as expected.
    @Test func `every failure of a baseline names its checks or what they found`() throws {
        let unnamed = try baselineFailures().filter { $0.line.checks.isEmpty && $0.line.found == nil }
        #expect(unnamed.map { "\($0.file):\($0.line.line): \($0.line.scenario)" } == [])
    }

    /// A mutant of AdaptableSession that names it, or a client with a baseline that fails one of its scenarios.
    @Test func `every claimed must has a session that breaks it`() throws {
        let (proofs, broken) = (try proofs(), try brokenByMutants())
        let failed = Set(try baselineFailures().map { VariantID($0.line.scenario).base })
        let musts = Set(catalogue.requirements.filter { $0.level == .must }.map(\.id)).intersection(proofs.keys)
        let uncontrolled = musts.filter { id in
            !broken.contains(id) && proofs[id]?.isDisjoint(with: failed) == true
        }
        #expect(uncontrolled.sorted() == [], "these need a mutant")
    }

    @Test func `every requirement that a mutant breaks is in the catalogue`() throws {
        for id in try brokenByMutants() { #expect(catalogue[id] != nil, "\(id)") }
    }
}
