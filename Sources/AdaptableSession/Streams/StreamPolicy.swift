/// What a stream task does with its connection.
package struct StreamPolicy: Hashable, Sendable {
    /// A read waits for as many bytes as it was asked for at least (STRM-01).
    package var readsTheMinimum = true

    /// `startSecureConnection` begins TLS (STRM-02).
    package var secures = true

    package init() {}
}
