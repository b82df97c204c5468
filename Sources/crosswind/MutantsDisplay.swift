import Record
import Conformance
import Foundation
import Harness
import Reports
import Synchronization

/// Prints a line for each judged mutant and, on a terminal, a live count below.
final class MutantsDisplay: Sendable {
    private struct State {
        var judged = 0
        var survived = 0
        var hasLiveLine = false
    }

    private let total: Int
    private let nameWidth: Int
    private let isTerminal = Terminal.isOutput
    private let state = Mutex(State())

    init(total: Int, nameWidth: Int) {
        self.total = total
        self.nameWidth = nameWidth
    }

    func show(_ event: MutantsEvent) {
        state.withLock { state in
            clearLiveLine(&state)
            switch event {
            case .controlBegan(let scenarios): print("correct session: \(scenarios) scenarios")
            case .controlEnded(let results):
                for result in results where result.outcome != .pass {
                    print("  \(result.header.scenario): \(result.outcome.word), so it cannot catch a mutant")
                }
            case .judged(let verdict):
                state.judged += 1
                if case .survived = verdict.finding { state.survived += 1 }
                let row = MutantTable.row(verdict)
                let padding = String(repeating: " ", count: max(0, nameWidth - row[0].count))
                print("\(row[0])\(padding)  \(row[2])  \(row[3])")
                fflush(nil)
            }
            drawLiveLine(&state)
        }
    }

    func end() { state.withLock { clearLiveLine(&$0) } }

    private func drawLiveLine(_ state: inout State) {
        guard isTerminal else { return }
        Terminal.write("\r\u{1B}[2K\(state.judged)/\(total) mutants, \(state.survived) survived")
        state.hasLiveLine = true
    }

    private func clearLiveLine(_ state: inout State) {
        guard state.hasLiveLine else { return }
        Terminal.write("\r\u{1B}[2K")
        state.hasLiveLine = false
    }
}
