/// The rules for stream tasks.
package struct StreamPolicy: Hashable, Sendable {
    /// Let a read wait for its minimum number of bytes (STRM-01).
    package var readsTheMinimum = true

    /// Start TLS in `startSecureConnection` (STRM-02).
    package var secures = true

    /// Capture the streams after all earlier reads and writes have finished (STRM-03).
    package var captureWaits = true

    /// Pass received and unread bytes to the captured input stream (STRM-03).
    package var capturesUnread = true

    /// Continue the task's own connection in the captured streams.
    package var capturesConnection = true

    package init() {}
}
