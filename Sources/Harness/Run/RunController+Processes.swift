import AdapterProtocol
import Glibc
import LabKernel
import NetworkMonitor
import Record
import ScenarioLanguage

/// The processes of the app and of its daemons, which steps end, stop and start.
extension RunController {
    func perform(_ action: AppAction) {
        switch action {
        case .terminate:
            endsByStep = true
            record(.terminated)
            adapter.process.signal(SIGTERM)
        case .crash:
            endsByStep = true
            record(.killed)
            adapter.process.signal(SIGKILL)
        case .suspend:
            record(.suspended)
            adapter.process.suspend()
        case .continue:
            adapter.process.resume()
            record(.continued)
        case .background: send(.setApplicationState(.background))
        case .foreground: send(.setApplicationState(.foreground))
        case .launch: launch()
        }
    }

    func perform(_ action: DaemonAction) {
        let signal: Int32 =
            switch action {
            case .terminate: SIGTERM
            case .crash: SIGKILL
            case .suspend: SIGSTOP
            case .continue: SIGCONT
            }
        let count = adapter.process.signalOthers(signal)
        record(.daemonsSignalled, "\(action.rawValue), \(count) processes")
    }

    private func launch() {
        do throws(HarnessError) { adapter = try adapter.next() } catch { return fail(error) }
        (endsByStep, hasExited, isUnregistered) = (false, false, true)
        record(.launched)
        measureRunQueueDelay(from: MonotonicClock.now())
        send(.hello(capabilities: Handshake.questions))
    }

    /// The process that a step ended is gone. What it wrote before is part of the record.
    func appEnded(_ poller: borrowing Poller) throws(SystemCallError) {
        try readRest()
        try adapter.forgetAll(poller)
        let text =
            switch adapter.process.receiveEnd() {
            case .exited(let code): "status \(code)"
            case .signalled(let number, coreDumped: _): "signal \(number)"
            }
        record(.ended, text)
        hasExited = true
        runQueueDelay = nil
        play(.appEnded, at: MonotonicClock.now())
    }

    private func record(_ change: ProcessChange, _ details: String = "") {
        let change = Labelled(change, details)
        recorder.record(
            .adapter(.process(generation: adapter.generation, change)), at: MonotonicClock.now())
    }
}
