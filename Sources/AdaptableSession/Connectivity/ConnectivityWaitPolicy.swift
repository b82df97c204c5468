/// The rules for tasks that wait for connectivity.
package struct ConnectivityWaitPolicy: Sendable, Equatable {
    /// A task of a session without `waitsForConnectivity` fails immediately (CONN-01, CONN-29).
    package var waitsOnlyIfRequested = true
    /// The delegate is called at most once for each task, regardless of how often the network comes and goes (CONN-08).
    package var notifiesOnce = true
    /// If a connection cannot be made, the task waits as it does without a network (CONN-17).
    package var waitsAfterFailedAttempt = true
    /// A task that had a connection does not wait again (CONN-18).
    package var waitsOnlyBeforeFirstConnection = true
    /// Waiting tasks start when a path opens (CONN-06); false leaves them to a timer.
    package var startsWhenPathOpens = true
    /// Paths that the request forbids do not start waiting tasks when they come and go (CONN-31).
    package var honoursForbidden = true
    /// Nanoseconds from a failed attempt to the next one to the same host; doubled after each failure, up to
    /// `longestPause` (CONN-26).
    package var firstPause: Int64 = 1_000_000_000
    package var longestPause: Int64 = 5_000_000_000
    /// Only one task at a time tries a host that does not respond (CONN-26).
    package var triesHostOnce = true
    /// Does not try any host while a path is missing.
    package var staysQuietWithoutPath = true

    package init() {}
}
