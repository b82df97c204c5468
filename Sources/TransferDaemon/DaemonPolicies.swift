/// The decisions of the daemon that the documents prescribe and that are easy to get wrong, each under one name.
///
/// This is the only entry for mutants, which replace some of the values for the whole process.
package struct DaemonPolicies: Sendable {
    package var scheduling = SchedulingPolicy()
    package var retry = TransferRetryPolicy()
    package var launches = LaunchPolicy()
    package var delivery = EventPolicy()
    package var tasks = AcceptancePolicy()

    package init() {}
}

/// The rules for passing events to clients.
package struct EventPolicy: Hashable, Sendable {
    /// Keep the events of a client that does not run (BKGD-05).
    package var keepsMissed = true
    /// Forget an event that the client has acknowledged (BKGD-05).
    package var forgetsAcknowledged = true
    /// Send events in the order in which they were stored (BKGD-25).
    package var keepsOrder = true
    /// Send a finished download before its completion (BKGD-10).
    package var deliversFiles = true
    /// Send progress (BKGD-10).
    package var reportsProgress = true
    /// Send `allDelivered` (BKGD-25).
    package var finishes = true
    /// Send `allDelivered` after the missed events (BKGD-25).
    package var finishesLast = true

    package init() {}
}

/// The rules for accepting tasks and for what happens to them without their client.
package struct AcceptancePolicy: Hashable, Sendable {
    /// Continue the tasks of a client that ends (BKGD-02).
    package var outliveClients = true
    /// Continue the tasks of the store after a restart of the daemon (BKGD-17).
    package var outliveDaemons = true
    /// Stop the transfer of a cancelled task.
    package var stopWhenCancelled = true
    /// Follow redirects (REDR-08).
    package var followRedirects = true
    /// Accept data tasks (BKGD-12).
    package var includeData = true
    /// Keep a challenge until the client decides on it (BKGD-22).
    package var waitForAnswers = true
    /// Wait without a network instead of failing (CONN-21).
    package var waitForNetwork = true
    /// Let the client have the part of a cancelled download (DNLD-20).
    package var handOverParts = true
    /// Send the request with which the client replaced a delayed one (SCHD-09).
    package var useNewRequests = true
    /// Send a delayed request that the client continues (SCHD-08).
    package var obeyContinue = true
    /// End a delayed task that the client cancels (SCHD-10).
    package var obeyCancel = true
    /// Name the tasks of an earlier process to a client that connects (BKGD-06).
    package var nameEarlier = true
    /// Keep the expected counts of bytes that the client sets (SCHD-11).
    package var keepHints = true
    /// Use the expected counts of bytes for scheduling only (SCHD-12).
    package var treatCountsAsHints = true

    package init() {}
}
