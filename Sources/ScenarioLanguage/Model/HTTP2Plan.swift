/// The HTTP versions of an origin, by their ALPN names (RFC 7301).
package enum ApplicationProtocol: String, CaseIterable, Hashable, Sendable {
    case http2 = "h2"
    case http1 = "http/1.1"
}

/// The origin's HTTP/2 behaviour where RFC 9113 leaves the choice to it.
package struct HTTP2Plan: Hashable, Sendable {
    /// Settings in the first SETTINGS frame, which replace or extend the origin's defaults.
    package var settings: [HTTP2Setting] = []
    /// The maximum data in one DATA frame; nil: the client's SETTINGS_MAX_FRAME_SIZE, at most 16 KiB.
    package var dataFrame: ByteCount?
    /// The number of bytes that the client may send on the whole connection before the origin grants more.
    package var connectionWindow = ByteCount(4 * 1024 * 1024)!
    package init() {}
}
