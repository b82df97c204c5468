@testable import Record
import Testing

@testable import ScenarioLanguage
@testable import Conformance

/// Tests of the repository's scenarios: a check that cannot hold would end each of their runs as an error.
@Suite struct RepositoryCheckTests {
    @Test func `every check of the repository's scenarios can hold`() throws {
        let files = try ScenarioFiles.find(in: [Sample.scenarios])
        #expect(!files.isEmpty)
        for file in files {
            let scenario = try ScenarioReader.read(path: file).get()
            for expectation in scenario.expectations {
                #expect(expectation.check.problem(in: scenario) == nil, "\(file):\(expectation.line)")
            }
        }
    }

    /// A scenario that proves an RFC, and whose checks all rest on URLSession, would never be asked of other clients.
    @Test func `what an RFC states is asked of every client`() throws {
        let catalogue = try RequirementCatalogue.read(folder: Sample.scenarios + "/catalogue")
        var asked = 0
        for file in try ScenarioFiles.find(in: [Sample.scenarios]) {
            var scenario = try ScenarioReader.read(path: file).get()
            scenario.bases = catalogue.bases(of: scenario)
            guard scenario.bases.contains(.rfc) else { continue }
            #expect(scenario.isAsked(by: .httpClient), "\(file)")
            asked += 1
        }
        #expect(asked >= 200)
    }

    /// A run without recorded events passes no scenario.
    @Test func `no scenario of the repository passes without events`() throws {
        let files = try ScenarioFiles.find(in: [Sample.scenarios])
        #expect(!files.isEmpty)
        for file in files {
            let scenario = try ScenarioReader.read(path: file).get()
            var run = Run()
            run.end()
            let verdict = Judge.verdict(scenario: scenario, entries: run.entries)
            #expect(verdict.outcome != .pass, "\(file)")
        }
    }
}
