import Conformance
import Foundation
import Harness
import Record
import Reports
import ScenarioLanguage
import Synchronization

/// The folder of web pages that `run --html` writes: a page for each run as it ends, and the suite's page at the end.
final class RunPages: Sendable {
    private let folder: String
    private let includesPasses: Bool
    private let scenarios: [String: Scenario]
    private let baseline: Baseline
    /// The first page that could not be written; reported at the end, because the runs matter more.
    private let failure = Mutex<HarnessError?>(nil)

    /// Creates the folder, so that a wrong path is reported before the first run.
    init(
        _ folder: String, includesPasses: Bool, scenarios: [Scenario], baseline: Baseline, evidence: ArtifactDirectory
    ) throws(HarnessError) {
        self.folder = folder
        self.includesPasses = includesPasses
        self.scenarios = Dictionary(scenarios.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        self.baseline = baseline
        try evidence.write("", to: "\(folder)/.writable", option: "--html")
        try? FileManager.default.removeItem(atPath: "\(folder)/.writable")
    }

    /// Writes the page of a run that has one, and returns its path for links. Called on the threads of the runs.
    func write(_ run: ReportedRun, _ record: [RecordEntry], _ evidence: ArtifactDirectory) -> String? {
        guard run.isFailure || includesPasses, !record.isEmpty else { return nil }
        let file = run.pageFile
        let home = String(repeating: "../", count: file.split(separator: "/").count - 1) + SuitePage.file
        let verdict = scenarios[run.result.header.scenario].map {
            Judge.verdict(scenario: $0, entries: record, baseline: baseline)
        }
        let page = RunPage.html(
            run, record: record, checks: verdict.map { $0.checks + $0.invariants } ?? [], home: home)
        do throws(HarnessError) {
            try evidence.write(page, to: "\(folder)/\(file)", option: "--html")
            return file
        } catch {
            failure.withLock { if $0 == nil { $0 = error } }
            return nil
        }
    }

    /// Writes the suite's page and adds the suite to the history of the folder.
    func write(_ suite: SuiteReport, _ evidence: ArtifactDirectory) throws(HarnessError) {
        if let failure = failure.withLock({ $0 }) { throw failure }
        let path = "\(folder)/\(RunHistory.file)"
        let known = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let history = RunHistory(text: known)
        try evidence.write(SuitePage.html(suite, history: history), to: "\(folder)/\(SuitePage.file)", option: "--html")
        try evidence.write(history.adding(suite).text, to: path, option: "--html")
    }
}
