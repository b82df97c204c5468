/// Stops a server's handshake, and follows its output. Test equipment has gates; clients and ordinary servers have none.
package protocol HandshakeGate: AnyObject {
    /// The reply to a ClientHello; read again when the handshake continues.
    var clientHelloDecision: ClientHelloDecision { get }
    /// The end of the ciphertext to send now, as an offset in all ciphertext of the connection; nil if nothing is held
    /// back. The handshake pauses before Finished as long as it has a value.
    var limit: Int? { get }

    /// The ALPN protocols to select from, in the order of preference; nil: those of the context.
    var acceptedProtocols: [String]? { get }

    /// Removes a breakpoint, because the handshake continues there.
    func release(_ breakpoint: TLSBreakpoint)
    /// Follows a write of OpenSSL. `prefix` contains its first bytes, `kind` its type (SSL_set_msg_callback(3)).
    func wrote(kind: CInt, prefix: [UInt8], isTLS13: Bool)
    /// Follows the connection's keys, as lines in NSS's key-log format.
    func keyLogged(_ line: String)
}

extension HandshakeGate {
    package var acceptedProtocols: [String]? { nil }
}

/// The reply of a callback during the handshake; `refuse` has the number of an alert.
package enum ClientHelloDecision: Hashable, Sendable {
    case proceed, wait
    case refuse(UInt8)
}
