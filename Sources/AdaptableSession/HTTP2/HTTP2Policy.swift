/// How HTTP/2 is spoken (RFC 9113).
package struct HTTP2Policy: Sendable, Equatable {
    /// `h2` is offered in the TLS handshake (H2-05).
    package var isOffered = true
    /// So many streams are opened before the server has said how many it allows.
    package var streamsBeforeSettings = 100
    /// How many unread bytes a stream may have in flight: enough for a fast and distant server.
    package var streamWindow = 1 << 20
    /// And all streams of a connection together.
    package var connectionWindow = 1 << 24
    /// After GOAWAY no new stream is opened on the connection (RFC 9113 §6.8).
    package var honoursGoAway = true
    /// A task's priority is told to the server (RFC 9218, H2-12).
    package var sendsPriority = true
    /// So many PING and SETTINGS frames within half a minute are a burden and no attack: each must be acknowledged (RFC 9113 §6.7).
    package var controlFrameLimit = 20_000

    /// How many bytes of frames that bring no exchange forward may come within `controlFramesWindow` nanoseconds, beside two for each
    /// byte that was sent: some 40,000 WINDOW_UPDATEs, or 20,000 PINGs and as much again.
    package var controlBytesTaken: Int64 = 512 * 1024
    /// NIO's window for its own limits.
    package var controlFramesWindow: Int64 = 30_000_000_000

    package init() {}
}
