package import TransferProtocol

/// The limits and thresholds of the scheduler. Where the documents name no number, the value is this daemon's choice.
package struct SchedulingPolicy: Hashable, Sendable {
    /// The number of transfers that run at the same time.
    package var limit = 16
    /// The number of transfers of one session to one host, scheme and port; a session may ask for fewer.
    package var limitPerHost = 6
    /// Below this level a battery counts as low (DISC-07).
    package var lowBattery = 0.2
    /// At this share of the resource timeout a discretionary task runs on battery, unless the battery is low (DISC-06).
    package var shareForBattery = 0.5
    /// At this share a discretionary task runs under any conditions that its request allows (DISC-06).
    package var shareForAnything = 0.25
    /// Wait for the earliest begin date (SCHD-01).
    package var keepsBeginDates = true
    /// The tasks whose client is asked before they begin (SCHD-04, SCHD-05).
    package var asks = Asked.withBeginDate
    /// Let discretionary tasks wait for Wi-Fi or a wire, and for power (DISC-01).
    package var waitsForWifi = true
    package var waitsForPower = true
    /// Treat uploads and downloads that were made in the background as discretionary (DISC-03) until the client comes to
    /// the foreground (DISC-04).
    package var defersBackground = true
    package var liftsInForeground = true
    /// Do not defer the other tasks of a client in the foreground (DISC-02).
    package var hurriesInForeground = true
    /// Stop discretionary tasks whose throughput is poor (DISC-08).
    package var stopsSlow = true
    /// End tasks at their resource timeout (BKGD-20).
    package var keepsResourceTimeout = true
    /// The kinds of tasks that run only with their client (BKGD-02, BKGD-12).
    package var kindsNeedingClient: Set<TransferTask.Kind> = [.data]

    package enum Asked: Hashable, Sendable { case none, withBeginDate, all }

    /// The delay of a discretionary task that was stopped for its poor throughput (DISC-08).
    package var deferral: Duration = .seconds(600)

    package init() {}
}

/// The order in which tasks get a free place (DISC-11). In-process tasks come before all of them, because they do not
/// wait for the daemon.
package enum TransferUrgency: Int, Hashable, Sendable, Comparable {
    case discretionary
    /// The client is in the background or does not run.
    case background
    case foreground

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
