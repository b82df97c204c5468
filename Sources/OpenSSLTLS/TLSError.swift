internal import COpenSSL

/// The reason why a certificate, a context or a connection failed.
package enum TLSError: Error, Hashable, Sendable {
    /// OpenSSL refused; `reason` is the text of its error queue.
    case library(operation: String, reason: String)
    /// An invalid name, address or text; `allowed` describes the valid ones.
    case invalid(what: String, found: String, allowed: String)
    /// The peer ended the connection with this fatal alert (RFC 8446 §6.2).
    case alertReceived(UInt8)
    /// This side rejected the peer's certificate; `code` is OpenSSL's X509_V_ERR number.
    case peerNotTrusted(reason: String, code: Int)
    /// The peer violated the protocol, or nothing in common could be negotiated; `alertSent` is the alert sent to the
    /// peer.
    case handshakeOrRecord(reason: String, alertSent: UInt8?)
    /// The transport ended without close_notify (RFC 8446 §6.1).
    case truncated
    /// The call is not valid in the current state of the connection.
    case notPossible(operation: String, because: String)
}

extension TLSError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .library(let operation, let reason):
            "\(operation) failed in OpenSSL: \(reason)"
        case .invalid(let what, let found, let allowed):
            "\(what) cannot be '\(found)'; use \(allowed)"
        case .alertReceived(let alert):
            "the peer ended TLS with alert \(alert) (\(TLSAlert.name(of: alert)))"
        case .peerNotTrusted(let reason, _):
            "the peer's certificate was refused: \(reason)"
        case .handshakeOrRecord(let reason, let alert):
            "TLS failed: \(reason)"
                + (alert.map { "; sent to the peer: alert \($0) (\(TLSAlert.name(of: $0)))" } ?? "")
        case .truncated:
            "the connection ended without close_notify, so the data may be truncated"
        case .notPossible(let operation, let because):
            "\(operation) is not possible: \(because)"
        }
    }
}

/// The names of alerts (RFC 8446 §6, and the older ones of RFC 5246 §7.2).
package enum TLSAlert {
    package static func name(of alert: UInt8) -> String {
        unsafe String(cString: SSL_alert_desc_string_long(CInt(alert)))
    }
}
