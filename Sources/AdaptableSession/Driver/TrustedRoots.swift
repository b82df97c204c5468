import Foundation

/// The certificate authorities that the machine trusts, in PEM format.
enum TrustedRoots {
    /// The locations in common distributions; `SSL_CERT_FILE` takes precedence, as in OpenSSL.
    private static let places = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/ssl/cert.pem",
    ]

    static func text() -> String? {
        let named = ProcessInfo.processInfo.environment["SSL_CERT_FILE"]
        for place in [named].compactMap({ $0 }) + places {
            if let text = try? String(contentsOfFile: place, encoding: .utf8) { return text }
        }
        return nil
    }
}
