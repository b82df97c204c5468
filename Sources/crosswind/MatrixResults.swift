import Conformance
import Foundation
import Harness
import Record
import Reports
import Synchronization

/// Collects the runs of every client, writes their pages, and shows the progress on standard error, so that standard
/// output is the table alone.
final class MatrixResults: Sendable {
    private struct Place: Hashable {
        var client: String
        var scenario: String
    }

    private struct State {
        var runs: [Place: [ReportedRun]] = [:]
        var pages: [Place: [Int: String]] = [:]
        var client = ""
        var baseline = Baseline.empty
        var total = 0
        var finished = 0
        var failed = 0
        var progress = ErrorProgress()
    }

    private let folder: ArtifactDirectory
    private let state = Mutex(State())

    init(folder: ArtifactDirectory) { self.folder = folder }

    func records(of client: String) -> String { "\(folder.path)/records/\(client)" }

    func begin(_ client: String, scenarios: Int, baseline: Baseline) {
        state.withLock { state in
            (state.client, state.baseline, state.total) = (client, baseline, scenarios)
            (state.finished, state.failed) = (0, 0)
            state.progress.log("\(client): \(scenarios) scenarios")
        }
    }

    func repeating(_ scenarios: Int) {
        state.withLock { $0.progress.log("\($0.client): repeating \(scenarios) that failed") }
    }

    func end() {
        state.withLock { $0.progress.log("\($0.client): \($0.finished) runs, \($0.failed) failed") }
    }

    /// Keeps a finished run; called on the runs' threads.
    func show(_ event: SuiteEvent, client: String) {
        guard case .ended(_, let result, let record) = event else { return }
        let baseline = state.withLock { $0.baseline }
        // The page and the excerpts are slow enough to stay outside the lock.
        let run = ReportedRun(result, baselineStatus: baseline.status(of: result), record: record)
        let header = result.header
        let name = MatrixResults.page(client: client, scenario: header.scenario, repetition: header.repetition)
        var page: String?
        if !record.isEmpty {
            let text = RunPage.html(run, record: record)
            // A page that cannot be written must not end the matrix; its cell is then without a link.
            if (try? folder.write(text, to: "\(folder.path)/\(name)")) != nil { page = name }
        }
        state.withLock { state in
            let place = Place(client: client, scenario: header.scenario)
            state.runs[place, default: []].append(run)
            if let page { state.pages[place, default: [:]][header.repetition] = page }
            state.finished += 1
            if case .fail = result.outcome { state.failed += 1 }
            // Repetitions come after the first run of each scenario.
            let runs = state.finished > state.total ? "\(state.finished)" : "\(state.finished) of \(state.total)"
            state.progress.show("\(client): \(runs) runs, \(state.failed) failed")
        }
    }

    /// Returns the results of one scenario by client.
    func support(of scenario: String) -> [String: MatrixReport.Support] {
        state.withLock { state in
            var support: [String: MatrixReport.Support] = [:]
            for (place, runs) in state.runs where place.scenario == scenario {
                let pages = state.pages[place] ?? [:]
                support[place.client] = MatrixReport.Support(runs) { pages[$0.result.header.repetition] }
            }
            return support
        }
    }

    /// Returns the path of a page in the folder of the results: `runs/curl/redirect/see-other.html`, and
    /// `…/see-other-2.html` for the second repetition.
    static func page(client: String, scenario: String, repetition: Int) -> String {
        "runs/\(client)/\(scenario)\(repetition == 1 ? "" : "-\(repetition)").html"
    }
}
