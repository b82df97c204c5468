import AdapterProtocol
import CommandAdapter
import Conformance
import Foundation
import Record
import ScenarioLanguage
import Testing

@testable import Harness

/// The number of the project's scenarios that a command without an adapter is asked, with something to judge in each.
/// Capabilities that are needed where completion would do lower it.
@Suite struct CommandCoverageTests {
    private static func scenarios() throws -> [Scenario] {
        let root = try InstallLayout.find().file("Scenarios")
        return try ScenarioFiles.find(in: [root]).compactMap { try? ScenarioReader.read(path: $0).get() }
    }

    private static func asked(_ template: String, _ scenarios: [Scenario]) throws -> Int {
        let settings = try CommandSettings(template: template)
        let offered = Capability.implied(by: settings.capabilities(about: "curl 8\nFeatures: HTTP2"))
        let reports = CommandSettings.reports
        return scenarios.count { scenario in
            let tasks = scenario.script.compactMap {
                if case .task(let task, body: _, starts: _) = $0 { task } else { nil }
            }
            return scenario.needs(of: .urlsession, reports: reports).isSubset(of: offered)
                && scenario.awaitedEvents(missingIn: reports).isEmpty
                && tasks.allSatisfy { settings.missing(for: $0) == nil }
                && scenario.expectations.contains { $0.check.neededEvents.allSatisfy { reports.contains($0) } }
        }
    }

    @Test func `at least 200 scenarios are asked of curl with a URL and a file alone`() throws {
        let scenarios = try Self.scenarios()
        #expect(try Self.asked("curl -sS -L --compressed --fail -o {file} {url}", scenarios) >= 200)
        let full = "curl -sS -L --compressed --fail -o {file} {headers:-H} {method:-X} {body:--data-binary @} {url}"
        #expect(try Self.asked(full, scenarios) >= 270)
    }
}
