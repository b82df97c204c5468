/// How a session ends.
package struct InvalidationPolicy: Hashable, Sendable {
    /// The invalidation is told after everything else (INVL-04).
    package var comesLast = true
    /// The session holds its delegate until then (INVL-01).
    package var holdsDelegate = true
    /// The delegate is let go (INVL-05).
    package var releasesDelegate = true
    /// `invalidateAndCancel()` cancels (INVL-02).
    package var cancelsTasks = true
    /// `finishTasksAndInvalidate()` lets tasks finish (INVL-03).
    package var finishesTasks = true

    package init() {}
}
