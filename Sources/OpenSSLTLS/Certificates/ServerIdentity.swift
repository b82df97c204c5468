internal import COpenSSL

/// A certificate with its private key and its intermediates, as plain bytes (DER).
package struct ServerIdentity: Hashable, Sendable {
    package let certificate: [UInt8]
    package let privateKey: [UInt8]
    /// The intermediates, nearest first, without the root.
    package let chain: [[UInt8]]

    package init(certificate: [UInt8], privateKey: [UInt8], chain: [[UInt8]]) {
        self.certificate = certificate
        self.privateKey = privateKey
        self.chain = chain
    }
}

extension ServerIdentity {
    /// Reads a certificate, the intermediates after it, and its key from PEM texts.
    package static func read(certificatePEM: String, privateKeyPEM: String) throws(TLSError) -> ServerIdentity {
        let certificates = try PEMCertificates.read(certificatePEM)
        let memory = try MemoryBIO.holding(privateKeyPEM)
        ErrorQueue.clear()
        // Without a callback OpenSSL would prompt on the terminal for the password of an encrypted key.
        guard let pointer = unsafe PEM_read_bio_PrivateKey(memory.pointer, nil, { _, _, _, _ in 0 }, nil) else {
            ErrorQueue.clear()
            throw .invalid(
                what: "the private key", found: String(privateKeyPEM.prefix(40)),
                allowed: "PEM with an unencrypted private key")
        }
        let key = try unsafe OwnedKey(adopting: pointer).der()
        return ServerIdentity(certificate: certificates[0], privateKey: key, chain: Array(certificates.dropFirst()))
    }
}
