/// An action of the harness on a task's `Progress` object.
package enum ProgressAction: String, CaseIterable, Hashable, Sendable { case read, cancel, pause, resume }

/// The values of a task's `Progress` object (PROG-01 to PROG-05).
package struct ProgressReading: Hashable, Sendable {
    package var completed: Int64
    package var total: Int64
    /// `fractionCompleted` unchanged, even outside 0 to 1.
    package var fraction: Double
    package var isCancelled = false
    package var isPaused = false
    /// `localizedDescription` and `localizedAdditionalDescription`; nil when the object has none.
    package var description: String?
    package var additionalDescription: String?
    /// `fractionCompleted` of the parent that `TaskDescription.jointProgress` names.
    package var joint: Double?
    package init(completed: Int64, total: Int64, fraction: Double) {
        self.completed = completed
        self.total = total
        self.fraction = fraction
    }
}
