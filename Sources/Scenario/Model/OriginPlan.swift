/// What the embedded origin serves and where it misbehaves.
package struct OriginPlan: Hashable, Sendable {
    package var routes: [Route] = []
    package var faults: [Fault] = []
    /// Present: the origin also listens with TLS on 443 and script paths become https URLs.
    package var tls: TLSPlan?
    /// The server closes a kept-alive connection after this much idleness; nil keeps it open.
    package var idleTimeout: Duration?
    /// In the order of the server's preference (ALPN); without TLS HTTP/2 begins by prior knowledge (RFC 9113 §3.3).
    package var protocols: [ApplicationProtocol] = [.http1]
    package var http2 = HTTP2Plan()
    package init() {}
}
