internal import COpenSSL

/// OpenSSL's error queue of the current thread: cleared before a call, read right after it.
package enum ErrorQueue {
    package static func clear() { ERR_clear_error() }

    package static func drainText() -> String {
        var reasons: [String] = []
        while true {
            let code = ERR_get_error()
            if code == 0 { break }
            let reason = unsafe ERR_reason_error_string(code).map { unsafe String(cString: $0) }
            reasons.append(reason ?? "error \(String(code, radix: 16))")
        }
        return reasons.isEmpty ? "reason unknown" : reasons.joined(separator: "; ")
    }

    package static func error(_ operation: String) -> TLSError { .library(operation: operation, reason: drainText()) }
}
