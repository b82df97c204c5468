/// How tasks wait for connectivity.
package struct ConnectivityWaitPolicy: Sendable, Equatable {
    /// A task of a session without `waitsForConnectivity` fails at once (CONN-01, CONN-29).
    package var waitsOnlyIfRequested = true
    /// At most one message for each task, however often the network comes and goes (CONN-08).
    package var notifiesOnce = true
    /// A connection that cannot be made leads to waiting like a network that is missing (CONN-17).
    package var waitsAfterFailedAttempt = true
    /// A name that does not exist fails at once though the session waits; the documents leave it open (CONN-30).
    package var waitsAfterFailedLookup = false
    /// A name server that cannot be reached is connectivity that is missing (CONN-30).
    package var waitsAfterUnansweredLookup = true
    /// A task that had a connection does not go back to waiting (CONN-18).
    package var waitsOnlyBeforeFirstConnection = true
    /// Waiting tasks start when a path opens (CONN-06); false leaves them to a timer.
    package var startsWhenPathOpens = true
    /// Forbidden paths that come and go start nothing (CONN-31).
    package var honoursForbidden = true
    /// After a failed attempt the next to the same host comes after this many nanoseconds, then twice as many, up to the limit (CONN-26).
    package var firstPause: Int64 = 1_000_000_000
    package var longestPause: Int64 = 5_000_000_000
    /// One task at a time tries a host that does not answer (CONN-26).
    package var triesHostOnce = true
    /// Nothing is tried while there is no path.
    package var staysQuietWithoutPath = true

    package init() {}
}
