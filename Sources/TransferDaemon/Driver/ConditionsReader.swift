import AdaptableSession
import Foundation
import Synchronization
import TransferProtocol

/// Reads the conditions of the machine: the network when the kernel announces a change, the power every few seconds.
final class ConditionsReader: Sendable {
    private struct State {
        var last: TransferConditions
        var monitor: PathMonitor?
        /// The last reply of UPower; nil if it is not present, or if the kernel lists a battery.
        var upower: PowerSupply?
    }

    /// The seconds between two readings of the power.
    private static let interval = 2
    /// The number of readings for each question to UPower: every connection to the bus is announced to all programs that
    /// watch its names, so there is one in 10 s.
    private static let readingsPerQuestion = 5

    private let state: Mutex<State>
    private let report: @Sendable (TransferConditions) -> Void

    init(_ report: @escaping @Sendable (TransferConditions) -> Void) {
        self.report = report
        state = Mutex(State(last: TransferConditions(path: .wired)))
        // Without the network state every transfer tries.
        let monitor = try? PathMonitor { [weak self] _ in self?.read(asksUPower: false) }
        state.withLock { $0.monitor = monitor }
        read(asksUPower: true)
        readAgain(1)
    }

    /// sysfs announces nothing.
    private func readAgain(_ reading: Int) {
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.interval)) { [weak self] in
            self?.read(asksUPower: reading == 0)
            self?.readAgain((reading + 1) % Self.readingsPerQuestion)
        }
    }

    var current: TransferConditions { state.withLock { $0.last } }

    /// Reads the power and takes the monitor's network. The monitor's own thread does not ask UPower, which may take the
    /// whole of `UPower.timeout`.
    private func read(asksUPower: Bool) {
        let listed = PowerSupply.read()
        let reply = asksUPower && listed == nil ? UPower.read() : nil
        let changed: TransferConditions? = state.withLock { state in
            if asksUPower { state.upower = reply }
            let power = listed ?? state.upower ?? .external
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
