internal import COpenSSL

/// The names of alerts (RFC 8446 §6, and the older ones of RFC 5246 §7.2).
package enum TLSAlert {
    package static func name(of alert: UInt8) -> String {
        unsafe String(cString: SSL_alert_desc_string_long(CInt(alert)))
    }
}
