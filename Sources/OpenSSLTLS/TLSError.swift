internal import COpenSSL

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

/// The names of alerts (RFC 8446 §6, and the older ones of RFC 5246 §7.2).
package enum TLSAlert {
    package static func name(of alert: UInt8) -> String {
        unsafe String(cString: SSL_alert_desc_string_long(CInt(alert)))
    }
}

/// OpenSSL's error queue belongs to the thread: emptied before a call, read right after it.
enum ErrorQueue {
    static func clear() { ERR_clear_error() }

    static func takeText() -> String {
        var reasons: [String] = []
        while true {
            let code = ERR_get_error()
            if code == 0 { break }
            let reason = unsafe ERR_reason_error_string(code).map { unsafe String(cString: $0) }
            reasons.append(reason ?? "error \(String(code, radix: 16))")
        }
        return reasons.isEmpty ? "no reason given" : reasons.joined(separator: "; ")
    }

    static func error(_ operation: String) -> TLSError { .library(operation: operation, reason: takeText()) }
}
