import ScenarioLanguage
import Record
import Foundation
import Harness
import Reports
import Conformance
import Synchronization

/// Prints a line for each finished scenario and, on a terminal, a live status line below.
final class SuiteDisplay: Sendable {
    private struct State {
        var progress: ProgressLine
        var hasLiveLine = false
        var reported: [String: ReportedRun] = [:]
    }

    let isTerminal: Bool
    private let console: ConsoleReport
    private let baseline: Baseline
    private let writePage: @Sendable (ReportedRun, [RecordEntry]) -> String?
    private let state: Mutex<State>
    private let started = Date()

    /// - Parameter writePage: writes the web page of a run and returns its path, on the thread of the run.
    init(
        total: Int, nameWidth: Int, baseline: Baseline, isVerbose: Bool = false,
        writePage: @escaping @Sendable (ReportedRun, [RecordEntry]) -> String? = { _, _ in nil }
    ) {
        isTerminal = Terminal.isOutput
        console = ConsoleReport(colour: isTerminal, nameWidth: nameWidth, isVerbose: isVerbose)
        self.baseline = baseline
        self.writePage = writePage
        state = Mutex(State(progress: ProgressLine(total: total)))
    }

    func show(_ event: SuiteEvent) {
        switch event {
        case .began(let item, let scenario):
            state.withLock { state in
                state.progress.started(label(scenario.id, item.repetition))
                drawLiveLine(&state)
            }
        case .ended(_, let result, let record):
            // Choosing the excerpts and writing a page are slow enough to stay outside the lock.
            var run = ReportedRun(result, baselineStatus: baseline.status(of: result), record: record)
            run.page = writePage(run, record)
            state.withLock { state in
                let name = label(result.header.scenario, result.header.repetition)
                state.progress.finished(name, result.outcome)
                state.reported[name] = run
                clearLiveLine(&state)
                Terminal.write(console.finished(run) + "\n")
                // A log that is followed shows each line when its scenario ends.
                fflush(nil)
                drawLiveLine(&state)
            }
        }
    }

    func end() { state.withLock { clearLiveLine(&$0) } }

    /// The results in the order in which they were shown.
    func reported(_ results: [RunResult]) -> [ReportedRun] {
        state.withLock { state in
            results.compactMap { state.reported[label($0.header.scenario, $0.header.repetition)] }
        }
    }

    private func label(_ scenario: String, _ repetition: Int) -> String {
        repetition == 1 ? scenario : "\(scenario) #\(repetition)"
    }

    private func drawLiveLine(_ state: inout State) {
        guard isTerminal else { return }
        let elapsed = Duration.seconds(Date().timeIntervalSince(started))
        Terminal.write("\r\u{1B}[2K" + state.progress.text(elapsed: elapsed, width: Terminal.width))
        state.hasLiveLine = true
    }

    private func clearLiveLine(_ state: inout State) {
        guard state.hasLiveLine else { return }
        Terminal.write("\r\u{1B}[2K")
        state.hasLiveLine = false
    }
}
