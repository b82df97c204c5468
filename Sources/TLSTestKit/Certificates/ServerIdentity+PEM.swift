internal import COpenSSL
package import OpenSSLTLS

extension ServerIdentity {
    /// Returns the certificate followed by its chain, as in servers' configuration files.
    package func certificatePEM() throws(TLSError) -> String {
        var text = try OwnedCertificate.parse(der: certificate).pem()
        for intermediate in chain { text += try OwnedCertificate.parse(der: intermediate).pem() }
        return text
    }

    package func privateKeyPEM() throws(TLSError) -> String { try OwnedKey.parse(der: privateKey).pem() }
}

extension OwnedCertificate {
    func pem() throws(TLSError) -> String {
        let memory = try MemoryBIO()
        guard unsafe PEM_write_bio_X509(memory.pointer, pointer) == 1 else {
            throw ErrorQueue.error("writing a certificate as PEM")
        }
        return memory.text()
    }
}

extension OwnedKey {
    fileprivate func pem() throws(TLSError) -> String {
        let memory = try MemoryBIO()
        guard unsafe PEM_write_bio_PrivateKey(memory.pointer, pointer, nil, nil, 0, nil, nil) == 1 else {
            throw ErrorQueue.error("writing a private key as PEM")
        }
        return memory.text()
    }
}

extension MemoryBIO {
    fileprivate func text() -> String {
        let pending = unsafe BIO_ctrl_pending(pointer)
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: pending) { bytes, count in
            count = unsafe pending == 0 ? 0 : max(0, Int(BIO_read(pointer, bytes.baseAddress, CInt(clamping: pending))))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
