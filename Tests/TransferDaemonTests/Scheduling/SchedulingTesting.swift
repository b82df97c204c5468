import Foundation
import TransferProtocol

@testable import TransferDaemon

private let boot = UUID()

/// Returns an instant some seconds after the start of a test.
func at(_ seconds: Double, wallSetBy change: Double = 0) -> TransferInstant {
    TransferInstant(
        wall: Date(timeIntervalSince1970: 1_700_000_000 + seconds + change), uptime: .seconds(1000 + seconds),
        boot: boot)
}

/// Returns a resumed download; times are seconds after the start of the test.
func task(
    _ number: Int, session: String = "s", kind: TransferTask.Kind = .download, host: String = "h", begin: Double? = nil,
    timeout: Double = 1000, priority: Double = 0.5, discretionary: Bool = false, background: Bool = false,
    access: PathAccess = .all, retry: Double? = nil, asks: Bool = false
) -> ScheduledTask {
    var timers = TransferTimers.new(
        earliestBegin: begin.map { at($0).wall }, resourceTimeout: timeout, at: at(0))
    timers.setResourceRuns(true, at: at(0))
    timers.setRetry(after: retry.map { .seconds($0) }, at: at(0))
    return ScheduledTask(
        key: TransferKey(session: session, number: number), kind: kind, origin: "https://\(host):443",
        order: Int64(number), priority: priority, isDiscretionary: discretionary, wasCreatedInBackground: background,
        access: access, timers: timers, resourceTimeout: .seconds(timeout), needsDelayedDecision: asks)
}

extension TransferConditions {
    static let good = TransferConditions(path: .wifi, hasExternalPower: true, batteryLevel: 1)
    static let wifiOnBattery = TransferConditions(path: .wifi, hasExternalPower: false, batteryLevel: 0.9)
    static let wifiOnLowBattery = TransferConditions(path: .wifi, hasExternalPower: false, batteryLevel: 0.05)
    static let cellular = TransferConditions(
        path: .cellular, isExpensive: true, hasExternalPower: true, batteryLevel: 1)
    static let cellularOnLowBattery = TransferConditions(
        path: .cellular, isExpensive: true, hasExternalPower: false, batteryLevel: 0.05)
    static let hotspot = TransferConditions(path: .wifi, isExpensive: true, hasExternalPower: true, batteryLevel: 1)
    static let constrained = TransferConditions(path: .wired, isConstrained: true)
    static let wired = TransferConditions(path: .wired)
    static let offline = TransferConditions(path: .none)
}
