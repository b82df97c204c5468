import AdaptableSession
import Foundation
import Synchronization
import TransferProtocol

/// Reads the conditions of the machine: the network when the kernel announces a change, the power every few seconds.
final class ConditionsReader: Sendable {
    private struct State {
        var last: TransferConditions
        var monitor: PathMonitor?
    }

    private let state: Mutex<State>
    private let report: @Sendable (TransferConditions) -> Void

    init(_ report: @escaping @Sendable (TransferConditions) -> Void) {
        self.report = report
        state = Mutex(State(last: TransferConditions(path: .wired)))
        // Without the network state every transfer tries.
        let monitor = try? PathMonitor { [weak self] _ in self?.read() }
        state.withLock { $0.monitor = monitor }
        read()
        readAgain()
    }

    /// sysfs announces nothing.
    private func readAgain() {
        DispatchQueue.global().asyncAfter(deadline: .now() + 2) { [weak self] in
            self?.read()
            self?.readAgain()
        }
    }

    var current: TransferConditions { state.withLock { $0.last } }

    private func read() {
        let power = PowerSupply.read()
        let changed: TransferConditions? = state.withLock { state in
            let now =
                state.monitor.map { TransferConditions($0.current, power) }
                ?? TransferConditions(
                    path: .wired, hasExternalPower: power.hasExternalPower, batteryLevel: power.batteryLevel)
            guard now != state.last else { return nil }
            state.last = now
            return now
        }
        if let changed { report(changed) }
    }
}
