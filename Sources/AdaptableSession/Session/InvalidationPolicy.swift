/// The rules for invalidating a session.
package struct InvalidationPolicy: Hashable, Sendable {
    /// Report the invalidation after all other callbacks (INVL-04).
    package var comesLast = true
    /// Retain the delegate until the invalidation (INVL-01).
    package var holdsDelegate = true
    /// Release the delegate after the invalidation (INVL-05).
    package var releasesDelegate = true
    /// Cancel the tasks in `invalidateAndCancel()` (INVL-02).
    package var cancelsTasks = true
    /// Let tasks finish in `finishTasksAndInvalidate()` (INVL-03).
    package var finishesTasks = true

    package init() {}
}
