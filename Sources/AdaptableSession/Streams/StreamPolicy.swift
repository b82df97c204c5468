/// What a stream task does with its connection.
package struct StreamPolicy: Hashable, Sendable {
    /// A read waits for as many bytes as it was asked for at least (STRM-01).
    package var readsTheMinimum = true

    /// `startSecureConnection` begins TLS (STRM-02).
    package var secures = true

    /// Streams are made when all reads and writes before are through (STRM-03).
    package var captureWaits = true

    /// What the task has received and nobody has read goes to the captured stream (STRM-03).
    package var capturesUnread = true

    /// The captured streams carry on the task's own connection.
    package var capturesConnection = true

    package init() {}
}
