import OpenSSLTLS

/// The application protocols (ALPN) of a forward with terminated TLS.
enum ForwardProtocols {
    static let http1 = ["http/1.1"]
    static let http2 = ["h2"]
    static let both = http2 + http1

    /// Returns the protocols to offer to the host for those that a program offers; a program without ALPN speaks
    /// HTTP/1.1.
    static func offered(_ program: [String]) -> [String] {
        let known = both.filter(program.contains)
        return known.isEmpty ? http1 : known
    }
}

/// Holds a program's TLS handshake after its ClientHello until the host has selected the protocol: both sides must speak
/// the same one.
final class ForwardGate: HandshakeGate {
    private var isHeld = true
    var acceptedProtocols: [String]?

    var clientHelloDecision: ClientHelloDecision { isHeld ? .wait : .proceed }
    let limit: Int? = nil

    func release(_ breakpoint: TLSBreakpoint) { isHeld = false }
    func wrote(kind: CInt, prefix: [UInt8], isTLS13: Bool) {}
    func keyLogged(_ line: String) {}
}
