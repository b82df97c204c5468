/// The rules for the `Progress` of a task.
package struct ProgressPolicy: Hashable, Sendable {
    /// Update the progress during the load; otherwise only at its end (PROG-01, PROG-06).
    package var followsTheLoad = true

    /// Count the sent body as a part of the work (PROG-03).
    package var countsSending = true

    /// Limit the progress to 1 when more bytes arrive than announced (PROG-02).
    package var staysWithinWhole = true

    /// Cancel the task when its progress is cancelled (PROG-07).
    package var cancelsTask = true
    /// Suspend the task when its progress is paused (PROG-08).
    package var suspendsTask = true
    /// Resume the task when its progress is resumed (PROG-09).
    package var resumesTask = true

    /// Complete the progress when the load succeeds, also for parents (PROG-05).
    package var endsWhole = true
    /// Describe the progress in words (PROG-04).
    package var showsDescription = true

    package init() {}
}
