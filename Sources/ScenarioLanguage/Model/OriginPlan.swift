/// The content and the faults of the embedded origin.
package struct OriginPlan: Hashable, Sendable {
    package var routes: [Route] = []
    package var faults: [Fault] = []
    /// If present, the origin also listens with TLS on 443, and the paths in steps become https URLs.
    package var tls: TLSPlan?
    /// The server closes a kept-alive connection after this much idleness; nil keeps it open.
    package var idleTimeout: Duration?
    /// The protocols in the server's order of preference (ALPN); without TLS, HTTP/2 starts with prior knowledge (RFC
    /// 9113 §3.3).
    package var protocols: [ApplicationProtocol] = [.http1]
    package var http2 = HTTP2Plan()
    package init() {}
}
