internal import COpenSSL
package import OpenSSLTLS

/// The breakpoints of one server's handshake, at which an alert of the caller's choice can end it.
package final class HandshakeBreakpoints: HandshakeGate {
    private var breakpoints: Set<TLSBreakpoint>
    private var refusal: UInt8?
    private var finishedOffset = FinishedMessageOffset()
    private var handshakeSecret: [UInt8]?

    package init(_ breakpoints: Set<TLSBreakpoint>) { self.breakpoints = breakpoints }

    package var clientHelloDecision: ClientHelloDecision {
        if let refusal { return .refuse(refusal) }
        return breakpoints.contains(.beforeResponse) ? .wait : .proceed
    }

    package var limit: Int? { breakpoints.contains(.beforeFinished) ? finishedOffset.cut : nil }

    package func release(_ breakpoint: TLSBreakpoint) { breakpoints.remove(breakpoint) }

    package func wrote(kind: CInt, prefix: [UInt8], isTLS13: Bool) {
        guard breakpoints.contains(.beforeFinished) else { return }
        finishedOffset.wrote(kind: kind, prefix: prefix, isTLS13: isTLS13)
    }

    package func keyLogged(_ line: String) {
        guard breakpoints.contains(.beforeFinished), line.hasPrefix("SERVER_HANDSHAKE_TRAFFIC_SECRET ") else { return }
        handshakeSecret = line.split(separator: " ").last.map { hexadecimal in
            let digits = hexadecimal.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
            return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        }
    }

    /// Ends the handshake with an alert that the caller selects. `connection` is the one with these breakpoints.
    package func sendAlert(_ alert: UInt8, over connection: TLSConnection) throws(TLSError) {
        switch connection.phase {
        case .held(.beforeResponse):
            // OpenSSL itself sends the alert that the ClientHello callback returns.
            refusal = alert
            connection.endRefused()
        case .held(.beforeFinished):
            // The breakpoint stays, so the OpenSSL output after it is never sent.
            connection.end(sending: try alertBeforeFinished(alert, connection))
        case .handshake, .awaitingDecision:
            connection.end(sending: AlertRecord.plain(alert))
        case .established:
            throw .notPossible(
                operation: "sending an alert", because: "OpenSSL cannot send a chosen alert after the handshake")
        case .ended:
            throw .notPossible(operation: "sending an alert", because: "the connection has ended")
        }
    }

    private func alertBeforeFinished(_ alert: UInt8, _ connection: TLSConnection) throws(TLSError) -> [UInt8] {
        let ssl = unsafe connection.ssl
        let version = unsafe SSL_version(ssl)
        guard version == TLS1_3_VERSION else { return AlertRecord.plain(alert, minor: UInt8(version & 0xff)) }
        let cipher = unsafe SSL_get_pending_cipher(ssl) ?? SSL_get_current_cipher(ssl)
        guard let cipher = unsafe cipher,
            let suite = unsafe AlertRecord.Suite(rawValue: SSL_CIPHER_get_protocol_id(cipher)),
            let handshakeSecret
        else { throw .notPossible(operation: "sending an alert", because: "the keys of this cipher suite are unknown") }
        return try AlertRecord.sealed(
            alert, secret: handshakeSecret, suite: suite, sequenceNumber: finishedOffset.sequenceNumber)
    }
}
