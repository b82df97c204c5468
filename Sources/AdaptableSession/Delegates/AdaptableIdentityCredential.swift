public import Foundation
public import FoundationNetworking
import OpenSSLTLS

/// Answers a challenge for a client certificate.
public final class AdaptableIdentityCredential: URLCredential, @unchecked Sendable {
    // A constant beyond what URLCredential has.
    let identity: ServerIdentity

    /// A certificate with the intermediates behind it, and its key, unencrypted, both as texts of PEM. Throws when they cannot be read.
    public init(certificatePEM: String, privateKeyPEM: String) throws {
        identity = try ServerIdentity.read(certificatePEM: certificatePEM, privateKeyPEM: privateKeyPEM)
        super.init(user: "", password: "", persistence: .none)
    }

    public required init?(coder: NSCoder) { nil }
}
