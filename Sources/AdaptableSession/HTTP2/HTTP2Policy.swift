/// The rules for HTTP/2 (RFC 9113).
package struct HTTP2Policy: Sendable, Equatable {
    /// `h2` is offered in the TLS handshake (H2-05).
    package var isOffered = true
    /// A server that does not choose `h2` is sent HTTP/1.1 (H2-06).
    package var fallsBack = true
    /// After GOAWAY no new stream is opened on the connection (RFC 9113 §6.8).
    package var honoursGoAway = true
    /// The priority of a task is sent to the server (RFC 9218, H2-12).
    package var sendsPriority = true
}
