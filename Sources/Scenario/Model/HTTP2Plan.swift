/// The versions of HTTP that an origin speaks, by their names in ALPN (RFC 7301).
package enum ApplicationProtocol: String, CaseIterable, Hashable, Sendable {
    case http2 = "h2"
    case http1 = "http/1.1"
}

/// How the origin speaks HTTP/2 where RFC 9113 leaves the choice to it.
package struct HTTP2Plan: Hashable, Sendable {
    /// In the first SETTINGS, in place of or beside the origin's own.
    package var settings: [HTTP2Setting] = []
    /// The most data in one DATA frame; nil: as much as the client's SETTINGS_MAX_FRAME_SIZE allows, 16 KiB at most.
    package var dataFrame: ByteCount?
    /// How much the client may send on the whole connection before the origin grants more.
    package var connectionWindow = ByteCount(4 * 1024 * 1024)!
    package init() {}
}
