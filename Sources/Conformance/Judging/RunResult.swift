package import Record

/// The result of one scenario's run for reports; all other data is in the record that it names.
package struct RunResult: Hashable, Sendable {
    package var header: RunHeader
    package var tags: [String]
    package var outcome: Outcome
    /// The wall time of the run, including lab and adapter.
    package var duration: Duration
    /// The path of the record; nil if there is none (the scenario was skipped).
    package var recordFile: String?
    package var captureFile: String?
    /// True if the outcome is an error because the machine was too slow for a check of time.
    package var wasTooSlow = false
    /// The checks that were left out.
    package var notJudged: [NotJudged] = []
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
