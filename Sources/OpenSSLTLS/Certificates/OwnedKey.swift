internal import COpenSSL

/// One reference to an OpenSSL key pair.
@safe struct OwnedKey: ~Copyable {
    let pointer: OpaquePointer

    init(adopting pointer: OpaquePointer) { unsafe self.pointer = unsafe pointer }

    deinit { unsafe EVP_PKEY_free(pointer) }

    /// Creates a P-256 key: every current TLS client accepts it, and it is generated in well under a millisecond.
    static func make() throws(TLSError) -> OwnedKey {
        ErrorQueue.clear()
        guard let pointer = unsafe cw_key_new_p256() else { throw ErrorQueue.error("creating a P-256 key") }
        return unsafe OwnedKey(adopting: pointer)
    }

    static func make(_ kind: CertificateRequest.Key) throws(TLSError) -> OwnedKey {
        switch kind {
        case .p256: return try make()
        case .rsa(let bits):
            guard (512...8_192).contains(bits) else {
                throw .invalid(what: "the length of an RSA key", found: "\(bits)", allowed: "512 to 8192 bits")
            }
            ErrorQueue.clear()
            guard let pointer = unsafe cw_key_new_rsa(CUnsignedInt(bits)) else {
                throw ErrorQueue.error("creating an RSA key")
            }
            return unsafe OwnedKey(adopting: pointer)
        }
    }

    static func parse(der: [UInt8]) throws(TLSError) -> OwnedKey {
        ErrorQueue.clear()
        let pointer = unsafe der.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return unsafe d2i_AutoPrivateKey(nil, &next, bytes.count)
        }
        guard let pointer = unsafe pointer else { throw ErrorQueue.error("reading a private key") }
        return unsafe OwnedKey(adopting: pointer)
    }

    func der() throws(TLSError) -> [UInt8] {
        ErrorQueue.clear()
        let length = unsafe i2d_PrivateKey(pointer, nil)
        guard length > 0 else { throw ErrorQueue.error("encoding a private key") }
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(length)) { bytes, count in
            var next = bytes.baseAddress
            count = unsafe Int(i2d_PrivateKey(pointer, &next))
        }
    }

    func pem() throws(TLSError) -> String {
        let memory = try MemoryBIO()
        guard unsafe PEM_write_bio_PrivateKey(memory.pointer, pointer, nil, nil, 0, nil, nil) == 1 else {
            throw ErrorQueue.error("writing a private key as PEM")
        }
        return memory.text()
    }
}
