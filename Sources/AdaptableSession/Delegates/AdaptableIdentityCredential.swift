public import Foundation
public import FoundationNetworking
import OpenSSLTLS

/// A client certificate and its private key, as the credential for a client-certificate challenge.
public final class AdaptableIdentityCredential: URLCredential, @unchecked Sendable {
    // `@unchecked` is safe: the only state beyond URLCredential's is this constant.
    let identity: ServerIdentity

    /// Reads the certificate, optionally followed by its intermediate certificates, and its unencrypted private key,
    /// both in PEM format. Throws if either cannot be read.
    public init(certificatePEM: String, privateKeyPEM: String) throws {
        identity = try ServerIdentity.read(certificatePEM: certificatePEM, privateKeyPEM: privateKeyPEM)
        super.init(user: "", password: "", persistence: .none)
    }

    /// Returns nil: the credential cannot be archived.
    public required init?(coder: NSCoder) { nil }
}
