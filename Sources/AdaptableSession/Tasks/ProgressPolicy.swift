/// What the `Progress` of a task shows and does.
package struct ProgressPolicy: Hashable, Sendable {
    /// It follows the load; otherwise it only tells the end (PROG-01, PROG-06).
    package var followsTheLoad = true

    /// The body that is sent is a part of the work (PROG-03).
    package var countsSending = true

    /// More than was announced is no more than all (PROG-02).
    package var staysWithinWhole = true

    /// PROG-07
    package var cancelsTask = true
    /// PROG-08
    package var suspendsTask = true
    /// PROG-09
    package var resumesTask = true

    /// A load that ended well is the whole, for a parent too (PROG-05).
    package var endsWhole = true
    /// PROG-04
    package var showsDescription = true

    package init() {}
}
