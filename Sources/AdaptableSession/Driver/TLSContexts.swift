import Foundation
import OpenSSLTLS

/// The TLS contexts of one session, one for each list of protocols, with and without challenges: reading the machine's
/// certificate authorities takes milliseconds.
final class TLSContexts {
    private let versions: TLSVersionRange
    private struct Kind: Hashable {
        var alpn: [String]
        var asks: Bool
    }

    private var made: [Kind: TLSContext] = [:]

    init(versions: TLSVersionRange) { self.versions = versions }

    /// Returns the context. `asks` is true if a delegate evaluates the server and chooses the client certificate.
    func context(alpn: [String], asks: Bool = false) throws(TransportFailure) -> TLSContext {
        let kind = Kind(alpn: alpn, asks: asks)
        if let context = made[kind] { return context }
        guard let roots = TrustedRoots.text() else {
            throw .tls(
                .invalid(
                    what: "the list of trusted authorities", found: "no file",
                    allowed: "SSL_CERT_FILE or the package ca-certificates"))
        }
        do throws(TLSError) {
            var options = ClientTLSOptions(trust: .roots(roots), versions: versions, alpn: alpn)
            options.evaluatesPeer = asks
            options.requestsIdentity = asks
            let context = try TLSContext.client(options)
            made[kind] = context
            return context
        } catch {
            throw .tls(error)
        }
    }
}

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
