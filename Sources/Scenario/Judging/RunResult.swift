/// One scenario's run as reports need it; everything else is in the record that it names.
package struct RunResult: Hashable, Sendable {
    package var header: RunHeader
    package var tags: [String]
    package var outcome: Outcome
    /// Wall time of the run, lab and adapter included.
    package var duration: Duration
    /// nil when no record could be made (the scenario was skipped).
    package var recordFile: String?
    package var captureFile: String?
    package init(
        header: RunHeader, tags: [String], outcome: Outcome, duration: Duration, recordFile: String?,
        captureFile: String?
    ) {
        self.header = header
        self.tags = tags
        self.outcome = outcome
        self.duration = duration
        self.recordFile = recordFile
        self.captureFile = captureFile
    }
}
