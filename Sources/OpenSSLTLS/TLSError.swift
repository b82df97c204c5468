/// Why a certificate, a context or a connection could not be made or go on.
package enum TLSError: Error, Hashable, Sendable {
    /// OpenSSL refused; `reason` is the text of its error queue.
    case library(operation: String, reason: String)
    /// A name, an address or a text that cannot be used; `allowed` says what can.
    case invalid(what: String, found: String, allowed: String)
    /// The peer ended the connection with this fatal alert (RFC 8446 §6.2).
    case alertReceived(UInt8)
    /// This side refused the peer's certificate; `code` is OpenSSL's X509_V_ERR number.
    case peerNotTrusted(reason: String, code: Int)
    /// The peer broke the protocol, or no common ground was found; `alertSent` is what it was told.
    case handshakeOrRecord(reason: String, alertSent: UInt8?)
    /// The transport ended without close_notify (RFC 8446 §6.1).
    case truncated
    /// The call does not fit the state of the connection.
    case notPossible(operation: String, because: String)
}

extension TLSError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .library(let operation, let reason):
            "\(operation) was refused by OpenSSL: \(reason)"
        case .invalid(let what, let found, let allowed):
            "\(what) cannot be '\(found)'; use \(allowed)"
        case .alertReceived(let alert):
            "the peer ended TLS with alert \(alert) (\(TLSAlert.name(of: alert)))"
        case .peerNotTrusted(let reason, _):
            "the peer's certificate was refused: \(reason)"
        case .handshakeOrRecord(let reason, let alert):
            "TLS failed: \(reason)"
                + (alert.map { "; the peer was sent alert \($0) (\(TLSAlert.name(of: $0)))" } ?? "")
        case .truncated:
            "the connection ended without close_notify, so the data may be cut short"
        case .notPossible(let operation, let because):
            "\(operation) is not possible: \(because)"
        }
    }
}
