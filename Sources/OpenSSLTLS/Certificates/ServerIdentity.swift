/// A certificate with its private key and its intermediates, as plain bytes (DER).
package struct ServerIdentity: Hashable, Sendable {
    package let certificate: [UInt8]
    package let privateKey: [UInt8]
    /// The intermediates, nearest first, without the root.
    package let chain: [[UInt8]]

    /// The same identity without the intermediates that a client would need.
    package var withoutChain: ServerIdentity {
        ServerIdentity(certificate: certificate, privateKey: privateKey, chain: [])
    }

    /// Returns the same identity with the authority itself at the end of the chain.
    package func with(issuer: CertificateAuthority) -> ServerIdentity {
        ServerIdentity(certificate: certificate, privateKey: privateKey, chain: chain + [issuer.issuer.certificate])
    }

    /// Returns the certificate followed by its chain, as in servers' configuration files.
    package func certificatePEM() throws(TLSError) -> String {
        var text = try OwnedCertificate.parse(der: certificate).pem()
        for intermediate in chain { text += try OwnedCertificate.parse(der: intermediate).pem() }
        return text
    }

    package func privateKeyPEM() throws(TLSError) -> String { try OwnedKey.parse(der: privateKey).pem() }
}
