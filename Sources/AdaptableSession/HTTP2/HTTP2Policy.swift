/// The rules for HTTP/2 (RFC 9113).
package struct HTTP2Policy: Sendable, Equatable {
    /// `h2` is offered in the TLS handshake (H2-05).
    package var isOffered = true
    /// The number of streams that may be opened before the server's SETTINGS have arrived.
    package var streamsBeforeSettings = 100
    /// The flow-control window of a stream in bytes: enough for a fast and distant server.
    package var streamWindow = 1 << 20
    /// The flow-control window of a connection in bytes, for all its streams together.
    package var connectionWindow = 1 << 24
    /// After GOAWAY no new stream is opened on the connection (RFC 9113 §6.8).
    package var honoursGoAway = true
    /// The priority of a task is sent to the server (RFC 9218, H2-12).
    package var sendsPriority = true
    /// The number of PING and SETTINGS frames within half a minute that is not yet treated as an attack: each of them
    /// must be acknowledged (RFC 9113 §6.7).
    package var controlFrameLimit = 20_000

    /// The number of bytes in frames that do not advance an exchange which may arrive within `controlFramesWindow`
    /// nanoseconds, in addition to two for each byte sent: some 40,000 WINDOW_UPDATEs, or 20,000 PINGs and as much
    /// again.
    package var controlBytesTaken: Int64 = 512 * 1024
    /// The same period as NIO uses for its own limits.
    package var controlFramesWindow: Int64 = 30_000_000_000

    package init() {}
}
